import { and, eq, inArray } from 'drizzle-orm'
import { divide } from '#lib/domain/money/decimal.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { packageById } from '#lib/domain/orders/packages.ts'
import { referralReward } from '#lib/domain/orders/purchase.ts'
import { maturesAt } from '#lib/domain/staking/terms.ts'
import { formatExact, formatExactUnits, formatRate } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { mails } from '#lib/messages/mails.ts'
import { customerAccount, house, post, type Transfer } from '../ledger/post.ts'
import type { Context } from '../platform/context.ts'
import type { Transaction } from '../platform/db/client.ts'
import { orders, stakes, users } from '../platform/db/schema.ts'
import { enqueueMail } from '../platform/jobs/enqueue.ts'
import type { Rates } from '../platform/ports.ts'
import type { OrderRow } from './present.ts'
import { cpcPrice, priceTokens } from './quote.ts'

/**
 * The payment of an open order was seen: fixes price and amounts, books payment, tokens and the inviter's reward, and
 * locks the stake. `order` is locked by the caller; everything is of the caller's transaction.
 */
export async function completeOrder(context: Context, tx: Transaction, order: OrderRow, rates: Rates): Promise<void> {
  const config = packageById(order.configId)
  if (!config) throw new Error(`Order ${order.id} is of a package that does not exist: ${order.configId}`)
  const now = context.clock()
  const priced = priceTokens(config, rates)
  const [completed] = await tx
    .update(orders)
    .set({ ...priced, status: ORDER_STATUS.completed, priceFixedAt: now, completedAt: now, updatedAt: now })
    .where(and(eq(orders.id, order.id), inArray(orders.status, [ORDER_STATUS.pending, ORDER_STATUS.processing])))
    .returning()
  if (!completed) throw new Error(`Order ${order.id} was completed by somebody else while it was locked`)
  const [customer] = await tx.select().from(users).where(eq(users.id, order.userId))
  if (!customer) throw new Error(`Order ${order.id} has no customer`)
  const units = config.type === 'CPC' ? priced.cpcUnits : priced.ptcUnits
  await post(tx, {
    reason: 'order_completed',
    reference: `order:${order.id}`,
    transfers: [
      ...paymentTransfers(order),
      {
        source: house('treasury'),
        destination: customerAccount(order.userId, order.stakingMonths > 0 ? 'staked' : 'spot'),
        currency: config.type,
        amount: units
      },
      ...rewardTransfers(customer.referredBy, order, cpcPrice(rates))
    ],
    at: now
  })
  if (order.stakingMonths > 0) {
    await tx.insert(stakes).values({
      orderId: order.id,
      userId: order.userId,
      currency: config.type,
      units,
      months: order.stakingMonths,
      rateHundredths: order.stakingRateHundredths,
      startsAt: now,
      endsAt: maturesAt(now, order.stakingMonths)
    })
  }
  await enqueueMail(context, tx, customer.email, completionMail(completed, config.type, units))
}

/** The EUR that arrived: the fee apart from what pays for the tokens; the fee's share is rounded down. */
function paymentTransfers(order: OrderRow): Transfer[] {
  const feeCents = divide(order.euroCentsToPay * order.feeCents, order.totalCents, 'down')
  const euro = { source: house('bank'), currency: 'EUR' }
  return [
    { ...euro, destination: house('treasury'), amount: order.euroCentsToPay - feeCents },
    { ...euro, destination: house('fees'), amount: feeCents }
  ]
}

function rewardTransfers(inviterId: string | null, order: OrderRow, price: string): Transfer[] {
  const amount = inviterId ? referralReward(order.fiatCents, price) : 0n
  if (!inviterId || amount === 0n) return []
  return [{ source: house('rewards'), destination: customerAccount(inviterId, 'reward'), currency: 'CPC', amount }]
}

function completionMail(order: OrderRow, token: 'CPC' | 'PTC', units: bigint) {
  const price = order.ptcPriceUsd ?? order.cpcPriceUsd
  const staking =
    order.stakingMonths > 0 && order.completedAt
      ? `They are staked for ${order.stakingMonths} months at ${formatRate(order.stakingRateHundredths)} a year, until ${formatDay(maturesAt(order.completedAt, order.stakingMonths).toISOString())}.`
      : undefined
  return mails.orderCompleted({
    orderId: order.id,
    tokens: `${formatExactUnits(units, token)} ${token}`,
    price: `$${formatExact(price)}`,
    staking
  })
}
