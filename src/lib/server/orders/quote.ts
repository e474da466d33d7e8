/** What a package costs and brings at current rates. */
import { decimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import type { PackageConfig } from '#lib/domain/orders/packages.ts'
import { bonusOf, costOf, euroCentsToPay, euroValue, tokensOf } from '#lib/domain/orders/purchase.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { Rates } from '../rates/index.ts'

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
    bonusRateHundredths: config.bonusRateHundredths,
    ...priceTokens(config, currentCpcPrice(rates))
  }
}

/** A price of CPC with its source and time. */
type CpcPrice = { priceUsd: string; source: string; quotedAt: Date }

/** The columns that depend on the price of CPC: quoted when the order is made, fixed when the payment is booked. */
export function priceTokens(config: PackageConfig, cpc: CpcPrice) {
  const { cpcAmount, ptcAmount } = tokensOf(config, cpc.priceUsd)
  return {
    cpcPriceUsd: cpc.priceUsd,
    ptcPriceUsd: config.ptcPriceUsd ?? null,
    priceSource: config.ptcPriceUsd ? LIST_PRICE_SOURCE : cpc.source,
    priceAt: cpc.quotedAt,
    cpcUnits: cpcAmount,
    ptcUnits: ptcAmount,
    bonusUnits: bonusOf(config, ptcAmount)
  }
}

/** The current price of CPC. Throws UnavailableError. */
export function currentCpcPrice(rates: Rates): CpcPrice {
  return { priceUsd: cpcPrice(rates), source: rates.pricesUsd.source, quotedAt: rates.pricesUsd.at }
}
