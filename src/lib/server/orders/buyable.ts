import type { PackageConfig } from '#lib/domain/orders/packages.ts'
import { isOnSale, packageById } from '#lib/domain/orders/packages.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { requirePromoCode } from './promo.ts'

/**
 * The package, if this customer can buy it now. Throws `package_not_found`, `package_not_on_sale`, and `promo_needed` for a package
 * of the promotion.
 */
export async function buyablePackage(
  context: Context,
  db: Executor,
  promoCode: string | undefined,
  customer: Customer,
  configId: number
): Promise<PackageConfig> {
  const config = packageById(configId)
  if (!config) throw new AppError('package_not_found')
  if (!isOnSale(config, context.clock())) throw new AppError('package_not_on_sale')
  if (config.series === 'promotion') await requirePromoCode(context, db, promoCode, customer)
  return config
}
