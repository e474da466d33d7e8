import { sql } from 'drizzle-orm'
import type { Statement } from '#lib/contract/types.ts'
import { type CustomerKind, emptyHolding, type HouseKind } from '#lib/domain/ledger/holdings.ts'
import { ACCOUNT_KINDS, type LineKind, lineKind, type StatementAccount } from '#lib/domain/ledger/statement.ts'
import { tokenOf } from '#lib/domain/money/tokens.ts'
import type { Context, Customer } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { holdingsOf } from './holdings.ts'
import { HOUSE_ID } from './schema.ts'

export type StatementQuery = {
  currency: string
  account: StatementAccount
  kind?: LineKind | undefined
  /** Days, UTC, both included. */
  from?: string | undefined
  to?: string | undefined
  limit: number
  offset: number
}

type Row = {
  id: string
  amount: string
  after: string
  reason: string
  reference: string
  at: string
  owner: string
  kind: CustomerKind | HouseKind
  found: string
}

/** How a kind of line is told from the booking; the same as `lineKind`, for the database. */
const KIND_SQL: Record<LineKind, ReturnType<typeof sql>> = {
  move: sql`reason = 'moved_between_accounts'`,
  reward: sql`reason = 'order_completed' and kind = 'rewards'`,
  purchase: sql`reason = 'order_completed' and kind <> 'rewards'`,
  adjustment: sql`reason not in ('moved_between_accounts', 'order_completed')`
}

/**
 * The lines whose sum the customer's account (or the sum of several) is, newest first, each with the balance after it.
 * Amounts in smallest units, signed. A move within the accounts that are looked at changes nothing and is left out.
 * Throws `currency_unsupported`.
 */
export async function readStatement(context: Context, customer: Customer, query: StatementQuery): Promise<Statement> {
  const { currency, account, kind, from, to, limit, offset } = query
  if (!tokenOf(currency)) throw new AppError('currency_unsupported')
  const kinds = sql.join(
    ACCOUNT_KINDS[account].map((one) => sql`${one}`),
    sql`, `
  )
  const wanted = [
    ...(kind ? [KIND_SQL[kind]] : []),
    ...(from ? [sql`created_at >= ${from}::date::timestamp at time zone 'UTC'`] : []),
    ...(to ? [sql`created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`] : [])
  ]
  const where = wanted.length > 0 ? sql`where ${sql.join(wanted, sql` and `)}` : sql``
  const answer = await context.db.execute(sql`
    with mine as (
      select id from accounts
      where owner_id = ${customer.userId} and currency = ${currency} and kind in (${kinds})
    ), sides as (
      select p.id, p.transaction_id, p.amount, p.source_id as other_id from postings p join mine on mine.id = p.destination_id
      union all
      select p.id, p.transaction_id, -p.amount, p.destination_id from postings p join mine on mine.id = p.source_id
    ), netted as (
      select id, transaction_id, sum(amount) as amount, min(other_id) as other_id
      from sides group by id, transaction_id having sum(amount) <> 0
    ), lines as (
      select n.id, n.amount, sum(n.amount) over (order by n.id) as after, t.reason, t.reference, t.created_at, a.owner_id, a.kind
      from netted n join ledger_transactions t on t.id = n.transaction_id join accounts a on a.id = n.other_id
    ), found as (select * from lines ${where})
    select id::text, amount::text, after::text, reason, reference, owner_id::text as owner, kind,
           to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, count(*) over ()::text as found
    from found order by found.id desc limit ${limit} offset ${offset}`)
  const rows = rowsOf<Row>(answer)
  // Beyond the last page there is no row that could tell how many there are.
  const found =
    rows[0]?.found ?? (offset > 0 ? (await readStatement(context, customer, { ...query, limit: 1, offset: 0 })).total : 0)
  return {
    currency,
    account,
    balance: await balanceOf(context, customer, currency, account),
    total: Number(found),
    lines: rows.map((row) => ({
      id: row.id,
      at: row.at,
      kind: lineKind(row.reason, row.kind),
      amount: row.amount,
      balanceAfter: row.after,
      counterpart: {
        owner: row.owner === customer.userId ? 'you' : row.owner === HOUSE_ID ? 'house' : 'customer',
        account: row.kind
      },
      orderId: row.reason === 'order_completed' ? row.reference.slice('order:'.length) : null
    }))
  }
}

async function balanceOf(context: Context, customer: Customer, currency: string, account: StatementAccount): Promise<string> {
  const holding = (await holdingsOf(context.db, customer.userId)).get(currency) ?? emptyHolding()
  return ACCOUNT_KINDS[account].reduce((sum, kind) => sum + holding[kind], 0n).toString()
}
