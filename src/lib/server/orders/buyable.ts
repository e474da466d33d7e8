import type { PackageConfig } from '#lib/domain/orders/packages.ts'
import { isOnSale, packageById } from '#lib/domain/orders/packages.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'

/** The package, if it can be bought now. Throws `package_not_found`, `package_not_on_sale`. */
export function buyablePackage(context: Context, configId: number): PackageConfig {
  const config = packageById(configId)
  if (!config) throw new AppError('package_not_found')
  if (!isOnSale(config, context.clock())) throw new AppError('package_not_on_sale')
  return config
}
