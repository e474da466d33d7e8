/** A customer buys from an order: asset, settlement and fee are booked in one posting. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { FRESH_PROOF_SECONDS } from '#lib/domain/access/credentials.ts'
import { decimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { checkPrice, UNITS_AT_ONE } from '#lib/domain/p2p/settle.ts'
import { formatExact, formatExactUnits } from '#lib/format/amount.ts'
import { lockProved } from '../access/index.ts'
import { bookingError, InsufficientFundsError } from '../ledger/index.ts'
import { actorText, type Customer, customerActor } from '../platform/actor.ts'
import { batchOnce, refuseTooOld } from '../platform/batch.ts'
import type { Context } from '../platform/context.ts'
import type { Executor, Transaction } from '../platform/db/client.ts'
import { runNamed } from '../platform/db/named.ts'
import { AppError } from '../platform/errors.ts'
import { hashOf, once } from '../platform/idempotency.ts'
import { tryAgain, tryTogether } from '../platform/transaction.ts'
import { type Rates, ratesOf } from '../rates/index.ts'
import { requireOpenGate, whitelistOf } from '../withdrawals/index.ts'
import { announceSoon } from './announce.ts'
import { centsOfDay, dayLimit, tooFarAway } from './limit.ts'
import { currentReference, isDoubted, requireSureReference } from './price.ts'
import { type P2pOrderRow, p2pOrders } from './schema.ts'
import type { P2pSettings } from './settings.ts'
import { ensureTrader } from './traders.ts'

type Fill = {
  id: string
  /** Smallest units; undefined for all that is left. */
  amount: string | undefined
  idempotencyKey: string | undefined
}

/**
 * Throws what `requireOpenGate` throws, `confirmation_required`, `p2p_order_not_found`, `p2p_order_over`, `p2p_own_order`,
 * `p2p_seller_unavailable`, `amount_invalid`, `p2p_fill_amount`, `p2p_price_far`,
 * `p2p_limit` and `p2p_funds_missing`; UnavailableError without a price.
 */
export async function fillOrder(
  context: Context,
  settings: P2pSettings,
  customer: Customer,
  fill: Fill
): Promise<Answer<'fillP2pOrder'>> {
  const since = performance.now()
  const readRates = await ratesOf(settings.rates)
  const purchase = { context, settings, customer, fill, readRates, since }
  // Where the price is in doubt, more is to be asked than the batch asks.
  const answer = await (isDoubted(readRates) ? fillAlone(purchase) : fillsOf(context).add(purchase))
  context.wakeJobs()
  announceSoon(context)
  return answer
}

/** Purchases of several customers share a statement. At most one is under way: a second one would only wait for its turn in the database. */
const fillsOf = batchOnce((context: Context) => ({
  run: (purchases: Purchase[]) => fillTogether(context, purchases),
  ownerOf: ({ customer }: Purchase) => customer.userId,
  isRepeatOf: ({ fill: { idempotencyKey: key } }: Purchase, earlier: Purchase) =>
    key !== undefined && key === earlier.fill.idempotencyKey,
  lanes: 1,
  areStrict: true,
  most: 64
}))

const requestOf = ({ id, amount, idempotencyKey: key }: Fill) => ({ key, call: 'p2p-fill', body: [id, amount ?? null] })

/** Throws what `refuseTooOld` throws. */
async function fillAlone(purchase: Purchase): Promise<Answer<'fillP2pOrder'>> {
  const { context, customer, fill, since } = purchase
  refuseTooOld(since, fill.idempotencyKey !== undefined)
  return fill.idempotencyKey === undefined
    ? // One statement, and so a transaction by itself.
      tryAgain(() => buy(context.db, context.clock(), purchase))
    : once(context, customerActor(customer), requestOf(fill), ({ tx, now }) => buy(tx, now, purchase))
}

/** Purchases that were left out before. Without owners: their buyers have them under way already, in `fillsOf`. */
const againOf = batchOnce((context: Context) => ({
  run: (tries: Try[]) => tryTogetherAgain(context, tries),
  // It may have been left out because its key is used.
  mayBeRepeat: ({ purchase: { fill } }: Try) => fill.idempotencyKey !== undefined,
  lanes: 1,
  areStrict: true,
  most: 64
}))
/**
 * `since`: when it was first left out, by `performance.now()`; undefined before. `isLast`: it was left out although its order was free then; if
 * it is left out once more with its order free, it is made alone.
 */
type Try = { purchase: Purchase; since: number | undefined; isLast: boolean }
type Answered = Answer<'fillP2pOrder'> | Promise<Answer<'fillP2pOrder'>>

/** A sweep, or a purchase that is made alone, holds an order for some milliseconds. */
const LOCKED_PAUSE_MS = 15
const LOCKED_MOST_MS = 1000

const fillTogether = (context: Context, purchases: Purchase[]): Promise<Answered[]> =>
  tryTogetherAgain(
    context,
    purchases.map((purchase) => ({ purchase, since: undefined, isLast: false }))
  )

