/** The calendar of rewards. */
import type { CalendarKind, CalendarState } from '#lib/domain/staking/calendar.ts'

export const rewardsTexts = {
  title: 'Reward calendar',
  about: 'What comes when: rewards of staking, releases of a bonus, and rewards for people whom you invited.',
  back: 'Staking',
  years: 'Year',
  toCome: (year: number) => `Still to come in ${year}`,
  came: (year: number) => `Came in ${year}`,
  nothing: 'Nothing',
  monthNames: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December'
  ],
  month: (name: string, year: string) => `${name} ${year}`,
  kinds: {
    reward: 'Staking reward',
    bonus: 'Bonus release',
    principal: 'Staked tokens return',
    referral: 'Referral reward'
  } satisfies Record<CalendarKind, string>,
  times: (count: number) => `${count} payouts`,
  states: { paid: 'Paid', due: 'To come', late: 'Due', cancelled: 'Cancelled' } satisfies Record<CalendarState, string>,
  more: (count: number) => `And ${count} more days`,
  none: (year: number) => `Nothing comes in ${year}`,
  noneAbout: 'Rewards come every quarter from a PTC package with staking, and when somebody whom you invited buys a package.',
  buy: 'Buy PTC',
  invite: 'Rewards for invitations are not known before: they are here once they are booked.',
  feed: 'In your own calendar',
  feedAbout:
    'A private link shows these days, with their amounts, in the calendar of your phone or computer. Whoever has the link can read it.',
  create: 'Make a private link',
  renew: 'Make a new link',
  revoke: 'End the link',
  since: (day: string) =>
    `There is a link, made on ${day}. We keep no copy of it: if you have lost it, make a new one. The old one then ends.`,
  yours: 'Your private link',
  once: 'Copy it now: it is shown this once. Add it to your calendar as a subscription.',
  revoked: 'The link no longer works.',
  name: (brand: string) => `Rewards at ${brand}`,
  event: (kind: string, amount: string) => `${kind}: ${amount}`,
  paid: 'Paid.',
  expected: 'To come.'
} as const
