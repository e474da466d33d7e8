/** The only writer of accounts and postings. */
import { type SQL, sql } from 'drizzle-orm'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason, SourceType } from '#lib/domain/ledger/reasons.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Executor } from '../platform/db/client.ts'
import { databaseError } from '../platform/db/faults.ts'
import { runNamed } from '../platform/db/named.ts'
import { HOUSE_ID } from './schema.ts'

export type Account = { owner: string; kind: CustomerKind } | { owner: typeof HOUSE_ID; kind: HouseKind }
/** `amount` in smallest units, more than zero. */
export type Transfer = { source: Account; destination: Account; currency: string; amount: bigint }
export class InsufficientFundsError extends Error {
  override name = 'InsufficientFundsError'
}
export class AlreadyBookedError extends Error {
  override name = 'AlreadyBookedError'
}

export function house(kind: HouseKind): Account {
  return { owner: HOUSE_ID, kind }
}

export function customerAccount(owner: string, kind: CustomerKind): Account {
  return { owner, kind }
}

export type Booking = {
  reason: LedgerReason
  /** What it is booked for, e.g. an order and its id. */
  source: { type: SourceType; id: string }
  /** Unique, so that nothing is booked twice. */
  reference: string
  actor: Actor
  transfers: Transfer[]
  at: Date
}

/**
 * Books transfers as one transaction, in one round trip, and returns its id. Throws InsufficientFundsError if a customer's account
 * or the fund of staking rewards would go below zero or any account above what it can hold, and AlreadyBookedError if the reference was booked before; after either, the
 * surrounding database transaction can only be rolled back.
 */
export async function post(db: Executor, booking: Booking): Promise<bigint> {
  const { reason, source, reference, actor, at } = booking
  const statement = sql`select ledger_post(${reason}, ${source.type}, ${source.id}, ${reference}, ${actorText(actor)}, ${JSON.stringify(listOf(booking))}::jsonb, ${at.toISOString()}::timestamptz)::text as id`
  try {
    const [row] = await runNamed<{ id: string }>(db, 'ledger_post', statement)
    return BigInt(row?.id ?? 0)
  } catch (error) {
    throw bookingError(error, reference)
  }
}

/** Why a booking of many was not made. `busy`: another transaction has one of its accounts; it is to be booked alone. */
type Refusal = 'already_booked' | 'insufficient_funds' | 'busy' | 'invalid'
export type Outcome = { id: bigint; refused?: never } | { id?: never; refused: Refusal }

const REFUSALS: Record<string, Refusal> = {
  ledger_transactions_reference: 'already_booked',
  accounts_balance_not_negative: 'insufficient_funds',
  account_locked: 'busy'
}

/**
 * Books many in one round trip, each as its own transaction of the books, and returns what became of each, in their order. One that is
 * refused leaves the others alone and nothing of itself. A booking counts on those before it. Throws where another transaction books one
 * of the references at the same moment (serialization failure): `transact` then asks again.
 */
export async function postMany(db: Executor, bookings: Booking[]): Promise<Outcome[]> {
  if (bookings.length === 0) return []
  const transfers = bookings.flatMap((booking, index) =>
    booking.transfers.map((transfer) => ({ ...transfer, booking: index + 1 }))
  )
  const statement = sql`
    select booking, transaction_id::text as id, refused from ledger_post_many(
      ${column(bookings, ({ reason }) => reason)}, ${column(bookings, ({ source }) => source.type)}, ${column(bookings, ({ source }) => source.id)},
      ${column(bookings, ({ reference }) => reference)}, ${column(bookings, ({ actor }) => actorText(actor))}, ${column(bookings, ({ at }) => at.toISOString())},
      ${column(transfers, ({ booking }) => booking)}, ${column(transfers, ({ source }) => source.owner)}, ${column(transfers, ({ source }) => source.kind)},
      ${column(transfers, ({ destination }) => destination.owner)}, ${column(transfers, ({ destination }) => destination.kind)},
      ${column(transfers, ({ currency }) => currency)}, ${column(transfers, ({ amount }) => amount)}) order by booking`
  const rows = await runNamed<{ id: string | null; refused: string | null }>(db, 'ledger_post_many', statement)
  return rows.map(({ id, refused }) => (refused === null ? { id: BigInt(id ?? 0) } : { refused: REFUSALS[refused] ?? 'invalid' }))
}

/** A value of every row as an array that the database reads. */
function column<Row>(rows: Row[], read: (row: Row) => string | number | bigint): SQL {
  return sql`${sql.param(rows.map((row) => String(read(row))))}`
}

const listOf = ({ transfers }: Booking) =>
  transfers.map((transfer) => ({
    source: transfer.source.owner,
    sourceKind: transfer.source.kind,
    destination: transfer.destination.owner,
    destinationKind: transfer.destination.kind,
    currency: transfer.currency,
    amount: transfer.amount.toString()
  }))

/** Translates a database error into InsufficientFundsError or AlreadyBookedError; returns any other error as it is. */
export function bookingError(error: unknown, reference: string): unknown {
  const { constraint } = databaseError(error)
  if (constraint === 'accounts_balance_not_negative') return new InsufficientFundsError(reference, { cause: error })
  if (constraint === 'ledger_transactions_reference') return new AlreadyBookedError(reference, { cause: error })
  return error
}
