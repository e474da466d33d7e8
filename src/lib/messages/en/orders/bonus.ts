/** The bonus packages of the anniversary promotion (spec sections 1, 2 and 9). */
export const bonusTexts = {
  title: 'Buy PTC',
  about: 'Anniversary bonus: extra PTC on top of your package.',
  ptc: 'PTC Amount',
  bonus: (rate: string) => `PTC Bonus ${rate}`,
  bonusAbout: 'Locked, then released',
  total: 'PTC Total',
  terms: 'How you get it',
  choices: [
    ['No Staking', 'Your PTC are yours to move once credited'],
    ['12 months locking', 'The bonus is yours from the first day, and locked'],
    ['5% monthly vesting', 'Then 5% of the bonus is released each month, in 20 months']
  ],
  windows: 'The six windows of the bonus',
  window: (rate: string) => `${rate} bonus`,
  from: (day: string) => `From ${day}, 00:00 UTC`,
  until: (from: string, last: string) => `${from} to ${last}, UTC days`,
  open: (from: string) => `Since ${from}, and it stays open`,
  isOver: 'Over',
  isOpen: 'Open now',
  next: (rate: string) => `Then ${rate}`,
  nothingNext: 'The last window: its rate stays.',
  endsIn: 'Ends in',
  startsIn: 'Starts in',
  ended: 'This window is over.',
  reload: 'See the next one',
  notYet: 'The bonus packages are not on sale yet.',
  changed: (rate: string) =>
    `The window that you saw is over. This is the next one, with a bonus of ${rate}. Please look at it again.`,
  keeps: 'An order keeps the bonus of its window for the 7 days in which it can be paid.'
} as const
