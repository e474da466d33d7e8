/** A customer buys an amount across the book: the best orders, in one transaction, all of them or none. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { FRESH_PROOF_SECONDS } from '#lib/domain/access/credentials.ts'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { MOST_SWEPT, P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { averagePrice, UNITS_AT_ONE } from '#lib/domain/p2p/settle.ts'
import { formatExactMoneyUnits, formatExactUnits } from '#lib/format/amount.ts'
import { actorText, type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { runNamed } from '../platform/db/named.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import { tryAgain } from '../platform/transaction.ts'
import { ratesOf } from '../rates/index.ts'
import { announceSoon } from './announce.ts'
import { type Buyer, bookingRefused, REFUSALS, type Refusal, referenceOf, requireGate, requireSureForListed } from './fill.ts'
import { dayLimit } from './limit.ts'
import type { P2pSettings } from './settings.ts'
import { ensureTrader } from './traders.ts'

/** Smallest units: the amount to buy, the least of it that will do, and the most that it may cost. */
type Sweep = { amount: string; least: string; most: string }
type Part = Answer<'previewP2pSweep'>['orders'][number]

/** What `p2p_sweep` would buy now. Less than `amount` where the book has less for this customer. */
export async function previewSweep(
  { db, clock }: Context,
  settings: P2pSettings,
  { userId }: Customer,
  amount: string
): Promise<Answer<'previewP2pSweep'>> {
  const readRates = await ratesOf(settings.rates)
  const answer = await db.execute(sql`
    select n.order_id::text as "orderId", n.amount::text as "assetAmount", n.gross::text as "grossSettlementAmount"
    from p2p_plan(${userId}::uuid, ${amount}::numeric, ${MOST_SWEPT}::integer, null, ${referenceOf(readRates)}::numeric,
      ${UNITS_AT_ONE}::numeric, ${clock().toISOString()}::timestamptz) n`)
  const orders = rowsOf<Part>(answer)
  const sum = (of: 'assetAmount' | 'grossSettlementAmount') => orders.reduce((all, one) => all + BigInt(one[of]), 0n)
  const [got, gross] = [sum('assetAmount'), sum('grossSettlementAmount')]
  const average = averagePrice([{ amount: got, gross }])
  return {
    orders,
    assetAmount: got.toString(),
    grossSettlementAmount: gross.toString(),
    averagePrice: average ? writeDecimal(average) : null
  }
}

/** How often it is tried again where others buy of the same orders, or a refusal was mended. */
const MOST_TRIES = 10

type Outcome = {
  refusal: Refusal | 'short' | 'moved' | 'dear' | null
  amount: string
  gross: string
  trades: Answer<'fillP2pOrder'>[] | null
  undeclared: string
}

/**
 * Throws what `fillOrder` throws, except for errors about a single order, `amount_invalid` where the least is more than the amount, and `p2p_book_short`, `p2p_book_dear`.
 */
export async function sweepBook(
  context: Context,
  settings: P2pSettings,
  customer: Customer,
  { idempotencyKey: key, ...sweep }: Sweep & { idempotencyKey: string | undefined }
): Promise<Answer<'sweepP2pBook'>> {
  const buyer: Buyer = { context, settings, customer, readRates: await ratesOf(settings.rates) }
  const { amount, least, most } = sweep
  if (BigInt(amount) === 0n || BigInt(least) > BigInt(amount)) throw new AppError('amount_invalid')
  const answer =
    key === undefined
      ? await tryAgain(() => buy(context.db, context.clock(), buyer, sweep))
      : await once(context, customerActor(customer), { key, call: 'p2p-sweep', body: [amount, least, most] }, ({ tx, now }) =>
          buy(tx, now, buyer, sweep)
        )
  context.wakeJobs()
  announceSoon(context)
  return answer
}

/** An order changed between the plan and its purchase, or its seller did. */
const MOVED: Outcome['refusal'][] = ['moved', 'missing', 'over', 'seller', 'part', 'own']

async function buy(db: Executor, now: Date, buyer: Buyer, sweep: Sweep): Promise<Answer<'sweepP2pBook'>> {
  await requireSureForListed(db, now, buyer)
  let undeclared = ''
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { refusal, amount, gross, trades, ...outcome } = await ask(db, now, buyer, sweep, undeclared)
    if (refusal === null) return { trades: trades ?? [], assetAmount: amount, grossSettlementAmount: gross }
    if (refusal === 'trader') await ensureTrader({ tx: db, now }, buyer.customer.userId)
    else if (refusal === 'gate') undeclared = await requireGate(db, now, buyer, outcome)
    else if (MOVED.includes(refusal) && tries < MOST_TRIES) continue
    else if (refusal === 'short' || refusal === 'moved')
      throw new AppError('p2p_book_short', { params: { amount: coins(amount) } })
    else if (refusal === 'dear')
      throw new AppError('p2p_book_dear', {
        params: { amount: coins(amount), cost: `${formatExactMoneyUnits(gross, P2P_SETTLEMENT)} ${P2P_SETTLEMENT}` }
      })
    else throw await REFUSALS[refusal](buyer, { order: undefined, smallest: '0', rest: '0' }, db)
  }
  throw new Error('A purchase across the book was refused for what had been mended')
}

const coins = (units: string) => `${formatExactUnits(units, P2P_ASSET)} ${P2P_ASSET}`

/** `p2p_sweep.sql` says what the function checks and changes. */
async function ask(
  db: Executor,
  now: Date,
  { customer, settings, readRates }: Buyer,
  { amount, least, most }: Sweep,
  undeclared: string
): Promise<Outcome> {
  const provedSince = new Date(now.getTime() - FRESH_PROOF_SECONDS * 1000)
  const ids = Array.from({ length: MOST_SWEPT }, () => randomUUID())
  const statement = sql`
    select refusal, amount::text, gross::text, trades, undeclared from p2p_sweep(
      ${`{${ids.join(',')}}`}::uuid[], ${customer.userId}::uuid, ${actorText(customerActor(customer))}, ${customer.sessionId}::uuid,
      ${provedSince.toISOString()}::timestamptz, ${amount}::numeric, ${least}::numeric, ${most}::numeric, ${referenceOf(readRates)}::numeric,
      ${UNITS_AT_ONE}::numeric, ${dayLimit(settings.dayCents).toString()}::numeric, ${undeclared}::text, ${now.toISOString()}::timestamptz)`
  try {
    const [outcome] = await runNamed<Outcome>(db, 'p2p_sweep', statement)
    if (!outcome) throw new Error('p2p_sweep answered nothing')
    return outcome
  } catch (error) {
    throw bookingRefused(error, ids[0] ?? '')
  }
}
