/** Where prices and the euro rate come from. */

/** A figure with its source and time. Values are decimal text. */
export type Quoted = { value: string; source: string; at: Date }
export type Rates = {
  /** EUR for one USD. */
  eurPerUsd: Quoted
  /** USD for one token, by token code. */
  pricesUsd: { values: Record<string, string>; source: string; at: Date }
  /** The newest prices of tokens whose price is in doubt: `pricesUsd` has the last one that was not. */
  doubted?: Record<string, string>
}

/** Throws UnavailableError if there are no figures that are fresh enough. */
export type RatesSource = { current: () => Promise<Rates> }
/** A second source of prices, to compare with: USD for one token, by token code. */
export type PricesSource = { prices: () => Promise<Record<string, string>> }

/**
 * Reads the rates before a transaction, which must not wait for the network. The function that it returns throws if there were none: a request
 * that is repeated gets the answer that its key has, also without rates.
 */
export async function ratesOf(rates: RatesSource): Promise<() => Rates> {
  try {
    const current = await rates.current()
    return () => current
  } catch (error) {
    return () => {
      throw error
    }
  }
}
