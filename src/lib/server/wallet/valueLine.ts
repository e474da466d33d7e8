import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import type { Answer } from '#lib/contract/types.ts'
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { pricesIn, ptcPriceOn } from '#lib/domain/rates/prices.ts'
import { type Range, valuePoints } from '#lib/domain/wallet/valueLine.ts'
import { balancesAt, firstBookingAt } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { dailyFigures, type RatesSource, utcDay } from '../rates/index.ts'

dayjs.extend(utc)

/** More points would not change how the line looks. */
const MOST_POINTS = 60
const DAYS_BACK: Record<Exclude<Range, 'All'>, number> = { '1W': 7, '1M': 30, '1Y': 365 }

type Query = { range: Range; in: DisplayCurrency; currency?: string | undefined }

/** The days of a range, up to yesterday: not before the first booking, and at most 60. */
function daysOf(range: Range, today: string, first: string): string[] {
  const from = range === 'All' ? first : dayjs.utc(today).subtract(DAYS_BACK[range], 'day').format('YYYY-MM-DD')
  const start = from < first ? first : from
  const count = dayjs.utc(today).diff(dayjs.utc(start), 'day')
  const step = Math.ceil(Math.max(count, 1) / MOST_POINTS)
  const days = Array.from({ length: Math.ceil(count / step) }, (_, index) =>
    dayjs
      .utc(today)
      .subtract((index + 1) * step, 'day')
      .format('YYYY-MM-DD')
  )
  return days.filter((day) => day >= first).toReversed()
}

/**
 * The value of the customer's tokens, or of one of them, at the end of each day of a range, in USD or EUR cents. Past days use the
 * prices stored for them, today uses current prices. Throws `currency_unsupported`.
 */
export async function readValueLine(
  { db, clock }: Context,
  rates: RatesSource,
  customer: Customer,
  query: Query
): Promise<Answer<'getValueLine'>> {
  if (query.currency && !findToken(query.currency)) throw new AppError('currency_unsupported')
  const first = await firstBookingAt(db, customer.userId, query.currency)
  if (!first) return { points: [] }
  const today = utcDay(clock())
  const days = daysOf(query.range, today, utcDay(first))
  const [balances, figures, now] = await Promise.all([
    balancesAt(db, customer.userId, [...days, today], query.currency),
    dailyFigures(db, days),
    rates.current().catch(() => undefined)
  ])
  const past = days.map((day) => figures.get(day) ?? { prices: {}, eurPerUsd: undefined })
  const current = now && {
    prices: { ...now.pricesUsd.values, PTC: ptcPriceOn(today) },
    eurPerUsd: now.eurPerUsd.value
  }
  const points = valuePoints(
    [...days, today].map((day, index) => {
      const { prices = {}, eurPerUsd } = past[index] ?? current ?? {}
      const known = query.in === 'USD' || eurPerUsd !== undefined
      return {
        day,
        units: balances.get(day) ?? {},
        prices: known ? pricesIn(query.in, { prices, eurPerUsd: eurPerUsd ?? '1' }) : {}
      }
    })
  )
  return { points: points.map(({ day, cents }) => ({ day, cents: cents.toString() })) }
}
