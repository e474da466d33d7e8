import type { ErrorCode } from '#lib/contract/errors.ts'

export const withdrawalsErrors = {
  withdrawal_not_found: 'This withdrawal does not exist.',
  withdrawal_not_cancellable: 'This withdrawal can no longer be cancelled.',
  withdrawal_cancel_asked:
    'This network is paused. Your wish to cancel is noted: you get the amount back as soon as it is certain that nothing was sent.',
  withdrawals_open: 'You have {most} withdrawals in progress. Please wait until one of them is done.',
  withdrawals_held: 'Withdrawals and trades are paused until we have checked your account. We will email you.',
  withdrawals_resting: 'Withdrawals and trades are paused for 24 hours after a change to your account security.',
  withdrawal_too_small: 'The smallest withdrawal is {least}: the fee is {fee}.',
  withdrawal_limit: 'You can withdraw {left} more within 24 hours. Your limit is {limit}.',
  limit_too_low: 'Please enter more than your current limit.',
  limit_too_high: 'We can raise it to {most} at most.',
  limit_asked: 'You have asked already. We answer by email.',
  limit_refused: 'We refused your last request. You can ask again on {on}.',
  address_not_found: 'This address is not in your address book.'
} satisfies Partial<Record<ErrorCode, string>>
