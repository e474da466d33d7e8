import type { ComboPreview } from '#lib/contract/types.ts'
import { packageName } from '#lib/domain/orders/packages.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { buyablePackage } from './buyable.ts'
import type { OrderPorts } from './create.ts'
import { usd } from './present.ts'
import { quotePackage } from './quote.ts'

/** What a package costs and brings now; books nothing. Throws like `buyablePackage`. */
export async function previewCombo(
  context: Context,
  { rates, promoCode }: OrderPorts,
  customer: Customer,
  configId: number
): Promise<ComboPreview> {
  const config = await buyablePackage(context, context.db, promoCode, customer, configId)
  const quote = quotePackage(config, await rates.current())
  return {
    comboConfigId: config.id,
    name: packageName(config),
    type: config.type,
    fiatAmount: usd(quote.fiatCents),
    fiatCurrency: 'USD',
    feeAmount: usd(quote.feeCents),
    totalAmount: usd(quote.totalCents),
    euroAmount: quote.euroValue,
    euroRate: quote.eurPerUsd,
    euroRateSource: quote.eurPerUsdSource,
    euroRateAt: quote.eurPerUsdAt.toISOString(),
    cpcAverageWeightPrice: quote.cpcPriceUsd,
    ptcPrice: quote.ptcPriceUsd,
    priceSource: quote.priceSource,
    cpcAmount: quote.cpcUnits.toString(),
    ptcAmount: quote.ptcUnits.toString(),
    stakingMonth: quote.stakingMonths,
    stakingRateDefault: quote.stakingRateHundredths,
    stakingRateBonus: quote.bonusRateHundredths,
    ptcBonusAmount: quote.bonusUnits.toString()
  }
}
