/** Where prices and the euro rate come from. */

/** A figure, where it comes from and when. Values are decimal text. */
export type Quoted = { value: string; source: string; at: Date }
export type Rates = {
  /** EUR for one USD. */
  eurPerUsd: Quoted
  /** USD for one token, by token code. */
  pricesUsd: { values: Record<string, string>; source: string; at: Date }
}

/** Throws UnavailableError where no figure that is fresh enough can be had. */
export type RatesSource = { current: () => Promise<Rates> }
