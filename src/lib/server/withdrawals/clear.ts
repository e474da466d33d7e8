/** The signer's answer to customers who asked to cancel while the chain was halted. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { CANCELLABLE } from '#lib/domain/withdrawals/withdrawal.ts'
import { isAfter, type Signing, straysSince } from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { type WithdrawalRow, withdrawals } from './schema.ts'

const AT_ONCE = 200

/**
 * Answers customers who asked to cancel while the chain was halted: one that this signer has not signed, and that no payment which nobody knows
 * may have paid, is cleared, and is not signed any more. The row is locked from before the look into the journal until the answer is stored, as
 * it is locked while one is signed.
 */
export async function clearAsked(context: Context, { journal, node }: Signing): Promise<void> {
  const asked = await context.db
    .select()
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
  if (asked.length === 0) return
  const oldest = asked.reduce((first, { requestedAt }) => (requestedAt < first ? requestedAt : first), context.clock())
  const strays = await straysSince(context, node, oldest)
  // Each by its own time: an older wish, which an unknown payment may have paid, holds up no later one.
  const mayBePaid = ({ receiver, currency, amount, fee, requestedAt }: WithdrawalRow) =>
    strays.some(
      (stray) =>
        isAfter(stray, requestedAt) &&
        (stray.payments?.some((one) => one.address === receiver && one.token === currency && one.amount === amount - fee) ?? true)
    )
  for (const { id } of asked.filter((row) => !mayBePaid(row)))
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
