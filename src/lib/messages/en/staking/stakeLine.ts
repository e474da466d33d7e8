/** The line of a staking term, and the figures beside it. */
export const stakeLineTexts = {
  made: (made: number, of: number) => `${made} of ${of}`,
  payoutsMade: 'payouts made',
  next: 'Next',
  dueSince: 'Due since',
  unlocks: (day: string) => `unlocks ${day}`,
  nextPayout: 'Next payout',
  inDays: (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`),
  rate: 'Rate',
  aYear: (rate: string) => `${rate} a year`,
  months: (months: number) => `${months} months`
} as const
