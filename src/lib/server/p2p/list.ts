/** A customer lists a sell order: everything is checked, and the amount is frozen, in one transaction. */
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { type Decimal, decimal, rescale, writeDecimal } from '#lib/domain/money/decimal.ts'
import { MOST_OPEN_ORDERS, P2P_ASSET, P2P_SETTLEMENT, type P2pDays } from '#lib/domain/p2p/order.ts'
import { checkPrice, distanceOf, grossOf, isNearEnough, netOf, PRICE_PLACES, readPrice } from '#lib/domain/p2p/settle.ts'
import { formatExact, formatExactUnits } from '#lib/format/amount.ts'
import { lockProved, users } from '../access/index.ts'
import { customerAccount, lockedHolding, post, type Transfer } from '../ledger/index.ts'
import { type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import type { Work } from '../platform/transaction.ts'
import { type Rates, ratesOf } from '../rates/index.ts'
import { checkGate, gateFacts, whitelistOf } from '../withdrawals/index.ts'
import { announceChange } from './announce.ts'
import { awaySql, centsOfDay, requireNearEnough } from './limit.ts'
import { tellListed } from './mails.ts'
import { currentReference, requireSureReference } from './price.ts'
import { isOpenOrder, type P2pOrderRow, p2pOrders } from './schema.ts'
import type { P2pSettings } from './settings.ts'
import { ensureTrader } from './traders.ts'

export type Listing = {
  assetCurrency: string
  settlementCurrency: string
  /** Smallest units. */
  listedAssetAmount: string
  pricePerCoin: string
  smallestFillAmount?: string | undefined
  expiresInDays: P2pDays
}

type Terms = Omit<Listing, 'expiresInDays'>
type Checked = { amount: bigint; pricePerCoin: string; smallestFill: bigint; difference: bigint }

/** Throws `currency_unsupported`, `amount_invalid`, `p2p_amount_small`, `p2p_price_invalid`, `p2p_price_far`; UnavailableError without a price. */
function check({ smallestAmount }: P2pSettings, rates: Rates, terms: Terms): Checked {
  if (terms.assetCurrency !== P2P_ASSET || terms.settlementCurrency !== P2P_SETTLEMENT) throw new AppError('currency_unsupported')
  const amount = BigInt(terms.listedAssetAmount)
  if (amount <= 0n) throw new AppError('amount_invalid')
  const smallestFill = terms.smallestFillAmount === undefined ? smallestAmount : BigInt(terms.smallestFillAmount)
  const least = `${formatExactUnits(smallestAmount, P2P_ASSET)} ${P2P_ASSET}`
  if (amount < smallestAmount || smallestFill < smallestAmount) throw new AppError('p2p_amount_small', { params: { least } })
  const price = readPrice(terms.pricePerCoin)
  if (!price) throw new AppError('p2p_price_invalid')
  const reference = currentReference(rates)
  if (checkPrice(price, reference) === 'refused')
    throw new AppError('p2p_price_far', { params: { reference: formatExact(writeDecimal(reference)) } })
  const pricePerCoin = writeDecimal(rescale(price, PRICE_PLACES, 'down'))
  return {
    amount,
    pricePerCoin,
    smallestFill: smallestFill < amount ? smallestFill : amount,
    difference: distanceOf({ ...terms, pricePerCoin }, amount, reference)
  }
}

/**
 * What buyers would pay for the whole order, and the part of it that the seller would get. Throws what `listOrder` throws for these
 * terms.
 */
export async function previewOrder(settings: P2pSettings, terms: Terms): Promise<Answer<'previewP2pOrder'>> {
  const { amount, pricePerCoin } = check(settings, await settings.rates.current(), terms)
  const gross = grossOf({ ...terms, pricePerCoin }, amount)
  const net = netOf(gross, settings.feeBasisPoints)
  return {
    grossSettlementAmount: gross.toString(),
    netSettlementAmount: net.toString(),
    settlementFeeAmount: (gross - net).toString(),
    feeBasisPoints: settings.feeBasisPoints
  }
}

const DAY_MS = 24 * 3_600_000

/**
 * Throws what `requireOpenGate` throws, `confirmation_required`, `currency_unsupported`, `amount_invalid`, `p2p_amount_small`,
 * `p2p_price_invalid`, `p2p_price_far`, `p2p_price_listed`, `p2p_orders_open`, `p2p_limit`, `p2p_funds_missing`; UnavailableError without a price.
 */
export async function listOrder(
  context: Context,
  settings: P2pSettings,
  customer: Customer,
  listing: Listing & { idempotencyKey: string | undefined }
): Promise<{ id: string }> {
  const { idempotencyKey: key, expiresInDays, ...terms } = listing
  const readRates = await ratesOf(settings.rates)
  return once(context, customerActor(customer), { key, call: 'p2p-list', body: [terms, expiresInDays] }, async (work) => {
    const { tx, now } = work
    // Only here: a repeated request gets the answer of the first one, even if there are no prices by now.
    const rates = readRates()
    const checked = check(settings, rates, terms)
    const { difference } = checked
    const user = await lockProved(context, work, customer)
    const [facts] = await tx
      .select({ ...gateFacts(user.id, now), away: awaySql(user.id, now) })
      .from(users)
      .where(eq(users.id, user.id))
    if (!facts) throw new Error('There is no such customer')
    checkGate(rates, terms.assetCurrency, facts)
    await requireFewOpen(work, user.id)
    const whitelist = await whitelistOf(tx, user.id, now)
    if (whitelist.isOn) requireListedPrice(rates, decimal(checked.pricePerCoin))
    requireNearEnough(centsOfDay(settings.dayCents, whitelist), { away: facts.away, difference })
    await ensureTrader(work, user.id)
    const row: P2pOrderRow = {
      id: randomUUID(),
      makerId: user.id,
      assetCurrency: terms.assetCurrency,
      settlementCurrency: terms.settlementCurrency,
      listedAmount: checked.amount,
      filledAmount: 0n,
      smallestFill: checked.smallestFill,
      pricePerCoin: checked.pricePerCoin,
      feeBasisPoints: settings.feeBasisPoints,
      difference,
      grossSettled: 0n,
      feeSettled: 0n,
      status: 'PENDING',
      end: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + expiresInDays * DAY_MS),
      noticedAt: null,
      completedAt: null,
      cancelledAt: null
    }
    await tx.insert(p2pOrders).values(row)
    await freeze(work, row)
    await announceChange(work)
    await tellListed(context, work, user, row)
    return { id: row.id }
  })
}

