import type { ComboPreview } from '#lib/contract/types.ts'
import { packageName } from '#lib/domain/orders/packages.ts'
import type { Context } from '../platform/context.ts'
import type { RatesSource } from '../rates/index.ts'
import { buyablePackage } from './buyable.ts'
import { usd } from './present.ts'
import { quotePackage } from './quote.ts'

/** What a package would cost and bring now; books nothing. Throws `package_not_found`, `package_not_on_sale`. */
export async function previewCombo(context: Context, rates: RatesSource, configId: number): Promise<ComboPreview> {
  const config = buyablePackage(context, configId)
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
    stakingRateDefault: quote.stakingRateHundredths
  }
}
