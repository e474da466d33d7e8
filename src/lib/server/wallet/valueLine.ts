import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import type { Answer } from '#lib/contract/types.ts'
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { pricesIn, ptcPriceOn } from '#lib/domain/rates/prices.ts'
import { addUpTo, changeOf, type Flow, type PricesByDay, termOf } from '#lib/domain/wallet/change.ts'
import { type Range, type ValuePoint, valuePoints } from '#lib/domain/wallet/valueLine.ts'
import { balancesAt, type FlowRow, firstBookingAt, flowsAfter } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { type DailyFigures, dailyFigures, type RatesSource, utcDay } from '../rates/index.ts'

dayjs.extend(utc)

/** More points would not change how the line looks. */
const MOST_POINTS = 60
const DAYS_BACK: Record<Exclude<Range, 'All'>, number> = { '1W': 7, '1M': 30, '1Y': 365 }

type Query = { range: Range; in: DisplayCurrency; currency?: string | undefined }

/** The first day of a range: not before the first booking. */
function startOf(range: Range, today: string, first: string): string {
  const from = range === 'All' ? first : dayjs.utc(today).subtract(DAYS_BACK[range], 'day').format('YYYY-MM-DD')
  return from < first ? first : from
}

/** The days of a range, up to yesterday: not before the first booking, and at most 60. */
function daysOf(range: Range, today: string, first: string): string[] {
  const start = startOf(range, today, first)
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
  customer: Pick<Customer, 'userId'>,
  query: Query
): Promise<Answer<'getValueLine'>> {
  if (query.currency && !findToken(query.currency)) throw new AppError('currency_unsupported')
  const first = await firstBookingAt(db, customer.userId, query.currency)
  if (!first) return { points: [], change: null }
  const today = utcDay(clock())
  const days = daysOf(query.range, today, utcDay(first))
  // A range that reaches back to the first booking begins at nothing, whatever day its first point is of.
  const isSinceStart = startOf(query.range, today, utcDay(first)) === utcDay(first)
  const [balances, figures, rated, rows] = await Promise.all([
    balancesAt(db, customer.userId, [...days, today], query.currency),
    dailyFigures(db, days),
    rates.current().catch(() => undefined),
    // The line is worth more than its explanation.
    flowsAfter(db, customer.userId, isSinceStart ? undefined : days[0], query.currency).catch(() => undefined)
  ])
  const past = days.map((day) => figures.get(day) ?? { prices: {}, eurPerUsd: undefined })
  const current = rated && {
    prices: { ...rated.pricesUsd.values, PTC: ptcPriceOn(today) },
    eurPerUsd: rated.eurPerUsd.value
  }
  const priced = [...days, today].map((day, index) => ({ day, prices: pricesOf(past[index] ?? current, query.in) }))
  const points = valuePoints(priced.map(({ day, prices }) => ({ day, prices, units: balances.get(day) ?? {} })))
  const isWhole = (isSinceStart || points[0]?.day === priced[0]?.day) && points.at(-1)?.day === today
  const change = rows && isWhole ? await changeSince(db, { points, priced, rows, balances, isSinceStart, in: query.in }) : null
  return { points: points.map(({ day, cents }) => ({ day, cents: cents.toString() })), change }
}

/** Prices in the display currency; none where the euro rate is missing. */
function pricesOf(figures: DailyFigures | undefined, currency: DisplayCurrency): Record<string, string> {
  const { prices = {}, eurPerUsd } = figures ?? {}
  return currency === 'EUR' && eurPerUsd === undefined ? {} : pricesIn(currency, { prices, eurPerUsd: eurPerUsd ?? '1' })
}

type Asked = {
  points: ValuePoint[]
  /** The days of the line and today, with their prices. */
  priced: PricesByDay
  rows: FlowRow[]
  balances: Map<string, Record<string, bigint>>
  isSinceStart: boolean
  in: DisplayCurrency
}

/** Why the value changed from the first point to the last one; null where a booking came between the two readings. */
async function changeSince(db: Executor, { points, priced, rows, balances, isSinceStart, ...asked }: Asked) {
  const [from, last] = [points[0], points.at(-1)]
  if (!from || !last) return null
  const flows: Flow[] = rows.map((row) => ({
    day: isSinceStart || row.day > from.day ? row.day : from.day,
    currency: row.currency,
    term: termOf(row),
    units: row.units
  }))
  // A line of more than 60 days has not all of them.
  const known = new Set(priced.map(({ day }) => day))
  const others = [...new Set(flows.map(({ day }) => day))].filter((day) => !known.has(day))
  const figures = await dailyFigures(db, others)
  const prices = [...priced, ...others.map((day) => ({ day, prices: pricesOf(figures.get(day), asked.in) }))]
  const start = isSinceStart ? {} : (balances.get(from.day) ?? {})
  const total = last.cents - (isSinceStart ? 0n : from.cents)
  const tokens = new Set([...Object.keys(start), ...flows.map(({ currency }) => currency)]).size
  const terms = addUpTo(total, changeOf(start, flows, prices), tokens)
  if (!terms) return null
  return {
    total: total.toString(),
    paid: terms.paid.toString(),
    prices: terms.prices.toString(),
    trades: terms.trades.toString(),
    rewards: terms.rewards.toString(),
    isSinceStart
  }
}
