/** The books as of a posting: a customer's balances then, and the movements between two postings. */
import { type SQL, sql } from 'drizzle-orm'
import { CUSTOMER_KINDS, type CustomerKind, emptyHolding, type Holding, type HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason, SourceType } from '#lib/domain/ledger/reasons.ts'
import { statementOnce } from '../platform/db/builtOnce.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { HOUSE_ID } from './schema.ts'

/** The number of the last posting that is dated before `at`, a timestamp with time zone; 0 if there is none. */
export const lastPostingSql = (at: SQL) => sql`(
  select coalesce(max(p.id), 0) from ledger_transactions t join postings p on p.transaction_id = t.id
  where t.created_at < ${at} and t.created_at >= (
    select max(created_at) from ledger_transactions where created_at < ${at}) - interval '1 minute')`

/**
 * The number of the last posting that is dated before `at`; 0 if there is none. Call it some time after `at` and store the result:
 * a transaction is dated when it starts but numbered when it posts, so one that started before `at` may still be missing.
 */
export async function lastPostingBefore(db: Executor, at: Date): Promise<bigint> {
  const answer = await db.execute(sql`select ${lastPostingSql(sql`${at.toISOString()}::timestamptz`)}::text as id`)
  return BigInt(rowsOf<{ id: string }>(answer)[0]?.id ?? 0)
}

const side = (own: 'source' | 'destination', columns: SQL, from: SQL, to: SQL) => sql`
  select p.id, ${columns} from postings p
  where ${sql.raw(`(p.${own}_id, p.id)`)} > (m.id, ${from}) and ${sql.raw(`(p.${own}_id, p.id)`)} <= (m.id, ${to})`

/** The customer's balances after this posting, by currency and account, in smallest units. */
export async function heldAt(db: Executor, userId: string, posting: bigint): Promise<Map<string, Holding>> {
  const until = sql`${posting.toString()}::bigint`
  const last = (own: 'source' | 'destination') => sql`(
    ${side(own, sql.raw(`p.${own}_balance as after`), sql`0`, until)}
    order by ${sql.raw(`p.${own}_id`)} desc, p.id desc limit 1)`
  const answer = await db.execute(sql`
    select m.currency, m.kind, l.after::text as units
    from (select id, currency, kind from accounts where owner_id = ${userId}) m
    cross join lateral (select after from (${last('source')} union all ${last('destination')}) x order by id desc limit 1) l`)
  const held = new Map<string, Holding>()
  for (const { currency, kind, units } of rowsOf<{ currency: string; kind: string; units: string }>(answer)) {
    const known = CUSTOMER_KINDS.find((one) => one === kind)
    const holding = held.get(currency) ?? emptyHolding()
    if (known) holding[known] = BigInt(units)
    held.set(currency, holding)
  }
  return held
}

/** A change of a customer's total in a currency, over all accounts. `amount` in smallest units, signed. */
export type Movement = {
  id: bigint
  at: Date
  currency: string
  amount: bigint
  reason: LedgerReason
  sourceType: SourceType
  sourceId: string
  /** The customer's own account, and the one on the other side. */
  account: CustomerKind
  counterpart: CustomerKind | HouseKind
}

const AT_ONCE = 500
/** The largest number that a posting can have. */
const LAST_POSTING = 2n ** 63n - 1n

type Row = {
  id: string
  at: string
  currency: string
  amount: string
  reason: LedgerReason
  source_type: SourceType
  source_id: string
  account: CustomerKind
  counterpart: CustomerKind | HouseKind
}

/**
 * The customer's movements after one posting and up to another, of one currency or all, oldest first, in batches. Moves between the
 * customer's own accounts are left out.
 */
export async function* movementsBetween(
  db: Executor,
  userId: string,
  { after, until, currency }: { after: bigint; until: bigint; currency?: string }
): AsyncGenerator<Movement[]> {
  let from = after
  for (;;) {
    const rows = await readMovements(db, userId, { after: from, until, currency, limit: AT_ONCE })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < AT_ONCE) return
    from = last.id
  }
}

/** All movements of the customer, oldest first; undefined where there are more than `most`. */
export async function allMovements(db: Executor, userId: string, most: number): Promise<Movement[] | undefined> {
  const rows = await readMovements(db, userId, { after: 0n, until: LAST_POSTING, currency: undefined, limit: most + 1 })
  return rows.length > most ? undefined : rows
}

type Span = { after: bigint; until: bigint; currency: string | undefined; limit: number }

