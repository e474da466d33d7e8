import { z } from '@hono/zod-openapi'
import { CALENDAR_KINDS, CALENDAR_STATES } from '#lib/domain/staking/calendar.ts'
import { PAYOUT_KINDS } from '#lib/domain/staking/schedule.ts'
import { STAKE_SORTS, STAKE_STATUSES } from '#lib/domain/staking/terms.ts'
import { decimalText, done, moment, none, units } from './common.ts'

const ofCurrency = z.object({ currency: z.string(), units })

const stake = z.object({
  orderId: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: moment,
  /** As an order's status: 0 pending, 1 processing, 2 completed. */
  status: z.number().int(),
  cancelledAt: moment.nullable(),
  /** True while a payment that does not fit is being checked. */
  isPaymentUnfit: z.boolean(),
  fiatAmount: decimalText,
  fiatCurrency: z.literal('USD'),
  currency: z.string(),
  /** The staked amount. */
  units,
  price: decimalText,
  months: z.number().int(),
  /** Hundredths of a percent a year. */
  rate: z.number().int()
})

const calendarLine = ofCurrency.extend({
  /** yyyy-mm-dd, UTC. */
  day: z.iso.date(),
  kind: z.enum(CALENDAR_KINDS),
  /** The number of payouts in this line. */
  count: z.number().int(),
  state: z.enum(CALENDAR_STATES)
})

export const stakingShapes = {
  getRewardCalendar: {
    summary: 'What comes when, in a year or in all: staking, bonus and invitations',
    query: z.strictObject({
      year: z.coerce.number().int().min(2000).max(2200).optional(),
      /** `all`: the months of every year. */
      span: z.enum(['year', 'all']).default('year')
    }),
    answer: z.object({
      /** The asked year; without one, the current. */
      year: z.number().int(),
      years: z.array(z.number().int()),
      /** Only months with lines. `sums` leave out the staked tokens that are returned. */
      months: z.array(z.object({ month: z.string(), sums: z.array(ofCurrency), lines: z.array(calendarLine) }))
    })
  },
  getRewardFeed: {
    summary: 'Whether the reward calendar has a private link, and since when',
    answer: z.object({ createdAt: moment.nullable() })
  },
  createRewardFeed: {
    summary: 'A new private link to the reward calendar; the one before ends',
    body: none,
    answer: z.object({ url: z.string(), createdAt: moment })
  },
  revokeRewardFeed: { summary: 'Ends the private link to the reward calendar', body: none, answer: done },
  readRewardFeed: {
    summary: 'The reward calendar by its private link',
    body: z.strictObject({ token: z.string().min(1).max(100) }),
    answer: z.object({ asOf: moment, events: z.array(calendarLine.extend({ id: z.string() })) })
  },
  getStakingTotal: {
    summary: 'What the staked packages cost',
    answer: z.object({ totalUsd: decimalText, orders: z.number().int() })
  },
  getStakingSummary: {
    summary: 'What is staked and what is locked, what was paid, and what comes next',
    answer: z.object({
      staked: z.array(ofCurrency),
      /** What a bonus will release month by month. It earns nothing, and is not part of what is staked. */
      locked: z.array(ofCurrency),
      /** Paid rewards by currency: `count` of `of` rewards are paid; `units` is their sum. */
      paid: z.array(ofCurrency.extend({ count: z.number().int(), of: z.number().int() })),
      /** The sum of the payouts that are due next, on one day and in one currency. */
      next: ofCurrency.extend({ dueAt: moment, kind: z.enum(PAYOUT_KINDS) }).nullable(),
      /** The package whose reward is due next: its term, and its rewards in the order of their days, without cancelled ones. */
      term: z
        .object({
          orderId: z.string(),
          currency: z.string(),
          months: z.number().int(),
          /** Hundredths of a percent a year. */
          rate: z.number().int(),
          startsAt: moment,
          endsAt: moment,
          payouts: z.array(z.object({ dueAt: moment, units, isPaid: z.boolean() }))
        })
        .nullable()
    })
  },
  listStakes: {
    summary: "The customer's packages with staking",
    query: z.strictObject({
      /** A part of the email address; white space is ignored. */
      search: z.string().max(200).optional(),
      status: z.enum(STAKE_STATUSES).optional(),
      sort: z.enum(STAKE_SORTS).default('date'),
      direction: z.enum(['asc', 'desc']).default('desc'),
      limit: z.coerce.number().int().min(1).max(100).default(10),
      offset: z.coerce.number().int().min(0).max(100_000).default(0)
    }),
    answer: z.object({ results: z.array(stake), total: z.number().int() })
  },
  getStake: {
    summary: 'A package with staking or a bonus: its terms and every payout',
    params: z.object({ id: z.string().regex(/^RF\d{14}$/) }),
    answer: stake.extend({
      /** Hundredths of a percent of the package's tokens; 0 for a package with staking. */
      bonusRate: z.number().int(),
      /** Both null before the payment has arrived. */
      startsAt: moment.nullable(),
      endsAt: moment.nullable(),
      /** `reward`: all rewards of the term. `paid`: the paid part. For a bonus, the amounts to release and released. */
      reward: units,
      paid: units,
      payouts: z.array(
        z.object({
          kind: z.enum(PAYOUT_KINDS),
          number: z.number().int(),
          units,
          dueAt: moment,
          paidAt: moment.nullable(),
          cancelledAt: moment.nullable()
        })
      )
    })
  }
}
