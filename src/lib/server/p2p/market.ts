import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { averagePrice } from '#lib/domain/p2p/settle.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { utcDay } from '../rates/index.ts'

const DAYS = 30
const LAST = 10
const DAY_MS = 86_400_000
/** A trade may be committed after its day, because its commit waits for a standby or its process's clock is slow. From this long after midnight the sums are final. */
const LATE_MS = 3_600_000
/** For how long the sums are kept before that. */
const KEPT_MS = 60_000

type Row = { day: string; amount: string; gross: string; trades: number }
type Span = { from: string; before: string }

/** The process keeps the sums of days that are over: for a minute at first, from one o'clock (UTC) on until midnight. */
const kept = new WeakMap<Executor, { today: string; untilMs: number; days: Promise<Row[]> }>()

/** The price of trades by day, and the last trades. Reads the trades of today only, and seldom those of the days before. */
export async function readMarket({ db, clock }: Context): Promise<Answer<'getP2pMarket'>> {
  const now = clock()
  const today = utcDay(now)
  const [before, ofToday, last] = await Promise.all([
    daysBefore(db, now),
    daysOf(db, { from: today, before: utcDay(new Date(now.getTime() + DAY_MS)) }),
    db.execute(sql`
      select to_char(traded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, amount::text as amount, gross::text as gross
      from p2p_trades order by traded_at desc, id desc limit ${LAST}`)
  ])
  const priceOf = ({ amount, gross }: { amount: string; gross: string }) =>
    writeDecimal(averagePrice([{ amount: BigInt(amount), gross: BigInt(gross) }]) ?? { digits: 0n, scale: 0 })
  return {
    today,
    days: [...before, ...ofToday].map((row) => {
      return { day: row.day, price: priceOf(row), assetAmount: row.amount, trades: row.trades }
    }),
    last: rowsOf<{ at: string; amount: string; gross: string }>(last).map((row) => {
      return { at: row.at, price: priceOf(row), assetAmount: row.amount }
    })
  }
}

/** The days with trades among the thirty before today. */
async function daysBefore(db: Executor, now: Date): Promise<Row[]> {
  const today = utcDay(now)
  const known = kept.get(db)
  if (known?.today === today && now.getTime() < known.untilMs) return known.days
  const days = daysOf(db, { from: utcDay(new Date(now.getTime() - DAYS * DAY_MS)), before: today })
  const isFinal = now.getTime() % DAY_MS >= LATE_MS
  kept.set(db, { today, untilMs: isFinal ? Number.POSITIVE_INFINITY : now.getTime() + KEPT_MS, days })
  days.catch(() => kept.delete(db))
  return days
}

/** What was traded on each UTC day with trades from one day until before another, oldest first. */
async function daysOf(db: Executor, { from, before }: Span): Promise<Row[]> {
  const rows = await db.execute(sql`
    select to_char(traded_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(amount)::text as amount, sum(gross)::text as gross,
      count(*)::int as trades
    from p2p_trades where traded_at >= ${`${from}T00:00:00Z`}::timestamptz and traded_at < ${`${before}T00:00:00Z`}::timestamptz
    group by 1 order by 1`)
  return rowsOf<Row>(rows)
}
