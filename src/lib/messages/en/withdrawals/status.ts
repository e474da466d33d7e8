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
  given_back: 'Given back'
}

/** Why an approved withdrawal is not sent yet, and what happens next. */
export const withdrawalWaitTexts: Record<WaitReason, string> = {
  network_fee:
    'The network is busy and asks for too much at the moment. It is sent as soon as that is over, usually within hours.',
  hot_wallet: 'We are bringing coins from our safe. It is sent within one business day.',
  signer_limit: 'Our own daily limit is reached. It is sent within 24 hours.',
  halted: 'We have paused this network to check something. It is sent as soon as we go on; we work on it now.',
  gate: 'It waits until your account may withdraw again.',
  refused: 'The network refuses a payment to this address at the moment. You can cancel it, or answer our mail.',
  checked: 'One of us looks at it before it is sent, within one business day.'
}
