/** The most that a customer may withdraw in 24 hours. Amounts in USD cents. */

/** A request is answered within this time. */
export const LIMIT_HOURS = 72
/** A raised limit ends by itself. */
export const LIMIT_DAYS = 90
/** After a refusal the next request comes later. */
export const ASK_AGAIN_DAYS = 7
export const LONGEST_REASON = 500

export type RaisedLimit = { dayCents: bigint; endsAt: Date }

/**
 * A customer's daily limit, in cents: their raised limit until it ends, otherwise the house's. A raised limit above `mostCents` counts as `mostCents`,
 * because the signer signs no more.
 */
export function dayLimit(house: { dayCents: bigint; mostCents: bigint }, raised: RaisedLimit | undefined, now: Date): bigint {
  if (!raised || raised.endsAt <= now || raised.dayCents <= house.dayCents) return house.dayCents
  return raised.dayCents < house.mostCents ? raised.dayCents : house.mostCents
}
