import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import {
  type ActivityFilterKind,
  type ActivityKind,
  type ActivityName,
  type Direction,
  isOfFilter,
  plainForSearch
} from '#lib/domain/activity/kinds.ts'
import { findToken, TOKENS } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { centsIn, valueInCents } from '#lib/domain/rates/prices.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'
import { dailyFigures } from '../rates/index.ts'

type Row = {
  id: string
  at: string
  kind: ActivityKind
  name: ActivityName
  currency: string
  amount: string
  direction: Direction
  order_id: string | null
  usd_cents: string | null
  about: Record<string, unknown>
}

type Asked = {
  kind?: ActivityFilterKind | undefined
  currency?: string | undefined
  search?: string | undefined
  in: 'USD' | 'EUR'
  limit: number
  before?: string | undefined
}

/** Smallest units in one whole unit of the line's currency; currencies that are no tokens have cents. */
const UNITS_OF_ONE = sql.raw(
  `(case currency ${TOKENS.map(({ code, decimals }) => `when '${code}' then ${powerOfTen(decimals)}`).join(' ')} else 100 end)::numeric`
)

/** The lines of every feature in one feed, newest first, each with its value at the time. */
export async function listActivity(
  { db, clock }: Context,
  sources: ActivitySource[],
  { userId }: Customer,
  query: Asked
): Promise<Answer<'listActivity'>> {
  const { kind, currency, search = '', before, limit } = query
  const asked = sources.filter(({ kinds }) => kind === undefined || kinds.some((one) => isOfFilter(one, kind)))
  const feed = sql.join(
    asked.map(({ linesOf }) => linesOf(userId, clock())),
    sql` union all `
  )
  const wanted = plainForSearch(search).replace(/[\\%_]/g, '\\$&')
  const [, at = '', id = ''] = /^([^_]+)_(.+)$/.exec(before ?? '') ?? []
  const conditions = [
    sql`true`,
    // A trade is a line of both its tokens.
    ...(currency ? [sql`(currency = ${currency} or about->>'settlement' = ${currency})`] : []),
    ...(wanted
      ? [sql`(found || ' ' || lower(currency) || ' ' || trim_scale(amount / ${UNITS_OF_ONE})::text) like ${`%${wanted}%`}`]
      : []),
    ...(at ? [sql`(at, id) < (${at}::timestamptz, ${id})`] : [])
  ]
  const answer = await db.execute(sql`
    select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, kind, name, currency, amount::text as amount,
           direction, order_id, usd_cents::text as usd_cents, about
    from (${feed}) lines
    where ${sql.join(conditions, sql` and `)}
    order by lines.at desc, id desc limit ${limit + 1}`)
  const rows = rowsOf<Row>(answer)
  const shown = rows.slice(0, limit)
  const figures = await dailyFigures(db, [...new Set(shown.map((row) => row.at.slice(0, 10)))])
  const last = shown.at(-1)
  return {
    lines: shown.map((row) => ({
      id: row.id,
      at: row.at,
      kind: row.kind,
      name: row.name,
      currency: row.currency,
      amount: row.amount,
      direction: row.direction,
      orderId: row.order_id,
      valueCents: valueAtTheTime(row, figures.get(row.at.slice(0, 10)), query.in)?.toString() ?? null,
      about: row.about
    })),
    next: rows.length > limit && last ? `${last.at}_${last.id}` : null
  }
}

type Figures = { prices: Record<string, string>; eurPerUsd: string | undefined }

/** The value in cents of `currency`, by the recorded USD amount or the prices of the line's day; undefined if none were stored. */
function valueAtTheTime(row: Row, figures: Figures | undefined, currency: 'USD' | 'EUR'): bigint | undefined {
  if (!findToken(row.currency)) return row.currency === currency ? BigInt(row.amount) : undefined
  const price = figures?.prices[row.currency]
  const usdCents = row.usd_cents ? BigInt(row.usd_cents) : price && valueInCents(BigInt(row.amount), row.currency, price)
  if (usdCents === undefined || usdCents === '') return undefined
  if (currency === 'USD') return usdCents
  return figures?.eurPerUsd ? centsIn(currency, usdCents, figures.eurPerUsd) : undefined
}
