/** What an amount is worth, for limits: in cents, rounded up. */
import { decimal, multiply, writeDecimal } from '#lib/domain/money/decimal.ts'
import { valueAtMost } from '#lib/domain/rates/prices.ts'
import type { Executor } from '../platform/db/client.ts'
import { UnavailableError } from '../platform/errors.ts'
import { dailyFigures, utcDay } from './daily.ts'
import type { Rates } from './port.ts'

export type Worth = { usdCents: bigint; euroCents: bigint }

/** The price of one token in USD. Throws UnavailableError if there is none. */
export function priceOf({ pricesUsd }: Rates, currency: string): string {
  const price = pricesUsd.values[currency]
  if (price === undefined) throw new UnavailableError(`There is no price of ${currency}`)
  return price
}

const both = (amount: bigint, currency: string, priceUsd: string, eurPerUsd: string): Worth => ({
  usdCents: valueAtMost(amount, currency, priceUsd),
  euroCents: valueAtMost(amount, currency, writeDecimal(multiply(decimal(priceUsd), decimal(eurPerUsd))))
})

/** Throws UnavailableError without a price. */
export function worthOf(rates: Rates, currency: string, amount: bigint): Worth {
  return both(amount, currency, priceOf(rates, currency), rates.eurPerUsd.value)
}

/** Like `worthOf`, by the higher price where one is in doubt: for limits that must hold whichever of the two is right. */
export function worthAtMost(rates: Rates, currency: string, amount: bigint): Worth {
  const used = worthOf(rates, currency, amount)
  const price = rates.doubted?.[currency]
  const doubted = price === undefined ? used : both(amount, currency, price, rates.eurPerUsd.value)
  return doubted.usdCents > used.usdCents ? doubted : used
}

/** Throws UnavailableError while the price of the token is in doubt. */
export function requireUndoubted({ doubted }: Rates, currency: string): void {
  if (doubted?.[currency] !== undefined) throw new UnavailableError(`The price of ${currency} is in doubt`)
}

/** By the prices stored for the day; undefined if there are none. */
export async function worthOn(db: Executor, at: Date, currency: string, amount: bigint): Promise<Worth | undefined> {
  return (await pricedOn(db, at))(currency, amount)
}

/** The same for many amounts, with one question. */
export async function pricedOn(db: Executor, at: Date): Promise<(currency: string, amount: bigint) => Worth | undefined> {
  const figures = (await dailyFigures(db, [utcDay(at)])).get(utcDay(at))
  return (currency, amount) => {
    const price = figures?.prices[currency]
    return price && figures.eurPerUsd ? both(amount, currency, price, figures.eurPerUsd) : undefined
  }
}