/**
 * What `p2p_fill_many` leaves out is made alone, or refused there; the others do not wait for it. Several of one order are tried together again
 * while the order is locked, for at most a second, and once more when it is free. Alone, each would hold the order for itself, and all who come
 * meanwhile would find it locked.
 */
async function tryTogetherAgain(context: Context, tries: Try[]): Promise<Answered[]> {
  const answers = await fillMany(
    context,
    tries.map(({ purchase }) => purchase)
  )
  // The statement failed, or waited too long for its turn.
  if (!answers) return tries.map(({ purchase }) => fillAlone(purchase))
  const leftOut = tries.flatMap(({ purchase: { fill } }, index) => (answers.has(index + 1) ? [] : [fill.id]))
  const several = [...new Set(leftOut.filter((id, index) => leftOut.indexOf(id) !== index))]
  // Where this question fails, no order counts as locked: those who have bought must get their answers.
  const locked = several.length > 0 ? await lockedOf(context, several).catch(() => []) : []
  const now = performance.now()
  return tries.map(({ purchase, since = now, isLast }, index) => {
    const answer = answers.get(index + 1)
    if (answer) return answer
    const { id } = purchase.fill
    const again = (next: Pick<Try, 'isLast'>) => againOf(context).add({ purchase, since, ...next }, purchase.since)
    const isLocked = locked.includes(id)
    if (isLocked && now - since < LOCKED_MOST_MS) return pause(LOCKED_PAUSE_MS).then(() => again({ isLast: false }))
    return several.includes(id) && !isLocked && !isLast ? again({ isLast: true }) : fillAlone(purchase)
  })
}

/** Those of these orders that another transaction has locked. This question locks the others for a moment: `quickDb` does not wait for the disk. */
async function lockedOf({ quickDb }: Context, ids: string[]): Promise<string[]> {
  const isOne = inArray(p2pOrders.id, ids)
  const known = await quickDb.select({ id: p2pOrders.id }).from(p2pOrders).where(isOne)
  const free = await quickDb.select({ id: p2pOrders.id }).from(p2pOrders).where(isOne).for('update', { skipLocked: true })
  return known.map(({ id }) => id).filter((id) => !free.some((one) => one.id === id))
}

/** The purchases that were made in one statement, by their places from 1; undefined if the statement had to be given up. */
async function fillMany({ db, clock }: Context, purchases: Purchase[]): Promise<Map<number, Answer<'fillP2pOrder'>> | undefined> {
  const now = clock()
  const column = (read: (purchase: Purchase) => string | null | undefined) =>
    sql`${sql.param(purchases.map((one) => read(one) ?? null))}`
  const statement = sql`select request, answer from p2p_fill_many(
    ${column(() => randomUUID())}, ${column(({ customer }) => customer.userId)}, ${column(({ customer }) => actorText(customerActor(customer)))},
    ${column(({ fill }) => fill.idempotencyKey)}, ${column(({ fill }) => hashOf(requestOf(fill)))}, ${column(({ customer }) => customer.sessionId)},
    ${column(({ fill }) => fill.id)}, ${column(({ fill }) => fill.amount)}, ${column(({ readRates }) => referenceOf(readRates))},
    ${column(({ settings }) => dayLimit(settings.dayCents).toString())}, ${UNITS_AT_ONE}::numeric, ${provedSince(now)}::timestamptz,
    ${now.toISOString()}::timestamptz)`
  type Made = { request: number; answer: Answer<'fillP2pOrder'> }
  const made = await tryTogether(() => runNamed<Made>(db, 'p2p_fill_many', statement))
  return made && new Map(made.map(({ request, answer }) => [request, answer]))
}

export type Buyer = { context: Context; settings: P2pSettings; customer: Customer; readRates: () => Rates }
/** `since`: when it was asked for, by `performance.now()`. */
type Purchase = Buyer & { fill: Fill; since: number }

/** The result of the database's function `p2p_fill`; amounts as whole numbers. */
type Outcome = {
  refusal: Refusal | null
  amount: string
  gross: string
  fee: string
  rest: string
  smallest: string
  undeclared: string
}
export type Refusal = keyof typeof REFUSALS | 'trader' | 'gate'
/** What the sentence of a refusal may need: the order, where it is about one. */
type Refused = { order: string | undefined; smallest: string; rest: string }

/**
 * Two refusals are solved here, and the purchase is tried again: a new trader gets a name, and deposits that were found small enough are
 * passed to `p2p_fill`.
 */
const MOST_TRIES = 4

async function buy(db: Executor, now: Date, purchase: Purchase): Promise<Answer<'fillP2pOrder'>> {
  const { customer, fill } = purchase
  const tradeId = randomUUID()
  await requireSureForListed(db, now, purchase)
  let undeclared = ''
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const outcome = await ask(db, now, purchase, { tradeId, undeclared })
    if (outcome.refusal === null)
      return {
        id: tradeId,
        orderId: fill.id,
        assetAmount: outcome.amount,
        grossSettlementAmount: outcome.gross,
        settlementFeeAmount: outcome.fee
      }
    if (outcome.refusal === 'trader') await ensureTrader({ tx: db, now }, customer.userId)
    else if (outcome.refusal === 'gate') undeclared = await requireGate(db, now, purchase, outcome)
    else throw await REFUSALS[outcome.refusal](purchase, { ...outcome, order: fill.id }, db)
  }
  throw new Error(`The purchase ${tradeId} was refused for what had been mended`)
}

