/** A repeated request gets the answer of the first one; the same key with another request is refused. */
import { and, eq } from 'drizzle-orm'
import type { Context, Customer } from './context.ts'
import { hashToken } from './crypto.ts'
import type { Transaction } from './db/client.ts'
import { idempotencyKeys } from './db/schema.ts'
import { AppError } from './errors.ts'
import { transact } from './transaction.ts'

type Request = { key: string | undefined; call: string; body: unknown }

/**
 * Runs `work` once for the customer's key, in the transaction that also keeps its answer (plain JSON). A concurrent
 * repeat waits for the first and then gets the same. A failure keeps nothing, so that the request can be tried again.
 */
export function once<T>(
  context: Context,
  customer: Customer,
  request: Request,
  work: (tx: Transaction) => Promise<T>
): Promise<T> {
  return transact(context, async (tx) => {
    const { key } = request
    if (key === undefined) return work(tx)
    const requestHash = hashToken(JSON.stringify([request.call, request.body]))
    const mine = and(eq(idempotencyKeys.userId, customer.userId), eq(idempotencyKeys.key, key))
    const [taken] = await tx
      .insert(idempotencyKeys)
      .values({ userId: customer.userId, key, requestHash, createdAt: context.clock() })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key })
    if (!taken) {
      const [stored] = await tx.select().from(idempotencyKeys).where(mine)
      if (stored?.requestHash !== requestHash) throw new AppError('idempotency_key_reused')
      return stored.answer as T
    }
    const answer = await work(tx)
    await tx.update(idempotencyKeys).set({ answer }).where(mine)
    return answer
  })
}
