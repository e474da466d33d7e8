import type { Answer } from '#lib/contract/types.ts'
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { lineKind } from '#lib/domain/ledger/reasons.ts'
import { decimal, divide, rescale } from '#lib/domain/money/decimal.ts'
import { pricesIn, ptcPriceOn, valueInCents } from '#lib/domain/rates/prices.ts'
import { averagePrice, type Cost, costOf, type Entry, FINE, fineValue, ORIGINS, priceSourceOf } from '#lib/domain/wallet/cost.ts'
import { allMovements, type Movement } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { dailyFigures, type RatesSource, recentFigures, utcDay } from '../rates/index.ts'

/** More lines take too long to work out for a page; the report for taxes has them all. */
const MOST_LINES = 5000
const DAY_MS = 86_400_000
/** What trades are settled in. */
const SETTLEMENT = 'USDC'

/** What the packages of these orders cost, in cents, and the orders whose payment the bank took back. */
export type PurchasesOf = (
  db: Executor,
  orderIds: string[]
) => Promise<{
  prices: Map<string, { usdCents: bigint; eurCents: bigint; usdFee: bigint; eurFee: bigint }>
  takenBack: Set<string>
}>

type Purchases = Awaited<ReturnType<PurchasesOf>>
type Prices = Record<string, string>
type Known = { purchases: Purchases; pricesOn: Map<string, Prices>; given: Map<string, Movement[]>; in: DisplayCurrency }

/** What the customer paid for the tokens that they have, and what these are worth now. Throws UnavailableError without prices. */
export async function readCost(
  { db, clock }: Context,
  { rates, purchasesOf }: { rates: RatesSource; purchasesOf: PurchasesOf },
  { userId }: Customer,
  currency: DisplayCurrency
): Promise<Answer<'getCost'>> {
  const yesterday = utcDay(new Date(clock().getTime() - DAY_MS))
  const [movements, rated, ofYesterday] = await Promise.all([
    allMovements(db, userId, MOST_LINES),
    rates.current(),
    recentFigures(db, yesterday)
  ])
  if (!movements) return { tokens: null }
  // Current prices may have taken until after midnight.
  const today = utcDay(clock())
  const orderIds = movements.filter((one) => one.amount > 0n && one.sourceType === 'order').map(({ sourceId }) => sourceId)
  const [purchases, figures] = await Promise.all([
    purchasesOf(db, [...new Set(orderIds)]),
    dailyFigures(
      db,
      [...new Set(movements.map(({ at }) => utcDay(at)))].filter((day) => day !== yesterday)
    )
  ])
  const current = pricesIn(currency, {
    prices: { ...rated.pricesUsd.values, PTC: ptcPriceOn(today) },
    eurPerUsd: rated.eurPerUsd.value
  })
  const pricesOn = new Map<string, Prices>([[today, current]])
  for (const [day, { prices, eurPerUsd }] of [[yesterday, ofYesterday] as const, ...figures])
    if (currency === 'USD' || eurPerUsd !== undefined)
      pricesOn.set(day, { ...(day === today && current), ...pricesIn(currency, { prices, eurPerUsd: eurPerUsd ?? '1' }) })
  const trades = movements.filter(({ sourceType }) => sourceType === 'p2p_trade')
  const known: Known = { purchases, pricesOn, given: Map.groupBy(trades, ({ sourceId }) => sourceId), in: currency }
  const tokens = Map.groupBy(movements, (one) => one.currency)
  return {
    tokens: [...tokens].flatMap(([code, ofToken]) => {
      const price = current[code]
      if (price === undefined) return []
      const cost = costOf(ofToken.map((one) => entryOf(one, known)))
      if (ORIGINS.every((origin) => cost[origin] === 0n)) return []
      return { ...present(code, price, cost), dayChange: changeBetween(pricesOn.get(yesterday)?.[code], price) }
    })
  }
}

/** The value of units by the price of a day, in parts of a cent; undefined if it is not known. */
function valueOn(at: Date, code: string, units: bigint, { pricesOn }: Known): bigint | undefined {
  const price = pricesOn.get(utcDay(at))?.[code]
  return price === undefined ? undefined : fineValue(units, code, price)
}

