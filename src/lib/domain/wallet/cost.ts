/**
 * What a customer paid for the tokens that they have now. What goes out takes from what came in first (first in, first out); what is taken
 * back takes from its own entry. Rewards count as 0. What came without a price, or was never paid, is in no gain.
 */
import type { CustomerKind, HouseKind } from '../ledger/holdings.ts'
import { type LedgerReason, lineKind } from '../ledger/reasons.ts'
import { decimalsOf } from '../money/currencies.ts'
import { decimal, divide, multiply, powerOfTen, toDecimal, toUnits, writeDecimal } from '../money/decimal.ts'
import { termOf } from './change.ts'

/**
 * How units came in: `bought` has what was paid, `reward` cost nothing; `unpriced` came without a known price; `unpaid` is a purchase whose
 * payment the bank took back.
 */
export const ORIGINS = ['bought', 'reward', 'unpriced', 'unpaid'] as const
type Origin = (typeof ORIGINS)[number]

/** What is known of the price of units that came in. */
export type PriceSource = 'order' | 'trade' | 'day' | 'reward' | 'none'

type Movement = { reason: LedgerReason; account: CustomerKind; counterpart: CustomerKind | HouseKind }

/** Where the price of units that came in is found: with the order or the trade, by the price of the day, as a reward, or nowhere. */
export function priceSourceOf(movement: Movement): PriceSource {
  if (termOf(movement) === 'rewards') return 'reward'
  const kind = lineKind(movement.reason, movement.counterpart)
  if (kind === 'purchase') return 'order'
  if (kind === 'trade') return 'trade'
  return kind === 'deposit' || kind === 'withdrawal' ? 'day' : 'none'
}

/** Units of one token that came in (positive) or went out (negative), oldest first. `lot`: the record that it belongs to. */
export type Entry = {
  lot: string
  units: bigint
  /** Of units that came in. */
  origin?: Origin
  /** What was paid and its fee, of `bought`, in parts of a cent (`FINE`). */
  paid?: bigint
  fee?: bigint
  /** Of units that went out: first from the entry of the same record, or from what was not paid; then the oldest. */
  takesBack?: 'lot' | 'unpaid'
}

/** Parts of a cent that sums are kept in, so that many small lines lose nothing. */
export const FINE = 1_000_000n

/** The value of units at a price, in parts of a cent. */
export function fineValue(units: bigint, currency: string, price: string): bigint {
  return toUnits(multiply(toDecimal(units, decimalsOf(currency)), decimal(price)), FINE_DIGITS, 'halfUp')
}
/** Those of a cent, and those of its parts. */
const FINE_DIGITS = 2 + 6

/** Units and cents of what the customer still has. */
export type Cost = { bought: bigint; paid: bigint; fees: bigint; reward: bigint; unpriced: bigint; unpaid: bigint }

type Lot = { lot: string; origin: Origin; units: bigint; paid: bigint; fee: bigint }

/** Takes up to `units` from the lot, with their part of what was paid; what it did not have is returned. */
function take(lot: Lot, units: bigint): bigint {
  const taken = units < lot.units ? units : lot.units
  if (taken === 0n) return units
  const partOf = (cents: bigint) => divide(cents * taken, lot.units, 'down')
  lot.paid -= partOf(lot.paid)
  lot.fee -= partOf(lot.fee)
  lot.units -= taken
  return units - taken
}

function goOut(lots: Lot[], { lot, units, takesBack }: Entry): void {
  const own = lots.filter((one) => (takesBack === 'lot' ? one.lot === lot : takesBack === 'unpaid' && one.origin === 'unpaid'))
  let rest = -units
  for (const one of [...own, ...lots]) {
    if (rest === 0n) break
    rest = take(one, rest)
  }
}

const fineToCents = (value: bigint) => divide(value, FINE, 'halfUp')

/** What the customer still has of one token, and what it cost. */
export function costOf(entries: readonly Entry[]): Cost {
  const lots: Lot[] = []
  // Lots before this one are empty.
  let first = 0
  for (const entry of entries) {
    const { lot, units, origin = 'unpriced', paid = 0n, fee = 0n } = entry
    if (units > 0n) lots.push({ lot, origin, units, paid, fee })
    else if (entry.takesBack) goOut(lots, entry)
    else {
      let rest = -units
      for (; rest > 0n; first += 1) {
        const oldest = lots[first]
        if (!oldest) break
        rest = take(oldest, rest)
        if (oldest.units > 0n) break
      }
    }
  }
  const sum = (origin: Origin, of: (lot: Lot) => bigint = ({ units }) => units) =>
    lots.reduce((total, one) => (one.origin === origin ? total + of(one) : total), 0n)
  return {
    bought: sum('bought'),
    paid: fineToCents(sum('bought', ({ paid }) => paid)),
    fees: fineToCents(sum('bought', ({ fee }) => fee)),
    reward: sum('reward'),
    unpriced: sum('unpriced'),
    unpaid: sum('unpaid')
  }
}

const AVERAGE_DIGITS = 10

/** What one token cost on average, as decimal text without trailing zeros; undefined if none was bought. */
export function averagePrice({ bought, paid }: Pick<Cost, 'bought' | 'paid'>, currency: string): string | undefined {
  if (bought === 0n) return undefined
  const digits = divide(paid * powerOfTen(decimalsOf(currency) + AVERAGE_DIGITS), bought * 100n, 'halfUp')
  return writeDecimal({ digits, scale: AVERAGE_DIGITS }).replace(/\.?0+$/, '')
}
