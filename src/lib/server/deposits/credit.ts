/** Credits usual deposits, many at a time: those whose customer owes nothing, at addresses without a surplus, that nothing is to be said about. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, notExists, or, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { users } from '../access/index.ts'
import { chainAddresses, findStop, isProven } from '../chains/index.ts'
import { type Booking, customerAccount, postMany } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Transaction } from '../platform/db/client.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { pricedOn } from '../rates/index.ts'
import { placeOf, referenceOf } from './booking.ts'
import { creditedMail } from './mails.ts'
import { coinSurpluses, depositDebts, deposits } from './schema.ts'

/**
 * Credits what it can of these deposits in one transaction, and returns the others, which are to be booked alone: unusual ones, and those
 * whose customer's account is locked. If something fails, it has credited none, and returns all.
 */
export async function creditMany(context: Context, settings: { proof: string }, chain: Chain, ids: bigint[]): Promise<bigint[]> {
  try {
    const credited = await transact(context, (work) => creditUsual(context, work, settings, chain, ids))
    return ids.filter((id) => !credited.has(id))
  } catch (error) {
    context.log.warn({ err: error, deposits: ids.length }, 'deposits are booked one by one')
    return ids
  }
}

async function creditUsual(
  context: Context,
  work: Work,
  { proof }: { proof: string },
  chain: Chain,
  ids: bigint[]
): Promise<Set<bigint>> {
  const { tx, now } = work
  // Nothing is booked on a stopped chain.
  if (await findStop(tx, chain)) return new Set()
  const found = (await usual(tx, ids)).filter(({ address }) => isProven(proof, address))
  const outcomes = await postMany(
    tx,
    found.map(
      ({ deposit, address, customer }): Booking => ({
        reason: 'deposit_credited',
        source: { type: 'deposit', id: String(deposit.id) },
        reference: referenceOf(deposit),
        actor: systemActor('chains'),
        transfers: [
          {
            source: placeOf(address),
            destination: customerAccount(customer.id, 'spot'),
            currency: deposit.currency,
            amount: deposit.amount
          }
        ],
        at: now
      })
    )
  )
  const booked = found.filter((_, index) => outcomes[index]?.id !== undefined)
  const worth = await pricedOn(tx, now)
  const rows = booked.map(({ deposit: { id, currency, amount } }) => ({
    id: String(id),
    cents: worth(currency, amount)?.euroCents.toString() ?? null
  }))
  await tx.execute(sql`
    update ${deposits} d set status = 'CREDITED', booked_at = ${now.toISOString()}::timestamptz, euro_cents = b.cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(id bigint, cents numeric) where d.id = b.id`)
  await work.enqueue(...booked.map(({ deposit, customer }) => creditedMail(context, customer, deposit)))
  return new Set(booked.map(({ deposit }) => deposit.id))
}

/** Their rows stay locked; one that is locked already is left out. */
function usual(tx: Transaction, ids: bigint[]) {
  const surplus = tx
    .select({ id: coinSurpluses.id })
    .from(coinSurpluses)
    .where(
      and(
        eq(coinSurpluses.chain, deposits.chain),
        sql`${coinSurpluses.currency} = ${deposits.currency}`,
        isNotNull(coinSurpluses.bookedAt),
        or(gt(coinSurpluses.rest, 0n), gt(coinSurpluses.decided, 0n))
      )
    )
  const debt = tx
    .select({ id: depositDebts.id })
    .from(depositDebts)
    .where(and(eq(depositDebts.userId, deposits.userId), eq(depositDebts.currency, deposits.currency), gt(depositDebts.owed, 0n)))
  return tx
    .select({ deposit: deposits, address: chainAddresses, customer: { id: users.id, email: users.email, locale: users.locale } })
    .from(deposits)
    .innerJoin(chainAddresses, eq(chainAddresses.id, deposits.addressId))
    .innerJoin(users, eq(users.id, deposits.userId))
    .where(
      and(
        inArray(deposits.id, ids),
        isNull(deposits.bookedAt),
        isNull(deposits.revertedAt),
        isNull(deposits.note),
        notExists(surplus),
        notExists(debt)
      )
    )
    .orderBy(asc(deposits.id))
    .for('update', { of: deposits, skipLocked: true })
}