async function requireFewOpen({ tx }: Work, userId: string): Promise<void> {
  const open = await tx
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .where(and(eq(p2pOrders.makerId, userId), isOpenOrder))
    .limit(MOST_OPEN_ORDERS)
  if (open.length >= MOST_OPEN_ORDERS) throw new AppError('p2p_orders_open', { params: { most: MOST_OPEN_ORDERS } })
}

/** Takes the amount from funding first, the rest from spot. */
async function freeze({ tx, now }: Work, { id, makerId, assetCurrency: currency, listedAmount }: P2pOrderRow): Promise<void> {
  const holding = await lockedHolding(tx, makerId, currency)
  const funding = holding.funding < listedAmount ? holding.funding : listedAmount
  const spot = listedAmount - funding
  if (spot > holding.spot) throw new AppError('p2p_funds_missing', { params: { currency } })
  const destination = customerAccount(makerId, 'frozen')
  const parts: Transfer[] = [
    { source: customerAccount(makerId, 'funding'), destination, currency, amount: funding },
    { source: customerAccount(makerId, 'spot'), destination, currency, amount: spot }
  ]
  await post(tx, {
    reason: 'p2p_listed',
    source: { type: 'p2p_order', id },
    reference: `p2p:${id}`,
    actor: customerActor({ userId: makerId }),
    transfers: parts.filter(({ amount }) => amount > 0n),
    at: now
  })
}

/**
 * Throws `p2p_price_listed`: with the whitelist on, a sale at a bad price would pay somebody who is not on it. While the price is in doubt nobody
 * knows which price is bad: UnavailableError.
 */
function requireListedPrice(rates: Rates, price: Decimal): void {
  requireSureReference(rates)
  const reference = currentReference(rates)
  if (isNearEnough(price, reference)) return
  throw new AppError('p2p_price_listed', { params: { reference: formatExact(writeDecimal(reference)) } })
}
