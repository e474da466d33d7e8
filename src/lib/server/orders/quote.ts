/** What a package costs and brings at the rates of this moment. */
import { decimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import type { PackageConfig } from '#lib/domain/orders/packages.ts'
import { costOf, euroCentsToPay, euroValue, tokensOf } from '#lib/domain/orders/purchase.ts'
import { type Rates, UnavailableError } from '../platform/ports.ts'

const LIST_PRICE_SOURCE = 'price list'

export function cpcPrice({ pricesUsd }: Rates): string {
  const price = pricesUsd.values.CPC
  if (!price) throw new UnavailableError('The price service gave no price for CPC')
  return price
}

/** The columns of an order that come from its package and the rates. */
export function quotePackage(config: PackageConfig, rates: Rates) {
  const { fiatCents, feeCents, totalCents } = costOf(config)
  const eurPerUsd = decimal(rates.eurPerUsd.value)
  return {
    configId: config.id,
    fiatCents,
    feeCents,
    totalCents,
    euroValue: writeDecimal(euroValue(fiatCents, eurPerUsd)),
    euroCentsToPay: euroCentsToPay(totalCents, eurPerUsd),
    eurPerUsd: rates.eurPerUsd.value,
    eurPerUsdSource: rates.eurPerUsd.source,
    eurPerUsdAt: rates.eurPerUsd.at,
    stakingMonths: config.stakingMonths,
    stakingRateHundredths: config.stakingRateHundredths,
    ...priceTokens(config, rates)
  }
}

/** The token side alone: it is quoted when the order is made and fixed when the payment is seen. */
export function priceTokens(config: PackageConfig, rates: Rates) {
  const { cpcAmount, ptcAmount } = tokensOf(config, cpcPrice(rates))
  return {
    cpcPriceUsd: cpcPrice(rates),
    ptcPriceUsd: config.ptcPriceUsd ?? null,
    priceSource: config.ptcPriceUsd ? LIST_PRICE_SOURCE : rates.pricesUsd.source,
    priceAt: rates.pricesUsd.at,
    cpcUnits: cpcAmount,
    ptcUnits: ptcAmount
  }
}
