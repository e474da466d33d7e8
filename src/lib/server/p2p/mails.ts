/** Mails and notices to traders. They name the other side by nickname, never by name or address. */
import { eq, inArray } from 'drizzle-orm'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { averagePrice } from '#lib/domain/p2p/settle.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { disavowLink, type User, users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import type { Transaction } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type P2pOrderRow, p2pOrders, p2pTraders, p2pTrades } from './schema.ts'

const text = (units: bigint, currency: string) => `${formatExactUnits(units, currency)} ${currency}`
const linkOf = ({ origin }: Context, tab: 'ongoing' | 'history') => `${origin}/p2p?tab=${tab}`

const notMeOf = (context: Context, { id, email }: Pick<User, 'id' | 'email'>) => disavowLink(context, id, email)

/** Tells a seller about their new order, because somebody else may have listed it. */
export async function tellListed(context: Context, { enqueue }: Work, maker: User, order: P2pOrderRow): Promise<void> {
  const facts = {
    amount: text(order.listedAmount, order.assetCurrency),
    price: `${formatCoinPrice(order.pricePerCoin, order.assetCurrency)} ${order.settlementCurrency}`,
    link: linkOf(context, 'ongoing'),
    notMe: await notMeOf(context, maker)
  }
  await enqueue(mailTo(maker, 'p2pListed', facts))
}

const TRADED = 'p2p_traded'
/**
 * Written by `p2p_buy` and `p2p_fill_many`. `rest`: the amount that was left of the order; `together`: all trades of the same purchase. The mail addresses are those at the time of the trade: a customer
 * may have changed theirs since.
 */
type Traded = { id: string; rest: string; makerEmail: string; takerEmail: string; together?: string[] }

export function tellTradedJob(context: Context): JobKind {
  return {
    name: TRADED,
    role: 'worker',
    run: (payload) => transact(context, (work) => tellTraded(context, work, payload as Traded))
  }
}

async function tellTraded(
  context: Context,
  { tx, enqueue }: Work,
  { id, rest, makerEmail, takerEmail, together: ids = [id] }: Traded
): Promise<void> {
  const [found] = await tx
    .select({ trade: p2pTrades, order: p2pOrders })
    .from(p2pTrades)
    .innerJoin(p2pOrders, eq(p2pOrders.id, p2pTrades.orderId))
    .where(eq(p2pTrades.id, id))
  if (!found) throw new Error(`There is no trade ${id}`)
  const { order, trade } = found
  const { assetCurrency, settlementCurrency } = order
  const maker = { ...(await sideOf(tx, trade.makerId)), email: makerEmail }
  const taker = { ...(await sideOf(tx, trade.takerId)), email: takerEmail }
  const notMe = (side: typeof maker) => disavowLink(context, side.id, side.email, trade.tradedAt)
  const facts = {
    amount: text(trade.amount, assetCurrency),
    price: `${formatCoinPrice(order.pricePerCoin, assetCurrency)} ${settlementCurrency}`,
    link: linkOf(context, 'history')
  }
  const sold = mailTo(maker, 'p2pSold', {
    ...facts,
    notMe: await notMe(maker),
    by: taker.nickname,
    received: text(trade.gross - trade.fee, settlementCurrency),
    fee: text(trade.fee, settlementCurrency),
    rest: text(BigInt(rest), assetCurrency)
  })
  // With these keys a second run adds no mails while those of the first one still wait.
  await enqueue({ ...sold, key: `p2p-sold:${id}` })
  // The buyer gets one mail for all trades of a purchase: the job of the first trade writes it.
  if (ids[0] !== id) return
  const together = ids.length === 1 ? [trade] : await tx.select().from(p2pTrades).where(inArray(p2pTrades.id, ids))
  const sum = (of: 'amount' | 'gross') => together.reduce((all, one) => all + one[of], 0n)
  const average = averagePrice(together)
  const bought = mailTo(taker, 'p2pBought', {
    ...facts,
    ...(together.length > 1 && average && { price: `${writeDecimal(average)} ${settlementCurrency}` }),
    amount: text(sum('amount'), assetCurrency),
    notMe: await notMe(taker),
    by: maker.nickname,
    orders: together.length,
    paid: text(sum('gross'), settlementCurrency)
  })
  await enqueue({ ...bought, key: `p2p-bought:${id}` })
}

/** A customer, and the name that they trade under. */
async function sideOf(tx: Transaction, userId: string) {
  const [side] = await tx
    .select({ id: users.id, locale: users.locale, nickname: p2pTraders.nickname })
    .from(users)
    .innerJoin(p2pTraders, eq(p2pTraders.userId, users.id))
    .where(eq(users.id, userId))
  if (!side) throw new Error('A trade has no trader')
  return side
}

async function makerOf({ tx }: Work, { makerId }: P2pOrderRow): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, makerId))
  if (!user) throw new Error('An order has no maker')
  return user
}

const restOf = (order: P2pOrderRow) => text(order.listedAmount - order.filledAmount, order.assetCurrency)

/** Tells the seller that an order was ended, unless they cancelled it themselves. */
export async function tellEnded(context: Context, work: Work, order: P2pOrderRow): Promise<void> {
  if (order.end === null || order.end === 'owner') return
  const facts = { rest: restOf(order), why: order.end, link: linkOf(context, 'history') }
  await work.enqueue(mailTo(await makerOf(work, order), 'p2pEnded', facts))
}

export async function tellEnding(context: Context, work: Work, order: P2pOrderRow): Promise<void> {
  const facts = { rest: restOf(order), endsAt: order.expiresAt.toISOString(), link: linkOf(context, 'ongoing') }
  await work.enqueue(mailTo(await makerOf(work, order), 'p2pEnding', facts))
}
