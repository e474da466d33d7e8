import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { averagePrice } from '#lib/domain/p2p/settle.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'

const DAYS = 30
const LAST = 10
const DAY_MS = 86_400_000

/** The price of trades by day, and the last trades. Sums of a day only, so that it costs little for many trades. */
export async function readMarket({ db, clock }: Context): Promise<Answer<'getP2pMarket'>> {
  const now = clock()
  const since = new Date(now.getTime() - DAYS * DAY_MS).toISOString()
  const [byDay, last] = await Promise.all([
    db.execute(sql`
      select to_char(traded_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(amount)::text as amount, sum(gross)::text as gross,
        count(*)::int as trades
      from p2p_trades where traded_at > ${since}::timestamptz group by 1 order by 1`),
    db.execute(sql`
      select to_char(traded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, amount::text as amount, gross::text as gross
      from p2p_trades order by traded_at desc, id desc limit ${LAST}`)
  ])
  const priceOf = ({ amount, gross }: { amount: string; gross: string }) =>
    writeDecimal(averagePrice([{ amount: BigInt(amount), gross: BigInt(gross) }]) ?? { digits: 0n, scale: 0 })
  return {
    today: now.toISOString().slice(0, 10),
    days: rowsOf<{ day: string; amount: string; gross: string; trades: number }>(byDay).map((row) => {
      return { day: row.day, price: priceOf(row), assetAmount: row.amount, trades: row.trades }
    }),
    last: rowsOf<{ at: string; amount: string; gross: string }>(last).map((row) => {
      return { at: row.at, price: priceOf(row), assetAmount: row.amount }
    })
  }
}
