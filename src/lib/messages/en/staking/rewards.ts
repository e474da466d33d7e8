/** The calendar of rewards. */
import type { CalendarKind, CalendarState } from '#lib/domain/staking/calendar.ts'

export const rewardsTexts = {
  title: 'Reward calendar',
  about: 'What you receive and when: staking rewards, bonus releases and rewards for people you invited.',
  back: 'Staking',
  years: 'Year',
  toCome: (year: number) => `Still to come in ${year}`,
  came: (year: number) => `Received in ${year}`,
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
  states: { paid: 'Paid', due: 'Upcoming', late: 'Due', cancelled: 'Cancelled' } satisfies Record<CalendarState, string>,
  more: (count: number) => `And ${count} more days`,
  none: (year: number) => `Nothing due in ${year}`,
  noneAbout: 'You get rewards every quarter from a PTC package with staking, and when someone you invited buys a package.',
  buy: 'Buy PTC',
  invite: 'Referral rewards are not known in advance: they appear here once booked.',
  feed: 'In your own calendar',
  feedAbout:
    'A private link shows these dates and amounts in the calendar on your phone or computer. Anyone with the link can read it.',
  create: 'Create a private link',
  renew: 'Create a new link',
  revoke: 'Delete the link',
  since: (day: string) =>
    `You created a link on ${day}. We keep no copy: if you have lost it, create a new one. The old one then stops working.`,
  yours: 'Your private link',
  once: 'Copy it now: it is shown only once. Add it to your calendar as a subscription.',
  revoked: 'The link no longer works.',
  name: (brand: string) => `Rewards at ${brand}`,
  event: (kind: string, amount: string) => `${kind}: ${amount}`,
  paid: 'Paid.',
  expected: 'Upcoming.'
} as const
