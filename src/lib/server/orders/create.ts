import { and, desc, eq, gt } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS, QUOTE_REUSE_HOURS } from '#lib/domain/orders/order.ts'
import { makeReference, REFERENCE_BODY_LENGTH } from '#lib/domain/orders/reference.ts'
import { requireVerified } from '../identity/read.ts'
import type { Context, Customer } from '../platform/context.ts'
import { randomDigits } from '../platform/crypto.ts'
import { orders, users } from '../platform/db/schema.ts'
import { once } from '../platform/idempotency.ts'
import { buyablePackage } from './buyable.ts'
import { presentOrder } from './present.ts'
import { quotePackage } from './quote.ts'

const HOUR_MS = 3_600_000

/**
 * The customer's order for a package: the open, unpaid one of the last 24 h where there is one, otherwise a new one at
 * the rates of this moment. Throws `kyc_required`, `package_not_found`, `package_not_on_sale`.
 */
export async function createOrder(
  context: Context,
  customer: Customer,
  { comboConfigId, idempotencyKey }: { comboConfigId: number; idempotencyKey: string | undefined }
): Promise<Order> {
  // A repeated request gets its answer whatever the rates and the sale are by now: they count only for a new order.
  const [rates] = await Promise.allSettled([context.ports.rates.current()])
  return once(context, customer, { key: idempotencyKey, call: 'create-order', body: comboConfigId }, async (tx) => {
    await requireVerified(tx, customer)
    const config = buyablePackage(context, comboConfigId)
    if (rates.status === 'rejected') throw rates.reason
    const quote = quotePackage(config, rates.value)
    // One at a time for a customer: two tabs that open the same preview share one order. `no key update` gets along
    // with the lock that the foreign key of the idempotency row has taken on the same customer.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, customer.userId)).for('no key update')
    const now = context.clock()
    const [open] = await tx
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.userId, customer.userId),
          eq(orders.configId, config.id),
          eq(orders.status, ORDER_STATUS.pending),
          gt(orders.createdAt, new Date(now.getTime() - QUOTE_REUSE_HOURS * HOUR_MS))
        )
      )
      .orderBy(desc(orders.createdAt))
      .limit(1)
    if (open) return presentOrder(open, customer.email, context.ports.bank.details)
    const [created] = await tx
      .insert(orders)
      .values({
        id: makeReference(randomDigits(REFERENCE_BODY_LENGTH)),
        userId: customer.userId,
        ...quote,
        createdAt: now,
        updatedAt: now
      })
      .returning()
    if (!created) throw new Error('The database returned no order row')
    return presentOrder(created, customer.email, context.ports.bank.details)
  })
}
