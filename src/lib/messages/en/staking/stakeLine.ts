/** The line of a staking term, and the figures beside it. */
export const stakeLineTexts = {
  made: (made: number, of: number) => `${made} of ${of}`,
  payoutsMade: 'payouts made',
  next: 'Next',
  dueSince: 'Due since',
  unlocks: (day: string) => `unlocks ${day}`
} as const
