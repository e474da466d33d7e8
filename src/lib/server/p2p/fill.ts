/** A customer buys of an order: asset, settlement and fee change hands in one posting. */
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { type Decimal, decimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { fillFault } from '#lib/domain/p2p/order.ts'
import { distanceOf, judgePrice, type Settlement, settle } from '#lib/domain/p2p/settle.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { heldSql, lockProved, users } from '../access/index.ts'
import { verifiedSql } from '../identity/index.ts'
import { balanceSql, customerAccount, house, InsufficientFundsError, post, type Transfer } from '../ledger/index.ts'
import { type Customer, customerActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf, type Transaction } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { once } from '../platform/idempotency.ts'
import type { Work } from '../platform/transaction.ts'
import { gateFacts, judgeGate } from '../withdrawals/index.ts'
import { awaySql, requireNearEnough } from './limit.ts'
import { announcement } from './live.ts'
import { currentReference, ratesOf } from './price.ts'
import { type P2pOrderRow, type P2pTradeRow, p2pOrders, p2pTrades } from './schema.ts'
import type { P2pSettings } from './settings.ts'
import { tellTraded } from './tell.ts'
import { ensureTrader, nicknameSql } from './traders.ts'

type Fill = {
  id: string /** Smallest units; all that is left without it. */
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
  const { id, amount: asked, idempotencyKey: key } = fill
  const readRates = await ratesOf(settings.rates)
  return once(context, customerActor(customer), { key, call: 'p2p-fill', body: [id, asked ?? null] }, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    const order = await lockOrder(tx, id)
    // Asked after the locks: as both sides are now.
    const facts = await factsOf(work, user.id, order)
    const rates = readRates()
    judgeGate(rates, user, facts, now)
    if (!order) throw new AppError('p2p_order_not_found')
    if (order.status !== 'PENDING' || order.expiresAt <= now) throw new AppError('p2p_order_over')
    if (order.makerId === user.id) throw new AppError('p2p_own_order')
    requireSeller(facts)
    const amount = amountOf(order, asked)
    const difference = distanceNow(order, amount, currentReference(rates))
    requireNearEnough(settings.dayCents, { away: facts.away, difference })
    const settled = settle({ ...order, grossBefore: order.grossSettled }, amount)
    const buyer = facts.buyer ?? (await ensureTrader(work, user.id))
    const trade = await keep(work, order, { takerId: user.id, amount, settled, difference })
    await tellTraded(context, work, order, trade, { maker: facts.maker, seller: facts.seller ?? '', taker: user, buyer })
    // Last: it locks accounts that many trades share, the fees above all.
    await book(work, order, trade, facts)
    return {
      id: trade.id,
      orderId: order.id,
      assetAmount: amount.toString(),
      grossSettlementAmount: settled.gross.toString(),
      settlementFeeAmount: settled.fee.toString()
    }
  })
}

/** Throws `p2p_price_far`: an order may stand for weeks, and its price be far from the reference by now. */
function distanceNow(order: P2pOrderRow, amount: bigint, reference: Decimal): bigint {
  if (judgePrice(decimal(order.pricePerCoin), reference) === 'refused')
    throw new AppError('p2p_price_far', { params: { reference: writeDecimal(reference) } })
  return distanceOf(order, amount, reference)
}

/** The order, locked until the transaction ends. */
export async function lockOrder(tx: Transaction, id: string): Promise<P2pOrderRow | undefined> {
  const [order] = await tx.select().from(p2pOrders).where(eq(p2pOrders.id, id)).for('update')
  return order
}

/** What a purchase depends on besides the order, in one question. */
async function factsOf({ tx, now }: Work, takerId: string, order: P2pOrderRow | undefined) {
  const makerId = order?.makerId ?? takerId
  const currency = order?.settlementCurrency ?? ''
  const [facts] = await tx
    .select({
      ...gateFacts(takerId),
      away: awaySql(takerId, now),
      funding: balanceSql(takerId, currency, 'funding'),
      spot: balanceSql(takerId, currency, 'spot'),
      buyer: nicknameSql(takerId),
      seller: nicknameSql(makerId),
      maker: { id: users.id, email: users.email, locale: users.locale, lockedAt: users.lockedAt },
      isMakerVerified: verifiedSql(makerId),
      isMakerHeld: heldSql(makerId)
    })
    .from(users)
    .where(eq(users.id, makerId))
  if (!facts) throw new Error('A trader is no customer')
  return facts
}

