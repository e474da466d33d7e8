/**
 * Why a value changed: what was paid in and out, prices, trades with their fees, and rewards. Each term is computed from its own lines;
 * none is what the others leave over.
 */
import type { CustomerKind, HouseKind } from '../ledger/holdings.ts'
import { type LedgerReason, lineKind } from '../ledger/reasons.ts'
import { decimalsOf } from '../money/currencies.ts'
import { decimal, powerOfTen } from '../money/decimal.ts'

export const CHANGE_TERMS = ['paid', 'trades', 'rewards'] as const
export type ChangeTerm = (typeof CHANGE_TERMS)[number]

/** A change of what a customer has of a token on a UTC day (yyyy-mm-dd), in smallest units, signed. */
export type Flow = { day: string; currency: string; term: ChangeTerm; units: bigint }

type Movement = { reason: LedgerReason; account: CustomerKind; counterpart: CustomerKind | HouseKind }

/** The term that a movement between a customer and somebody else belongs to. A bonus is a reward: nothing was paid for it.
 * The fee of a withdrawal goes out with it, that of a trade with the trade. */
export function termOf({ reason, account, counterpart }: Movement): ChangeTerm {
  if (account === 'locked') return 'rewards'
  const kind = lineKind(reason, counterpart)
  if (kind === 'reward' || kind === 'staking') return 'rewards'
  return kind === 'trade' ? 'trades' : 'paid'
}

/** Prices of one token by day (yyyy-mm-dd); a day without one takes that of the last day before it. */
export type PricesByDay = { day: string; prices: Record<string, string> }[]

/** Cents of the prices' currency. */
export type Change = Record<ChangeTerm | 'prices', bigint>

/** Digits that every price fits in, so that sums are exact. */
const PRICE_DIGITS = 30
const UNIT_DIGITS = 18
const SCALE = powerOfTen(PRICE_DIGITS + UNIT_DIGITS)

/** The value of one smallest unit in cents, times `SCALE`. */
function worthOfUnit(currency: string, price: string): bigint {
  const { digits, scale } = decimal(price)
  return 100n * digits * powerOfTen(PRICE_DIGITS - scale) * powerOfTen(UNIT_DIGITS - decimalsOf(currency))
}

/** To the nearest cent; half a cent away from zero. */
function toCents(value: bigint): bigint {
  const [size, sign] = value < 0n ? [-value, -1n] : [value, 1n]
  return sign * ((size * 2n + SCALE) / (SCALE * 2n))
}

/** For each token, its worth on each of these days. Before the first known price of a token, that one counts. */
function worthByDay(days: readonly string[], known: PricesByDay, currencies: Iterable<string>): Map<string, Map<string, bigint>> {
  const byDay = new Map(known.map(({ day, prices }) => [day, prices]))
  const worths = new Map<string, Map<string, bigint>>()
  for (const currency of currencies) {
    const firstKnown = days.map((day) => byDay.get(day)?.[currency]).find((price) => price !== undefined)
    let worth = firstKnown === undefined ? 0n : worthOfUnit(currency, firstKnown)
    const ofToken = new Map<string, bigint>()
    for (const day of days) {
      const price = byDay.get(day)?.[currency]
      if (price !== undefined) worth = worthOfUnit(currency, price)
      ofToken.set(day, worth)
    }
    worths.set(currency, ofToken)
  }
  return worths
}

/**
 * The terms of a change. `start`: what was held at the end of the first of the `known` days, in smallest units; `flows`: of the later days, and
 * of the first one what came after `start`. A flow counts with the price of its day, and what is held with the changes of price between days.
 */
export function changeOf(start: Record<string, bigint>, flows: readonly Flow[], known: PricesByDay): Change {
  const days = [...new Set([...known.map(({ day }) => day), ...flows.map(({ day }) => day)])].toSorted()
  const worths = worthByDay(days, known, new Set([...Object.keys(start), ...flows.map(({ currency }) => currency)]))
  const exact = { paid: 0n, trades: 0n, rewards: 0n, prices: 0n }
  const byDay = Map.groupBy(flows, ({ currency, day }) => `${currency} ${day}`)
  for (const [currency, ofToken] of worths) {
    let held = start[currency] ?? 0n
    let before = ofToken.get(days[0] ?? '') ?? 0n
    for (const day of days) {
      const worth = ofToken.get(day) ?? 0n
      exact.prices += held * (worth - before)
      for (const flow of byDay.get(`${currency} ${day}`) ?? []) {
        exact[flow.term] += flow.units * worth
        held += flow.units
      }
      before = worth
    }
  }
  return {
    paid: toCents(exact.paid),
    trades: toCents(exact.trades),
    rewards: toCents(exact.rewards),
    prices: toCents(exact.prices)
  }
}

/**
 * The terms so that they add up to `change` to the cent: the values at both ends are rounded down for each token, and a cent of rounding is
 * shown in the prices. Undefined where more than rounding is missing, i.e. where the terms are not of the same bookings as the change.
 */
export function addUpTo(change: bigint, terms: Change, tokens: number): Change | undefined {
  const missing = change - terms.paid - terms.trades - terms.rewards - terms.prices
  const most = BigInt(2 * tokens + 4)
  return missing > most || missing < -most ? undefined : { ...terms, prices: terms.prices + missing }
}
