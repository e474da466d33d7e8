/** The sentences for successful calls about withdrawals. Source: spec section 8; sentences beyond it are ours. */
export const withdrawalAnswers = {
  cancelled: 'Withdrawal cancelled. The amount is yours again.',
  linkAnswered: 'Thank you. Your answer is kept.',
  addressKept: 'Address saved',
  addressRemoved: 'Address removed',
  whitelistSet: 'Whitelist changed',
  senderGiven: 'Thank you. The sender is kept with your deposit.'
} as const
