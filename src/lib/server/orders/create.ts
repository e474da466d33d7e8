import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS, QUOTE_REUSE_HOURS } from '#lib/domain/orders/order.ts'
import { makeReference, REFERENCE_BODY_LENGTH } from '#lib/domain/orders/reference.ts'
import { users } from '../access/index.ts'
import { requireVerified } from '../identity/index.ts'
import { type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { randomDigits } from '../platform/crypto.ts'
import { once } from '../platform/idempotency.ts'
import { type RatesSource, ratesOf } from '../rates/index.ts'
import { buyablePackage } from './buyable.ts'
import { presentOrder } from './present.ts'
import { quotePackage } from './quote.ts'
import { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

/** What orders need from outside: prices, the bank account that customers pay to, and the promo code if one is set. */
export type OrderPorts = { rates: RatesSource; bank: BankDetails; promoCode: string | undefined }

const HOUR_MS = 3_600_000

/**
 * The customer's order for a package: the open, unpaid and not cancelled one of the last 24 h if there is one, otherwise a new one
 * at current rates. Throws `kyc_required`, `package_not_found`, `package_not_on_sale`, `promo_needed`.
 */
export async function createOrder(
  context: Context,
  { rates, bank, promoCode }: OrderPorts,
  customer: Customer,
  { comboConfigId, idempotencyKey }: { comboConfigId: number; idempotencyKey: string | undefined }
): Promise<Order> {
  const readRates = await ratesOf(rates)
  return once(
    context,
    customerActor(customer),
    { key: idempotencyKey, call: 'create-order', body: comboConfigId },
    async ({ tx, now }) => {
      await requireVerified(tx, customer)
      const config = await buyablePackage(context, tx, promoCode, customer, comboConfigId)
      const quote = quotePackage(config, readRates())
      // One order at a time per customer, so that two tabs that open the same preview share it.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, customer.userId)).for('no key update')
      const [open] = await tx
        .select()
        .from(orders)
        .where(
          and(
            eq(orders.userId, customer.userId),
            eq(orders.configId, config.id),
            eq(orders.status, ORDER_STATUS.pending),
            isNull(orders.cancelledAt),
            gt(orders.createdAt, new Date(now.getTime() - QUOTE_REUSE_HOURS * HOUR_MS))
          )
        )
        .orderBy(desc(orders.createdAt))
        .limit(1)
      if (open) return presentOrder(open, customer.email, bank)
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
      return presentOrder(created, customer.email, bank)
    }
  )
}
