import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '#lib/contract/types.ts'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import { bookingsOfKind, type LedgerReason, type LineKind, lineKind, type SourceType } from '#lib/domain/ledger/reasons.ts'
import { ACCOUNT_KINDS, type StatementAccount } from '#lib/domain/ledger/statement.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { HOUSE_ID } from './schema.ts'

export type StatementQuery = {
  currency: string
  account: StatementAccount
  kind?: LineKind | undefined
  /** Days, UTC, both included. */
  from?: string | undefined
  to?: string | undefined
  limit: number
  /** Lines older than `before` or newer than `after`; without both, the newest lines. */
  before?: string | undefined
  after?: string | undefined
}

type Row = {
  id: string
  /** The balance of the whole account, read at the same moment as the lines. */
  balance: string
  amount: string
  after: string
  reason: LedgerReason
  source_type: SourceType
  source_id: string
  at: string
  owner: string
  kind: CustomerKind | HouseKind
}

const list = (values: string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `
  )

function ofKind(kind: LineKind): SQL {
  const { reasons, counterparts, notCounterparts } = bookingsOfKind(kind)
  const byReason =
    reasons.length > 0 ? sql`t.reason in (${list(reasons)}) and o.kind not in (${list(notCounterparts)})` : sql`false`
  return counterparts.length > 0 ? sql`((${byReason}) or o.kind in (${list(counterparts)}))` : sql`(${byReason})`
}

const LAST_ID = sql.raw('9223372036854775807')

/**
 * The postings of one side of account `m` after one id and before another. Written as a range over (account, id): with an equality,
 * the planner may walk the primary key through everybody's postings instead of the index of that side.
 */
function range(own: 'source' | 'destination', after: SQL, before: SQL): SQL {
  const key = sql.raw(`(p.${own}_id, p.id)`)
  return sql`${key} > (m.id, ${after}) and ${key} < (m.id, ${before})`
}

/** The rows of one side of the accounts' postings, no more than a page needs. */
function side(query: StatementQuery, own: 'source' | 'destination'): SQL {
  const other = own === 'source' ? 'destination' : 'source'
  const others = sql.raw(`p.${other}_id`)
  const after = query.after ? sql`${query.after}::bigint` : sql`0`
  const before = query.before ? sql`${query.before}::bigint` : LAST_ID
  const wanted = [
    ...(query.kind ? [ofKind(query.kind)] : []),
    ...(query.from ? [sql`t.created_at >= ${query.from}::date::timestamp at time zone 'UTC'`] : []),
    ...(query.to ? [sql`t.created_at < (${query.to}::date + 1)::timestamp at time zone 'UTC'`] : [])
  ]
  return sql`(
    select p.id, ${sql.raw(own === 'source' ? '-p.amount' : 'p.amount')} as amount, t.reason, t.source_type, t.source_id,
           t.created_at, o.owner_id, o.kind
    from postings p
    join ledger_transactions t on t.id = p.transaction_id
    join accounts o on o.id = ${others}
    where ${range(own, after, before)} and ${others} not in (select id from mine) ${wanted.length > 0 ? sql`and ${sql.join(wanted, sql` and `)}` : sql``}
    order by ${sql.raw(`p.${own}_id`)} ${direction(query)}, p.id ${direction(query)} limit ${query.limit + 1})`
}

const direction = ({ after }: StatementQuery) => sql.raw(after ? 'asc' : 'desc')

/** The balance of account `m` after its newest posting on one side, up to the line. */
const lastOn = (own: 'source' | 'destination') => sql`(
  select p.id, ${sql.raw(`p.${own}_balance`)} as after from postings p
  where ${range(own, sql`0`, sql`l.id + 1`)} order by ${sql.raw(`p.${own}_id`)} desc, p.id desc limit 1)`

function statementSql({ userId }: Customer, query: StatementQuery): SQL {
  return sql`
    with mine as materialized (
      select id from accounts
      where owner_id = ${userId} and currency = ${query.currency} and kind in (${list(ACCOUNT_KINDS[query.account])})
    ), lines as (
      select s.* from mine m cross join lateral (${side(query, 'source')} union all ${side(query, 'destination')}) s
      order by s.id ${direction(query)} limit ${query.limit + 1}
    )
    select l.id::text, l.amount::text, l.reason, l.source_type, l.source_id, l.owner_id::text as owner, l.kind,
           to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
           (select sum(b.after) from mine m cross join lateral (
              select after from (${lastOn('source')} union all ${lastOn('destination')}) x order by x.id desc limit 1
            ) b)::text as after, now.balance
    from (
      select coalesce(sum(a.balance), 0)::text as balance from accounts a where a.id in (select id from mine)
    ) now left join lines l on true
    order by l.id desc`
}

/**
 * The lines that add up to the customer's account (or to the sum of several), newest first, each with the balance after it. Amounts
 * in smallest units, signed. Moves within these accounts are left out, because they do not change the sum. A page costs the same
 * however long the statement is: it reads an index and the balances stored with every posting. Throws `currency_unsupported`.
 */
export async function readStatement(context: Context, customer: Customer, query: StatementQuery): Promise<Statement> {
  const { currency, account, limit } = query
  if (!findToken(currency)) throw new AppError('currency_unsupported')
  const answer = rowsOf<Row>(await context.db.execute(statementSql(customer, query)))
  // Without lines there is one row, with the balance only.
  const found = answer.filter((row) => row.id !== null)
  const hasMore = found.length > limit
  // Rows are newest first; when reading upwards, the surplus row is the newest, so the first.
  const rows = query.after ? found.slice(hasMore ? 1 : 0) : found.slice(0, limit)
  const isOlderLeft = query.after !== undefined || hasMore
  const isNewerLeft = query.after !== undefined ? hasMore : query.before !== undefined
  return {
    currency,
    account,
    balance: answer[0]?.balance ?? '0',
    lines: rows.map((row) => present(customer, row)),
    next: isOlderLeft ? (rows.at(-1)?.id ?? null) : null,
    previous: isNewerLeft ? (rows[0]?.id ?? null) : null
  }
}

function present(customer: Customer, row: Row): Statement['lines'][number] {
  return {
    id: row.id,
    at: row.at,
    kind: lineKind(row.reason, row.kind),
    amount: row.amount,
    balanceAfter: row.after,
    counterpart: {
      owner: row.owner === customer.userId ? 'you' : row.owner === HOUSE_ID ? 'house' : 'customer',
      account: row.kind
    },
    orderId: row.source_type === 'order' ? row.source_id : null
  }
}
