/** The states of a withdrawal, as labels and as sentences. Source: spec section 4; texts beyond it are ours. */
import type { WaitReason, WithdrawalState } from '#lib/domain/withdrawals/withdrawal.ts'

export const withdrawalStatusTexts: Record<WithdrawalState, string> = {
  unconfirmed: 'Confirm by email',
  review: 'Pending',
  approved: 'Pending',
  signed: 'Pending',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  given_back: 'Returned'
}

/** Why an approved withdrawal is not sent yet, and what happens next. */
export const withdrawalWaitTexts: Record<WaitReason, string> = {
  network_fee:
    'The network is busy and its fees are too high at the moment. We will send it as soon as they fall, usually within hours.',
  hot_wallet: 'We are moving coins from our vault. It will be sent within one business day.',
  signer_limit: 'We have reached our own daily limit. It will be sent within 24 hours.',
  halted: 'We have paused this network to check something. We are working on it and will send it as soon as we can.',
  gate: 'It is on hold until your account can withdraw again.',
  refused: 'The network is refusing payments to this address at the moment. You can cancel it, or reply to our email.',
  small_coins: 'We are preparing our coins for a payment of this size. It will be sent within one business day.',
  stuck: 'An earlier payment on this network is delayed. We will send yours as soon as it is through, usually within hours.',
  checked: 'Our team checks it before it is sent, within one business day.'
}
