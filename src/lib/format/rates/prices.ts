import type { SupportedTokens } from '#lib/contract/types.ts'
import { loadFailed } from '#messages/platform/texts.ts'
import { pricesTexts } from '#messages/rates/prices.ts'
import { formatMoment, UTC } from '../dates.ts'

/** Used where the prices are unavailable. */
export const NO_PRICES: SupportedTokens = {
  supportedTokens: {},
  prices: {},
  eurPerUsd: '1',
  source: '',
  pricedAt: '1970-01-01T00:00:00.000Z'
}

export function hasPrices({ source }: SupportedTokens): boolean {
  return source !== ''
}

/** A sentence with the source and time of the prices, or that they are unavailable. */
export function priceNote(tokens: SupportedTokens, timeZone = UTC): string {
  return hasPrices(tokens)
    ? pricesTexts.note(tokens.source, formatMoment(tokens.pricedAt, timeZone), timeZone === UTC)
    : loadFailed(pricesTexts.what, pricesTexts.noAnswer)
}
