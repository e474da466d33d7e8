/** Mails and notices to traders. They name the other side by nickname, never by name or address. */
import { eq } from 'drizzle-orm'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p.ts'
import { disavowLink, type User, users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import type { P2pOrderRow, P2pTradeRow } from './schema.ts'

const text = (units: bigint, currency: string) => `${formatExactUnits(units, currency)} ${currency}`
const linkOf = ({ origin }: Context, tab: 'ongoing' | 'history') => `${origin}/p2p?tab=${tab}`

const notMeOf = (context: Context, { id, email }: Pick<User, 'id' | 'email'>) => disavowLink(context, id, email)

/** An order that somebody else may have listed. */
export async function tellListed(context: Context, { enqueue }: Work, maker: User, order: P2pOrderRow): Promise<void> {
  const facts = {
    amount: text(order.listedAmount, order.assetCurrency),
    price: `${formatCoinPrice(order.pricePerCoin, order.assetCurrency)} ${order.settlementCurrency}`,
    link: linkOf(context, 'ongoing'),
    notMe: await notMeOf(context, maker)
  }
  await enqueue(mailTo(maker, 'p2pListed', facts))
}

type Side = Pick<User, 'id' | 'email' | 'locale'>
/** Customers and the names that they trade under. */
type Sides = { maker: Side; seller: string; taker: Side; buyer: string }

/** Both sides. */
export async function tellTraded(
  context: Context,
  { enqueue }: Work,
  order: P2pOrderRow,
  { amount, gross, fee }: P2pTradeRow,
  { maker, seller, taker, buyer }: Sides
): Promise<void> {
  const { assetCurrency, settlementCurrency, listedAmount, filledAmount } = order
  const facts = {
    amount: text(amount, assetCurrency),
    price: `${formatCoinPrice(order.pricePerCoin, assetCurrency)} ${settlementCurrency}`,
    link: linkOf(context, 'history')
  }
  await enqueue(
    mailTo(maker, 'p2pSold', {
      ...facts,
      notMe: await notMeOf(context, maker),
      by: buyer,
      received: text(gross - fee, settlementCurrency),
      fee: text(fee, settlementCurrency),
      rest: text(listedAmount - filledAmount - amount, assetCurrency)
    }),
    mailTo(taker, 'p2pBought', {
      ...facts,
      notMe: await notMeOf(context, taker),
      by: seller,
      paid: text(gross, settlementCurrency)
    })
  )
}

async function makerOf({ tx }: Work, { makerId }: P2pOrderRow): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, makerId))
  if (!user) throw new Error('An order has no maker')
  return user
}

const restOf = (order: P2pOrderRow) => text(order.listedAmount - order.filledAmount, order.assetCurrency)

/** A cancelled order: nothing is mailed about what the owner did themselves. */
export async function tellEnded(context: Context, work: Work, order: P2pOrderRow): Promise<void> {
  if (order.end === null || order.end === 'owner') return
  const facts = { rest: restOf(order), why: order.end, link: linkOf(context, 'history') }
  await work.enqueue(mailTo(await makerOf(work, order), 'p2pEnded', facts))
}

export async function tellEnding(context: Context, work: Work, order: P2pOrderRow): Promise<void> {
  const facts = { rest: restOf(order), endsAt: order.expiresAt.toISOString(), link: linkOf(context, 'ongoing') }
  await work.enqueue(mailTo(await makerOf(work, order), 'p2pEnding', facts))
}
