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
    ['No Staking', 'Your PTC is free to move once credited'],
    ['12 months locking', 'The bonus is yours from day one, but locked'],
    ['5% monthly vesting', 'Then 5% of the bonus is released each month, over 20 months']
  ],
  windows: 'The six bonus windows',
  window: (rate: string) => `${rate} bonus`,
  from: (day: string) => `From ${day}, 00:00 UTC`,
  until: (from: string, last: string) => `${from} to ${last} (UTC)`,
  open: (from: string) => `Since ${from}, with no end date`,
  isOver: 'Ended',
  isOpen: 'Open now',
  next: (rate: string) => `Then ${rate}`,
  nothingNext: 'This is the last window. Its rate stays.',
  endsIn: 'Ends in',
  startsIn: 'Starts in',
  ended: 'This window has ended.',
  reload: 'See the next one',
  notYet: 'The bonus packages are not on sale yet.',
  changed: (rate: string) =>
    `The window you were viewing has ended. This is the next one, with a bonus of ${rate}. Please check it again.`,
  keeps: 'An order keeps the bonus of its window for its 7-day payment period.'
} as const
