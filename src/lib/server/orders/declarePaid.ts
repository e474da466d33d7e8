import { and, eq, isNull } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { EUR_DECIMALS } from '#lib/domain/orders/purchase.ts'
import { formatEur } from '#lib/format/amount.ts'
import { users } from '../access/index.ts'
import { requireVerified } from '../identity/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { orderLink } from './link.ts'
import { readOrder } from './read.ts'
import { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

/**
 * The customer announces the transfer: status 0 becomes 1. Terms that were not accepted before stay so: they are evidence of what the
 * customer ticked. Announcing again, or after the payment was seen, changes nothing and is
 * not an error. Throws `kyc_required`, `order_not_found`, `order_cancelled`.
 */
export async function declarePaid(context: Context, bank: BankDetails, customer: Customer, id: string): Promise<Order> {
  await requireVerified(context.db, customer)
  await transact(context, async ({ tx, now, enqueue }) => {
    const isOpen = and(eq(orders.status, ORDER_STATUS.pending), isNull(orders.cancelledAt))
    const [announced] = await tx
      .update(orders)
      .set({
        status: ORDER_STATUS.processing,
        announcedAt: now,
        updatedAt: now
      })
      .where(and(eq(orders.id, id), eq(orders.userId, customer.userId), isOpen))
      .returning()
    if (!announced) return
    const [user] = await tx.select().from(users).where(eq(users.id, customer.userId))
    const euro = formatEur(writeDecimal(toDecimal(announced.euroCentsToPay, EUR_DECIMALS)))
    await enqueue(mailTo(user, 'orderAnnounced', { orderId: id, euro, link: orderLink(context, id) }))
  })
  const order = await readOrder(context, bank, customer, id)
  if (order.cancelledAt && order.status === ORDER_STATUS.pending) throw new AppError('order_cancelled')
  return order
}
