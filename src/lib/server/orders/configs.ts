import type { ComboConfig } from '#lib/contract/types.ts'
import { isOnSale, type PackageConfig, type PackageType, packageName, packagesOnSale } from '#lib/domain/orders/packages.ts'
import { bonusOf, costOf, tokensOf } from '#lib/domain/orders/purchase.ts'
import type { Context } from '../platform/context.ts'
import type { RatesSource } from '../rates/index.ts'
import { usd } from './present.ts'
import { cpcPrice } from './quote.ts'

/** A package with the tokens that it brings at this price of CPC. */
export function presentConfig(config: PackageConfig, price: string, now: Date): ComboConfig {
  const { fiatCents, totalCents } = costOf(config)
  const { cpcAmount, ptcAmount } = tokensOf(config, price)
  const released = new Date(`${config.releasedOn}T00:00:00Z`).toISOString()
  return {
    id: config.id,
    created_at: released,
    updated_at: released,
    type: config.type,
    name: packageName(config),
    price: usd(fiatCents),
    ptc_price: config.ptcPriceUsd ?? null,
    is_on_sale: isOnSale(config, now),
    max_sale_amount: null,
    staking_month: config.stakingMonths,
    staking_rate_default: config.stakingRateHundredths,
    staking_rate_bonus: config.bonusRateHundredths,
    totalAmount: usd(totalCents),
    cpcAmount: cpcAmount.toString(),
    ptcAmount: ptcAmount.toString(),
    ptcBonusAmount: bonusOf(config, ptcAmount).toString()
  }
}

/** The packages of a type that are on sale now, with the tokens that they bring at current prices. */
export async function listComboConfigs(context: Context, rates: RatesSource, type: PackageType): Promise<ComboConfig[]> {
  const now = context.clock()
  const price = cpcPrice(await rates.current())
  return packagesOnSale(type, now).map((config) => presentConfig(config, price, now))
}
