/** Coins that arrived and are nobody's yet: an operator credits them to a customer or keeps them, once, with who and why. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, notExists, sql } from 'drizzle-orm'
import { DEPOSITABLE, isChainToken } from '#lib/domain/chains/chains.ts'
import type { DepositNote } from '#lib/domain/deposits/deposit.ts'
import { users } from '../access/index.ts'
import { house, post } from '../ledger/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { paidTo } from './debts.ts'
import { coinSurpluses, deposits, suspenseDecisions } from './schema.ts'

/** `id`: of a deposit, or of a surplus. */
export type Suspended = { kind: 'deposit' | 'surplus'; id: bigint }
/** From the name that lists show, e.g. `deposit:12`. */
export function suspendedOf(name: string): Suspended {
  const [kind, number = '0'] = name.split(':')
  return { kind: kind === 'surplus' ? 'surplus' : 'deposit', id: BigInt(number) }
}

/** `userId`: the customer whose address they came to. */
export type SuspendedCoins = Suspended & { currency: string; amount: bigint; about: string; userId: string | null; at: Date }

const isUndecided = (db: Executor, kind: Suspended['kind'], id: typeof deposits.id | typeof coinSurpluses.id) =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(suspenseDecisions)
      .where(and(eq(suspenseDecisions.kind, kind), eq(suspenseDecisions.suspendedId, id)))
  )

/** Coins of the list, undefined if they are not in suspense any more. */
export async function findSuspended(db: Executor, only: Suspended): Promise<SuspendedCoins | undefined> {
  return (await suspendedCoins(db, only))[0]
}

/** What was decided about coins. */
export async function suspenseDecisionOf(db: Executor, { kind, id }: Suspended) {
  const isIt = and(eq(suspenseDecisions.kind, kind), eq(suspenseDecisions.suspendedId, id))
  const [row] = await db.select().from(suspenseDecisions).where(isIt)
  return row
}

/** Everything in `suspense` that came over the chains, oldest first; or the coins `only`. */
export async function suspendedCoins(db: Executor, only?: Suspended): Promise<SuspendedCoins[]> {
  const isOnly = (kind: Suspended['kind'], id: typeof deposits.id | typeof coinSurpluses.id) =>
    only && (only.kind === kind ? eq(id, only.id) : sql`false`)
  const kept = await db
    .select()
    .from(deposits)
    .where(
      and(
        isNotNull(deposits.bookedAt),
        isNull(deposits.revertedAt),
        isNotNull(deposits.note),
        ne(deposits.note, 'decided'),
        isUndecided(db, 'deposit', deposits.id),
        isOnly('deposit', deposits.id)
      )
    )
    // Anybody can make tokens and send them to everybody: they must not hide what is worth something.
    .orderBy(desc(inArray(deposits.currency, [...DEPOSITABLE])), asc(deposits.id))
    .limit(MOST_LISTED)
  const surpluses = await db
    .select()
    .from(coinSurpluses)
    .where(
      and(
        isNotNull(coinSurpluses.bookedAt),
        gt(coinSurpluses.rest, 0n),
        isUndecided(db, 'surplus', coinSurpluses.id),
        isOnly('surplus', coinSurpluses.id)
      )
    )
    .orderBy(asc(coinSurpluses.id))
    .limit(MOST_LISTED)
  return [
    ...kept.map(({ id, currency, amount, note, transactionId, userId, seenAt }) => ({
      kind: 'deposit' as const,
      id,
      currency,
      amount,
      about: `${note}, transaction ${transactionId}`,
      userId,
      at: seenAt
    })),
    ...surpluses.map(({ id, currency, rest, blockHeight, foundAt }) => ({
      kind: 'surplus' as const,
      id,
      currency,
      amount: rest,
      about: `in no deposit, found at block ${blockHeight}`,
      userId: null,
      at: foundAt
    }))
  ]
}
const MOST_LISTED = 500

export type SuspenseRefusal = 'unknown' | 'no_customer' | 'no_token'

/**
 * Books suspended coins to a customer (`userId`) or, without one, to our treasury. Returns why it cannot be done; undefined if it is done.
 * `no_token`: of a token that we do not hold for customers.
 */
export function decideSuspended(
  context: Context,
  suspended: Suspended,
  { userId, actor, why }: { userId?: string; actor: Actor; why: string }
): Promise<SuspenseRefusal | undefined> {
  return transact(context, async (work) => {
    const { tx, now } = work
    const found = await lockSuspended(work, suspended)
    if (!found) return 'unknown'
    const coins = { currency: found.currency, amount: found.amount }
    const [customer] = userId === undefined ? [] : await tx.select({ id: users.id }).from(users).where(eq(users.id, userId))
    if (userId !== undefined && !customer) return 'no_customer'
    if (customer && !isChainToken(coins.currency)) return 'no_token'
    const { kind, id: suspendedId } = suspended
    if (!(await keepDecision(work, suspended, { coins, userId: customer?.id ?? null, actor, why }))) return 'unknown'
    await post(tx, {
      reason: 'suspense_decided',
      source: { type: 'suspense', id: `${kind}:${suspendedId}` },
      reference: `suspense:${kind}:${suspendedId}`,
      actor,
      transfers: customer
        ? await paidTo(work, house('suspense'), { userId: customer.id, ...coins })
        : [{ source: house('suspense'), destination: house('treasury'), ...coins }],
      at: now
    })
    return undefined
  })
}

type Coins = { currency: string; amount: bigint; note?: DepositNote | null }

/** False if somebody decided before. */
async function keepDecision(
  { tx, now }: Work,
  { kind, id: suspendedId }: Suspended,
  { coins, userId, actor, why }: { coins: Coins; userId: string | null; actor: Actor; why: string }
): Promise<boolean> {
  const made = { kind, suspendedId, userId, actor: actorText(actor), why, decidedAt: now }
  const [kept] = await tx.insert(suspenseDecisions).values(made).onConflictDoNothing().returning({ id: suspenseDecisions.id })
  if (kept && kind === 'surplus')
    await tx.update(coinSurpluses).set({ rest: 0n, decided: coins.amount }).where(eq(coinSurpluses.id, suspendedId))
  return kept !== undefined
}

/**
 * Notes that suspended coins go back to whoever sent them, and returns them. Undefined if there are none, or if they were decided about
 * before. They stay in `suspense` until the chain has confirmed the payment.
 */
export async function decideReturn(
  work: Work,
  suspended: Suspended,
  made: { actor: Actor; why: string }
): Promise<Coins | undefined> {
  const coins = await lockSuspended(work, suspended)
  return coins && (await keepDecision(work, suspended, { coins, userId: null, ...made })) ? coins : undefined
}

/** Coins in suspense, locked until the transaction ends; undefined if they are none, or were decided about before. */
export async function lockSuspended({ tx }: Work, { kind, id }: Suspended): Promise<Coins | undefined> {
  if (kind === 'surplus') {
    const [row] = await tx
      .select()
      .from(coinSurpluses)
      .where(and(eq(coinSurpluses.id, id), isNotNull(coinSurpluses.bookedAt), gt(coinSurpluses.rest, 0n)))
      .for('update')
    return row && { currency: row.currency, amount: row.rest }
  }
  const [row] = await tx
    .select()
    .from(deposits)
    .where(
      and(
        eq(deposits.id, id),
        isNotNull(deposits.bookedAt),
        isNull(deposits.revertedAt),
        isNotNull(deposits.note),
        ne(deposits.note, 'decided')
      )
    )
    .for('update')
  return row && { currency: row.currency, amount: row.amount, note: row.note }
}
