/** Where prices and the euro rate come from. */

/** A figure with its source and time. Values are decimal text. */
export type Quoted = { value: string; source: string; at: Date }
export type Rates = {
  /** EUR for one USD. */
  eurPerUsd: Quoted
  /** USD for one token, by token code. */
  pricesUsd: { values: Record<string, string>; source: string; at: Date }
}

/** Throws UnavailableError if there are no figures that are fresh enough. */
export type RatesSource = { current: () => Promise<Rates> }
