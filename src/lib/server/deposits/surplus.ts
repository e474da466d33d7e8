/** Coins at our addresses that are in no deposit: kept in `suspense`, so that coins and books agree and nobody waits for an operator. */
import { and, asc, eq, gt, gte, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import { takeInOrder } from '#lib/domain/money/shares.ts'
import { house, post, type Transfer } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { coinSurpluses, type DepositRow, deposits } from './schema.ts'

/** What a comparison found as of a block that was read. `amount`: 0 if there is no surplus of the token. */
export type FoundSurplus = { chain: Chain; token: ChainToken; amount: bigint; height: number; hash: string }

/**
 * Notes a surplus, or books it once it has lasted for `confirmations` blocks; a smaller one takes the place of a larger one, since the
 * difference was on its way. `isStill`: whether a block is still part of the chain that was read. Returns the amount that was booked.
 */
export async function keepSurplus(
  context: Context,
  found: FoundSurplus,
  { confirmations, isStill }: { confirmations: number; isStill: (height: number, hash: string) => Promise<boolean> }
): Promise<bigint> {
  return transact(context, async (work) => {
    const { tx, now } = work
    const ofToken = and(eq(coinSurpluses.chain, found.chain), eq(coinSurpluses.currency, found.token))
    const [waiting] = await tx
      .select()
      .from(coinSurpluses)
      .where(and(ofToken, isNull(coinSurpluses.bookedAt)))
      .for('update')
    const isSame = waiting && found.amount > 0n && (await isStill(waiting.blockHeight, waiting.blockHash))
    if (waiting && !isSame) await tx.delete(coinSurpluses).where(eq(coinSurpluses.id, waiting.id))
    if (found.amount === 0n) return 0n
    if (!isSame) {
      const { chain, token: currency, amount, height: blockHeight, hash: blockHash } = found
      await tx
        .insert(coinSurpluses)
        .values({ chain, currency, amount, blockHeight, blockHash, foundAt: now, rest: amount })
        .onConflictDoNothing()
      return 0n
    }
    const amount = found.amount < waiting.amount ? found.amount : waiting.amount
    const isDeep = found.height >= waiting.blockHeight + confirmations - 1
    await tx
      .update(coinSurpluses)
      .set({ amount, rest: amount, bookedAt: isDeep ? now : null })
      .where(eq(coinSurpluses.id, waiting.id))
    if (!isDeep) return 0n
    await bookSurplus(work, { ...waiting, amount })
    return amount
  })
}

async function bookSurplus({ tx, now }: Work, row: typeof coinSurpluses.$inferSelect): Promise<void> {
  const { id, chain, currency, amount, blockHash } = row
  await post(tx, {
    reason: 'surplus_kept',
    source: { type: 'surplus', id: String(id) },
    reference: `surplus:${chain}:${currency}:${blockHash}`,
    actor: systemActor('custody'),
    transfers: [{ source: house('chain'), destination: house('suspense'), currency, amount }],
    at: now
  })
}

/**
 * The transfers that give a surplus back to `chain` before a deposit takes it from there: the deposit's block was read after the surplus
 * was found in it, e.g. with a node that shows more. The coins are the same, and must not be booked twice. `decided`: an operator has decided
 * about so many of them already: these go to `suspense` again, from where they left.
 */
export async function endSurplus({ tx }: Work, row: DepositRow): Promise<{ transfers: Transfer[]; decided: bigint }> {
  const rests = await tx
    .select()
    .from(coinSurpluses)
    .where(
      and(
        eq(coinSurpluses.chain, row.chain),
        sql`${coinSurpluses.currency} = ${row.currency}`,
        or(gt(coinSurpluses.rest, 0n), gt(coinSurpluses.decided, 0n)),
        isNotNull(coinSurpluses.bookedAt),
        gte(coinSurpluses.blockHeight, row.blockHeight),
        lt(coinSurpluses.foundAt, row.seenAt)
      )
    )
    .orderBy(asc(coinSurpluses.id))
    .for('update')
  if (rests.length === 0 || (await wasSeenBefore({ tx }, row))) return { transfers: [], decided: 0n }
  const kept = takeInOrder(
    row.amount,
    rests.map(({ id, rest }) => ({ id, amount: rest }))
  )
  const gone = takeInOrder(
    kept.rest,
    rests.map(({ id, decided }) => ({ id, amount: decided }))
  )
  const less = (column: PgColumn, part: bigint) => sql`${column} - ${part.toString()}::numeric`
  for (const { id, amount } of kept.taken)
    await tx
      .update(coinSurpluses)
      .set({ rest: less(coinSurpluses.rest, amount) })
      .where(eq(coinSurpluses.id, id))
  for (const { id, amount } of gone.taken)
    await tx
      .update(coinSurpluses)
      .set({ decided: less(coinSurpluses.decided, amount) })
      .where(eq(coinSurpluses.id, id))
  const amount = row.amount - gone.rest
  const transfer = { source: house('suspense'), destination: house('chain'), currency: row.currency, amount }
  return { transfers: [transfer], decided: kept.rest - gone.rest }
}

/** True if an earlier row of the same payment was counted as a deposit, so that it was never part of a surplus. */
async function wasSeenBefore({ tx }: Pick<Work, 'tx'>, row: DepositRow): Promise<boolean> {
  const [before] = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.chain, row.chain),
        eq(deposits.transactionId, row.transactionId),
        eq(deposits.paymentIndex, row.paymentIndex),
        ne(deposits.id, row.id)
      )
    )
    .limit(1)
  return before !== undefined
}
