import type { SupportedTokens } from '#lib/contract/types.ts'
import { TOKENS } from '#lib/domain/money/currencies.ts'
import { ptcPriceOn } from '#lib/domain/rates/prices.ts'
import type { Context } from '../platform/context.ts'
import { type RatesSource, utcDay } from '../rates/index.ts'

const DECIMALS = Object.fromEntries(TOKENS.map(({ code, decimals }) => [code, decimals]))

/** The decimal places of every token and its price in USD, with the source and time of the prices. */
export async function listSupportedTokens({ clock }: Context, rates: RatesSource): Promise<SupportedTokens> {
  const { pricesUsd, eurPerUsd } = await rates.current()
  return {
    supportedTokens: DECIMALS,
    prices: { ...pricesUsd.values, PTC: ptcPriceOn(utcDay(clock())) },
    eurPerUsd: eurPerUsd.value,
    pricedAt: pricesUsd.at.toISOString(),
    source: pricesUsd.source
  }
}