/** Throws UnavailableError while the price is in doubt, for a customer whose whitelist is on. */
export async function requireSureForListed(db: Executor, now: Date, { customer, readRates }: Buyer): Promise<void> {
  if (isDoubted(readRates) && (await whitelistOf(db, customer.userId, now)).isOn) requireSureReference(readRates())
}

const provedSince = (now: Date) => new Date(now.getTime() - FRESH_PROOF_SECONDS * 1000).toISOString()

/** `p2p_judge.sql` says what the function checks, `p2p_buy.sql` what it changes. */
async function ask(
  db: Executor,
  now: Date,
  { settings, customer, fill, readRates }: Purchase,
  { tradeId, undeclared }: { tradeId: string; undeclared: string }
): Promise<Outcome> {
  const statement = sql`
    select refusal, amount::text, gross::text, fee::text, rest::text, smallest::text, undeclared from p2p_fill(
      ${tradeId}::uuid, ${customer.userId}::uuid, ${actorText(customerActor(customer))}, ${customer.sessionId}::uuid,
      ${provedSince(now)}::timestamptz, ${fill.id}::uuid, ${fill.amount ?? null}::numeric, ${referenceOf(readRates)}::numeric,
      ${UNITS_AT_ONE}::numeric, ${dayLimit(settings.dayCents).toString()}::numeric, ${undeclared}::text, ${now.toISOString()}::timestamptz)`
  try {
    const [outcome] = await runNamed<Outcome>(db, 'p2p_fill', statement)
    if (!outcome) throw new Error('p2p_fill answered nothing')
    return outcome
  } catch (error) {
    throw bookingRefused(error, tradeId)
  }
}

/** The customer's error for a booking that the ledger refused: another one has just taken the funds. */
export function bookingRefused(error: unknown, tradeId: string): unknown {
  const refused = bookingError(error, tradeId)
  return refused instanceof InsufficientFundsError ? fundsMissing() : refused
}

/** The reference price as text; null without rates: the function then refuses with `unpriced`, unless it has another refusal. */
export function referenceOf(readRates: () => Rates): string | null {
  try {
    return writeDecimal(currentReference(readRates()))
  } catch {
    return null
  }
}

/**
 * Throws the reason if the gate is shut. If it is open after all, returns which deposits without details of their sender were found small
 * enough.
 */
export async function requireGate(
  db: Executor,
  now: Date,
  { context, customer, readRates }: Buyer,
  { undeclared }: { undeclared: string }
): Promise<string> {
  const user = await lockProved(context, { tx: db }, customer)
  await requireOpenGate(db, readRates(), user, P2P_SETTLEMENT, now)
  return undeclared
}

const fundsMissing = () => new AppError('p2p_funds_missing', { params: { currency: P2P_SETTLEMENT } })
const coins = (units: string) => `${formatExactUnits(BigInt(units), P2P_ASSET)} ${P2P_ASSET}`

/** The customer's error for each refusal. */
export const REFUSALS = {
  proof: async ({ context, customer }: Buyer, _: Refused, db: Executor) => {
    await lockProved(context, { tx: db }, customer)
    return new AppError('confirmation_required')
  },
  unpriced: ({ readRates }: Buyer) => {
    currentReference(readRates())
    return new Error('The price came back')
  },
  missing: () => new AppError('p2p_order_not_found'),
  over: () => new AppError('p2p_order_over'),
  own: () => new AppError('p2p_own_order'),
  seller: () => new AppError('p2p_seller_unavailable'),
  amount: () => new AppError('amount_invalid'),
  part: (_: Buyer, { smallest, rest }: Refused) =>
    new AppError('p2p_fill_amount', {
      params: { least: coins(BigInt(smallest) < BigInt(rest) ? smallest : rest), rest: coins(rest) }
    }),
  price: async ({ readRates }: Buyer, { order: id }: Refused, db: Executor) => {
    const reference = currentReference(readRates())
    const [order] = id ? await db.select({ price: p2pOrders.pricePerCoin }).from(p2pOrders).where(eq(p2pOrders.id, id)) : []
    const isFar = order !== undefined && checkPrice(decimal(order.price), reference) === 'refused'
    return new AppError(isFar ? 'p2p_price_far' : 'p2p_price_listed', {
      params: { reference: formatExact(writeDecimal(reference)) }
    })
  },
  limit: async ({ settings, customer, context }: Buyer, _: Refused, db: Executor) =>
    tooFarAway(centsOfDay(settings.dayCents, await whitelistOf(db, customer.userId, context.clock()))),
  funds: fundsMissing
}

/** The order, locked until the transaction ends. */
export async function lockOrder(tx: Transaction, id: string): Promise<P2pOrderRow | undefined> {
  const [order] = await tx.select().from(p2pOrders).where(eq(p2pOrders.id, id)).for('update')
  return order
}