/** What a trade's units cost: the value of all that was given for them. USDC that a sale brought costs its own worth. */
function paidInTrade(movement: Movement, known: Known): bigint | undefined {
  // Who sells gets USDC: it cost what it is worth that day.
  if (movement.currency === SETTLEMENT) return valueOn(movement.at, movement.currency, movement.amount, known)
  const legs = known.given.get(movement.sourceId) ?? []
  const given = legs.filter(({ amount, currency }) => amount < 0n && currency !== movement.currency)
  const values = given.map(({ at, currency, amount }) => valueOn(at, currency, -amount, known))
  return values.reduce<bigint | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0n
  )
}

/**
 * What a movement belongs to, so that what is taken back leaves the entry that it came with. An order may bring tokens, a locked bonus, and a
 * reward. A decision about suspended coins names the deposit that they came with.
 */
function lotOf({ sourceType, sourceId, account }: Movement): string {
  const record = sourceType === 'suspense' ? sourceId : `${sourceType}:${sourceId}`
  return account === 'locked' || account === 'reward' ? `${record}:${account}` : record
}

/** What goes out leaves the entry that it came with, where it is taken back; otherwise the oldest. */
function takenBy({ reason, sourceType, account, counterpart }: Movement): Pick<Entry, 'takesBack'> {
  const isReward = lineKind(reason, counterpart) === 'reward'
  if (reason === 'deposit_reverted' || isReward || (reason === 'adjustment' && sourceType === 'order'))
    return { takesBack: 'lot' }
  return reason === 'adjustment' && sourceType === 'adjustment' && account !== 'reward' ? { takesBack: 'unpaid' } : {}
}

function entryOf(movement: Movement, known: Known): Entry {
  const { sourceType, sourceId, amount: units, at, currency } = movement
  const lot = lotOf(movement)
  if (units < 0n) return { lot, units, ...takenBy(movement) }
  const bought = (paid: bigint | undefined, fee = 0n): Entry =>
    paid === undefined ? { lot, units, origin: 'unpriced' } : { lot, units, origin: 'bought', paid, fee }
  // The bonus of a purchase that was not paid is no gain either.
  const isOwnPurchase = sourceType === 'order' && movement.counterpart === 'treasury'
  if (isOwnPurchase && known.purchases.takenBack.has(sourceId)) return { lot, units, origin: 'unpaid' }
  switch (priceSourceOf(movement)) {
    case 'reward':
      return { lot, units, origin: 'reward' }
    case 'order': {
      const price = known.purchases.prices.get(sourceId)
      if (!price) return { lot, units, origin: 'unpriced' }
      return known.in === 'USD'
        ? bought(price.usdCents * FINE, price.usdFee * FINE)
        : bought(price.eurCents * FINE, price.eurFee * FINE)
    }
    case 'trade':
      return bought(paidInTrade(movement, known))
    case 'day':
      return bought(valueOn(at, currency, units, known))
    case 'none':
      return { lot, units, origin: 'unpriced' }
  }
}

function present(currency: string, price: string, cost: Cost) {
  const worth = (units: bigint) => valueInCents(units, currency, price)
  const value = worth(cost.bought + cost.reward + cost.unpriced + cost.unpaid)
  const now = {
    bought: worth(cost.bought),
    reward: worth(cost.reward),
    unpriced: worth(cost.unpriced),
    unpaid: worth(cost.unpaid)
  }
  // Each part is rounded down; the cents lost by that go to the first part that is not empty.
  const holder = ORIGINS.find((origin) => cost[origin] > 0n) ?? 'bought'
  now[holder] += value - now.bought - now.reward - now.unpriced - now.unpaid
  const prices = now.bought - cost.paid
  return {
    currency,
    value: value.toString(),
    boughtUnits: cost.bought.toString(),
    paid: cost.paid.toString(),
    fees: cost.fees.toString(),
    averagePrice: averagePrice(cost, currency) ?? null,
    prices: prices.toString(),
    rewards: now.reward.toString(),
    unpricedUnits: cost.unpriced.toString(),
    unpriced: now.unpriced.toString(),
    unpaidUnits: cost.unpaid.toString(),
    unpaid: now.unpaid.toString(),
    gain: (prices + now.reward).toString()
  }
}

/** In hundredths of a percent, rounded down; null if the earlier price is not known. */
function changeBetween(before: string | undefined, now: string): number | null {
  if (before === undefined) return null
  const [was, is] = [rescale(decimal(before), 30, 'down').digits, rescale(decimal(now), 30, 'down').digits]
  if (was === 0n) return null
  const size = divide((is > was ? is - was : was - is) * 10_000n, was, 'halfUp')
  return Number(is < was ? -size : size)
}
