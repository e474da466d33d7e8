/** The signer's answer to customers who asked to cancel while the chain was halted. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { CANCELLABLE } from '#lib/domain/withdrawals/withdrawal.ts'
import type { Signing } from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { withdrawals } from './schema.ts'

const AT_ONCE = 200

/**
 * Answers customers who asked to cancel while the chain was halted: one that this signer has not signed is cleared, and is not signed any more.
 * The row is locked from before the look into the journal until the answer is stored, as it is locked while one is signed.
 */
export async function clearAsked(context: Context, { journal, node }: Signing): Promise<void> {
  const asked = await context.db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.chain, node.chain),
        isNotNull(withdrawals.cancelAskedAt),
        isNull(withdrawals.cancelClearedAt),
        inArray(withdrawals.state, [...CANCELLABLE])
      )
    )
    .limit(AT_ONCE)
  for (const { id } of asked)
    await transact(context, async ({ tx, now }) => {
      const [row] = await tx
        .select({ id: withdrawals.id })
        .from(withdrawals)
        .where(and(eq(withdrawals.id, id), inArray(withdrawals.state, [...CANCELLABLE])))
        .for('update')
      if (row && journal.of(id).length === 0)
        await tx.update(withdrawals).set({ cancelClearedAt: now }).where(eq(withdrawals.id, id))
    })
}
