import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { referencePrice } from '#lib/domain/p2p/settle.ts'
import { priceOf, type Rates, requireUndoubted } from '../rates/index.ts'

/** The reference price: USDC for one CPC, by the rates. Throws UnavailableError without prices. */
export function currentReference(rates: Rates) {
  return referencePrice(priceOf(rates, P2P_ASSET), priceOf(rates, P2P_SETTLEMENT))
}

/** Throws UnavailableError while one of the two prices is in doubt. */
export function requireSureReference(rates: Rates): void {
  for (const currency of [P2P_ASSET, P2P_SETTLEMENT]) requireUndoubted(rates, currency)
}

/** True if there are prices and one of the two is in doubt. */
export function isDoubted(readRates: () => Rates): boolean {
  try {
    const { doubted } = readRates()
    return doubted?.[P2P_ASSET] !== undefined || doubted?.[P2P_SETTLEMENT] !== undefined
  } catch {
    return false
  }
}
