/** The only writer of accounts and postings. */
import { sql } from 'drizzle-orm'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason, SourceType } from '#lib/domain/ledger/reasons.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import { databaseError, type Executor, type Transaction } from '../platform/db/client.ts'
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
 * or the fund of staking rewards would go below zero, and AlreadyBookedError if the reference was booked before; after either, the
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

/** Books several, one after the other and each as its own transaction, in one round trip. Throws as `post` does, for any of them. */
export async function postAll(tx: Transaction, bookings: Booking[]): Promise<void> {
  const list = bookings.map((booking) => ({
    reason: booking.reason,
    type: booking.source.type,
    id: booking.source.id,
    reference: booking.reference,
    actor: actorText(booking.actor),
    transfers: listOf(booking),
    at: booking.at.toISOString()
  }))
  const statement = sql`
    select ledger_post(b.reason, b.type, b.id, b.reference, b.actor, b.transfers, b.at)
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as b(reason text, type text, id text, reference text, actor text, transfers jsonb, at timestamptz)`
  try {
    await runNamed(tx, 'ledger_post_all', statement)
  } catch (error) {
    throw bookingError(error, bookings.map(({ reference }) => reference).join(' '))
  }
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