type Facts = Awaited<ReturnType<typeof factsOf>>

/** Nothing is bought from somebody whose check lapsed, who is locked out, or at whom an operator must look first. */
function requireSeller({ maker, isMakerVerified, isMakerHeld }: Facts): void {
  if (maker.lockedAt || !isMakerVerified || isMakerHeld) throw new AppError('p2p_seller_unavailable')
}

function amountOf({ listedAmount, filledAmount, smallestFill, assetCurrency }: P2pOrderRow, asked: string | undefined): bigint {
  const rest = listedAmount - filledAmount
  const amount = asked === undefined ? rest : BigInt(asked)
  if (amount <= 0n) throw new AppError('amount_invalid')
  if (fillFault({ rest, smallestFill }, amount)) {
    const text = (units: bigint) => `${formatExactUnits(units, assetCurrency)} ${assetCurrency}`
    throw new AppError('p2p_fill_amount', {
      params: { least: text(smallestFill < rest ? smallestFill : rest), rest: text(rest) }
    })
  }
  return amount
}

type Filled = { takerId: string; amount: bigint; settled: Settlement; difference: bigint }

async function keep(
  { tx, now }: Work,
  order: P2pOrderRow,
  { takerId, amount, settled, difference }: Filled
): Promise<P2pTradeRow> {
  const trade: P2pTradeRow = {
    id: randomUUID(),
    orderId: order.id,
    makerId: order.makerId,
    takerId,
    amount,
    gross: settled.gross,
    fee: settled.fee,
    difference,
    tradedAt: now
  }
  const isSold = order.filledAmount + amount === order.listedAmount
  const at = now.toISOString()
  // One statement, so that an order and its trades are never apart.
  const kept = await tx.execute(sql`
    with sold as (
      update ${p2pOrders} set
        filled_amount = filled_amount + ${amount.toString()}::numeric,
        gross_settled = gross_settled + ${trade.gross.toString()}::numeric,
        fee_settled = fee_settled + ${trade.fee.toString()}::numeric,
        status = ${isSold ? 'COMPLETED' : 'PENDING'},
        completed_at = ${isSold ? at : null}::timestamptz
      where id = ${order.id} and status = 'PENDING' and filled_amount = ${order.filledAmount.toString()}::numeric
      returning id, ${announcement}
    )
    insert into ${p2pTrades} (id, order_id, maker_id, taker_id, amount, gross, fee, difference, traded_at)
    select ${trade.id}, id, ${trade.makerId}, ${takerId}, ${amount.toString()}::numeric, ${trade.gross.toString()}::numeric,
      ${trade.fee.toString()}::numeric, ${difference.toString()}::numeric, ${at}::timestamptz
    from sold returning id`)
  if (rowsOf(kept).length !== 1) throw new Error(`Order ${order.id} changed while it was locked`)
  return trade
}

/** The buyer pays from funding, into which what is missing there comes from spot: the seller sees one amount. Both receive into funding. */
async function book(
  { tx, now }: Work,
  order: P2pOrderRow,
  { id, makerId, takerId, amount, gross, fee }: P2pTradeRow,
  facts: Facts
): Promise<void> {
  const currency = order.settlementCurrency
  // Not locked: only the posting locks accounts, all of them in one order.
  const [inFunding, inSpot] = [BigInt(facts.funding), BigInt(facts.spot)]
  const gap = gross > inFunding ? gross - inFunding : 0n
  if (gap > inSpot) throw new AppError('p2p_funds_missing', { params: { currency } })
  const [funding, spot] = [customerAccount(takerId, 'funding'), customerAccount(takerId, 'spot')]
  const transfers: Transfer[] = [
    { source: customerAccount(makerId, 'frozen'), destination: funding, currency: order.assetCurrency, amount },
    { source: spot, destination: funding, currency, amount: gap },
    { source: funding, destination: customerAccount(makerId, 'funding'), currency, amount: gross - fee },
    { source: funding, destination: house('fees'), currency, amount: fee }
  ]
  try {
    await post(tx, {
      reason: 'p2p_traded',
      source: { type: 'p2p_trade', id },
      reference: `p2p-trade:${id}`,
      actor: customerActor({ userId: takerId }),
      transfers: transfers.filter((transfer) => transfer.amount > 0n),
      at: now
    })
  } catch (error) {
    // Something else took the funds in this very moment.
    if (error instanceof InsufficientFundsError) throw new AppError('p2p_funds_missing', { params: { currency } })
    throw error
  }
}