const movementsSql = (isOfCurrency: boolean) => {
  const [from, to] = [sql`${sql.placeholder('after')}::bigint`, sql`${sql.placeholder('until')}::bigint`]
  const limit = sql`${sql.placeholder('limit')}::bigint`
  const ofCurrency = isOfCurrency ? sql`and currency = ${sql.placeholder('currency')}` : sql``
  const part = (own: 'source' | 'destination') => {
    const other = sql.raw(own === 'source' ? 'p.destination_id' : 'p.source_id')
    const columns = sql`p.transaction_id, ${sql.raw(own === 'source' ? '-p.amount' : 'p.amount')} as amount, ${other} as other_id`
    return sql`(${side(own, columns, from, to)} and ${other} not in (select id from mine)
      order by ${sql.raw(`p.${own}_id`)}, p.id limit ${limit})`
  }
  return sql`
    with mine as materialized (select id, currency, kind from accounts where owner_id = ${sql.placeholder('user')} ${ofCurrency})
    select s.id::text as id, m.currency, s.amount::text as amount, t.reason, t.source_type, t.source_id, m.kind as account, o.kind as counterpart,
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from mine m
    cross join lateral (${part('source')} union all ${part('destination')}) s
    join ledger_transactions t on t.id = s.transaction_id
    join accounts o on o.id = s.other_id
    order by s.id limit ${limit}`
}

const movementsOfAll = statementOnce<Row>('movements', () => movementsSql(false))
const movementsOfOne = statementOnce<Row>('movements_of_currency', () => movementsSql(true))

async function readMovements(db: Executor, userId: string, { after, until, currency, limit }: Span): Promise<Movement[]> {
  const values = { user: userId, after: after.toString(), until: until.toString(), limit }
  const rows = currency ? await movementsOfOne(db, { ...values, currency }) : await movementsOfAll(db, values)
  return rows.map((row) => ({
    id: BigInt(row.id),
    at: new Date(row.at),
    currency: row.currency,
    amount: BigInt(row.amount),
    reason: row.reason,
    sourceType: row.source_type,
    sourceId: row.source_id,
    account: row.account,
    counterpart: row.counterpart
  }))
}

/** The euro cents that were booked as the payment of an order, its fee included. */
export async function euroBookedFor(db: Executor, orderId: string): Promise<bigint> {
  const answer = await db.execute(sql`
    select coalesce(sum(p.amount), 0)::text as cents
    from ledger_transactions t
    join postings p on p.transaction_id = t.id and p.currency = 'EUR'
    join accounts d on d.id = p.destination_id and d.kind in ('treasury', 'fees')
    where t.reason = 'order_completed' and t.source_type = 'order' and t.source_id = ${orderId}`)
  return BigInt(rowsOf<{ cents: string }>(answer)[0]?.cents ?? 0)
}

/** Time of the first booking of all; undefined if the ledger is empty. */
export async function firstTransactionAt(db: Executor): Promise<Date | undefined> {
  const answer = await db.execute(sql`select min(created_at)::text as at from ledger_transactions`)
  const at = rowsOf<{ at: string | null }>(answer)[0]?.at
  return at ? new Date(at) : undefined
}

/** Ids of the customers who had a booking up to this posting, in order, starting behind the id `after`. */
export async function customersBookedBy(db: Executor, posting: bigint, after: string, limit: number): Promise<string[]> {
  const until = sql`${posting.toString()}::bigint`
  const has = (own: 'source' | 'destination') =>
    sql`exists (select 1 from postings p where ${sql.raw(`p.${own}_id`)} = a.id and p.id <= ${until})`
  const answer = await db.execute(sql`
    select distinct a.owner_id::text as id, a.owner_id from accounts a
    where a.owner_id > ${after}::uuid and a.owner_id <> ${HOUSE_ID}::uuid and (${has('destination')} or ${has('source')})
    order by a.owner_id limit ${limit}`)
  return rowsOf<{ id: string }>(answer).map(({ id }) => id)
}

/** Ids of the customers who hold anything now, in order, starting behind the id `after`. */
export async function customersHolding(db: Executor, after: string | undefined, limit: number): Promise<string[]> {
  const answer = await db.execute(sql`
    select distinct owner_id::text as id, owner_id from accounts
    where balance > 0 and owner_id <> ${HOUSE_ID}::uuid ${after ? sql`and owner_id > ${after}::uuid` : sql``}
    order by owner_id limit ${limit}`)
  return rowsOf<{ id: string }>(answer).map(({ id }) => id)
}
