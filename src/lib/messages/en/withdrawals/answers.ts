/** The sentences for successful calls about withdrawals. Source: spec section 8; sentences beyond it are ours. */
export const withdrawalAnswers = {
  cancelled: 'Withdrawal cancelled. The amount is back in your wallet.',
  addressKept: 'Address saved',
  addressRemoved: 'Address removed',
  whitelistSet: 'Whitelist changed',
  limitAsked: 'Asked. We answer by email.',
  senderGiven: 'Thank you. The sender is saved with your deposit.'
} as const
