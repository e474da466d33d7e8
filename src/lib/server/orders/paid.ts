import { centsIn } from '#lib/domain/rates/prices.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'
import { orders } from './schema.ts'

/** In cents; the fee is not in the price. */
type PackagePrice = { usdCents: bigint; eurCents: bigint; usdFee: bigint; eurFee: bigint }

/** The prices of the packages of these orders, by their ids. In euro, price and fee add up to what was to be paid. */
export async function packagePrices(db: Executor, orderIds: string[]): Promise<Map<string, PackagePrice>> {
  if (orderIds.length === 0) return new Map()
  const { id, fiatCents, feeCents, euroCentsToPay, eurPerUsd } = orders
  const rows = await db.select({ id, fiatCents, feeCents, euroCentsToPay, eurPerUsd }).from(orders).where(anyOf(id, orderIds))
  return new Map(
    rows.map((row) => {
      const eurCents = centsIn('EUR', row.fiatCents, row.eurPerUsd)
      return [row.id, { usdCents: row.fiatCents, eurCents, usdFee: row.feeCents, eurFee: row.euroCentsToPay - eurCents }]
    })
  )
}
