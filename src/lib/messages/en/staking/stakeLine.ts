/** The line of a staking term, and the figures beside it. */
export const stakeLineTexts = {
  made: (made: number, of: number) => `${made} of ${of}`,
  payoutsMade: 'payouts made',
  next: 'Next',
  unlocks: (day: string) => `unlocks ${day}`,
  drawing: (from: string, until: string, made: number, of: number, next: string | undefined) =>
    `Term from ${from} to ${until}. ${made} of ${of} payouts made${next ? `, the next on ${next}` : ''}.`
} as const
