import { eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { readReceiptCode } from '#lib/domain/documents/receipt.ts'
import { packageById, packageName } from '#lib/domain/orders/packages.ts'
import { orders } from '../orders/index.ts'
import { takenBackOf } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { hashToken } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { receipts } from './schema.ts'

/** The facts of a receipt for the public page, without any about its customer. Throws `receipt_not_found`. */
export async function verifyReceipt({ db }: Context, typed: string): Promise<Answer<'verifyReceipt'>> {
  const code = readReceiptCode(typed)
  const [found] = code
    ? await db
        .select({ order: orders })
        .from(receipts)
        .innerJoin(orders, eq(orders.id, receipts.orderId))
        .where(eq(receipts.codeHash, hashToken(code)))
    : []
  const config = found && packageById(found.order.configId)
  if (!found || !config) throw new AppError('receipt_not_found')
  const { order } = found
  return {
    number: order.id,
    package: packageName(config),
    completedAt: (order.completedAt ?? order.updatedAt).toISOString(),
    state: (await takenBackOf(db, [order.id])).has(order.id) ? 'reversed' : 'completed'
  }
}
