import type { SupportedTokens } from '#lib/contract/types.ts'
import { TOKENS } from '#lib/domain/money/tokens.ts'
import { ptcPriceOn } from '#lib/domain/orders/packages.ts'
import type { Context } from '../platform/context.ts'

const DECIMALS = Object.fromEntries(TOKENS.map(({ code, decimals }) => [code, decimals]))

/** Digits of every token and its price in USD, with where the prices come from and when. */
export async function listSupportedTokens({ ports, clock }: Context): Promise<SupportedTokens> {
  const { pricesUsd } = await ports.rates.current()
  return {
    supportedTokens: DECIMALS,
    prices: { ...pricesUsd.values, PTC: ptcPriceOn(clock().toISOString().slice(0, 10)) },
    pricedAt: pricesUsd.at.toISOString(),
    source: pricesUsd.source
  }
}
