/** Completes an order whose payment the bank has booked, with everything that follows from it. */
import { and, eq, inArray } from 'drizzle-orm'
import { divide } from '#lib/domain/money/decimal.ts'
import { ORDER_STATUS, orderStatesBefore } from '#lib/domain/orders/order.ts'
import { packageById } from '#lib/domain/orders/packages.ts'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { formatExact, formatExactUnits, formatRate } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { users } from '../access/index.ts'
import { type Booking, customerAccount, house, post, type Transfer, withStock } from '../ledger/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { dailyPrice, type RatesSource, requireUndoubted, utcDay } from '../rates/index.ts'
import { isAsSold } from './asSold.ts'
import { orderLink } from './link.ts'
import { type OrderRow, releasesOf } from './present.ts'
import { currentCpcPrice, priceTokens } from './quote.ts'
import { orders } from './schema.ts'

export type PriceOfDay = ReturnType<typeof currentCpcPrice>

/**
 * The price of CPC on the day (yyyy-mm-dd) on which the bank booked a payment: the stored price of the day, or the current one if
 * none is stored. It is the same for everybody whose payment was booked on the same day. Throws UnavailableError.
 */
export async function priceOfDay(context: Context, rates: RatesSource, day: string): Promise<PriceOfDay> {
  const kept = day <= utcDay(context.clock()) ? await dailyPrice(context.db, 'CPC', day) : undefined
  if (kept) return kept
  const current = await rates.current()
  // The payment waits: it is priced once the price of its day is certain.
  requireUndoubted(current, 'CPC')
  return currentCpcPrice(current)
}

/** Lets other features add transfers to the booking of a completed order, and rows in its transaction. */
export type OnOrderCompleted = (context: Context, work: Work, order: OrderRow) => Promise<Transfer[]>

type Arrival = {
  order: OrderRow
  bookedOn: string
  price: PriceOfDay
  actor: Actor
  onOrderCompleted: OnOrderCompleted
  /** The account that the euros come from, and how many; by default from the bank, exactly what the order costs. */
  paid?: { from: 'bank' | 'suspense'; euroCents: bigint }
  /** Further transfers of the same booking. */
  also?: Transfer[]
}

/**
 * Fixes price and amounts, books payment and tokens, and lets other features add theirs. The caller has locked `order`; everything
 * is part of the caller's transaction.
 */
export async function recordArrival(context: Context, work: Work, arrival: Arrival): Promise<void> {
  const { transfers, ...booking } = await completeUnbooked(context, work, arrival)
  await post(work.tx, { ...booking, transfers: await withStock(work.tx, transfers) })
}

/** The same without the booking, which is returned: the caller books it in this transaction, with the stock that it needs (`stockFor`). */
export async function completeUnbooked(context: Context, work: Work, arrival: Arrival): Promise<Booking> {
  const { order, bookedOn, price, actor, onOrderCompleted, also = [] } = arrival
  const { paid = { from: 'bank', euroCents: order.euroCentsToPay } } = arrival
  const config = packageById(order.configId)
  if (!config) throw new Error(`Order ${order.id} is of a package that does not exist: ${order.configId}`)
  const { tx, now } = work
  if (!(await isAsSold(tx, order))) throw new Error(`Order ${order.id} is not what was sold: its row was changed`)
  const [completed] = await tx
    .update(orders)
    .set({
      ...priceTokens(config, price),
      status: ORDER_STATUS.completed,
      priceFixedAt: now,
      completedAt: now,
      stakeStartsAt: order.stakingMonths > 0 || order.bonusRateHundredths > 0 ? new Date(`${bookedOn}T00:00:00.000Z`) : null,
      updatedAt: now
    })
    .where(and(eq(orders.id, order.id), inArray(orders.status, orderStatesBefore(ORDER_STATUS.completed))))
    .returning()
  if (!completed) throw new Error(`Order ${order.id} was completed by somebody else while it was locked`)
  const units = completed.cpcUnits + completed.ptcUnits
  const transfers = [
    ...paymentTransfers(order, paid),
    {
      source: house('treasury'),
      destination: customerAccount(order.userId, order.stakingMonths > 0 ? 'staked' : 'spot'),
      currency: config.type,
      amount: units
    },
    ...(await onOrderCompleted(context, work, completed)),
    ...also
  ]
  await tellCustomer(context, work, completed, config.type, units)
  context.log.info({ orderId: order.id, bookedOn }, 'order completed')
  return {
    reason: 'order_completed',
    source: { type: 'order', id: order.id },
    reference: `order:${order.id}`,
    actor,
    transfers,
    at: now
  }
}

/** Splits the euros that arrived into the fee and the payment for the tokens; the fee's share is rounded down. */
function paymentTransfers(order: OrderRow, { from, euroCents }: NonNullable<Arrival['paid']>): Transfer[] {
  const feeCents = divide(euroCents * order.feeCents, order.totalCents, 'down')
  const euro = { source: house(from), currency: 'EUR' }
  return [
    { ...euro, destination: house('treasury'), amount: euroCents - feeCents },
    { ...euro, destination: house('fees'), amount: feeCents }
  ]
}

async function tellCustomer(
  context: Context,
  { tx, enqueue }: Work,
  order: OrderRow,
  token: 'CPC' | 'PTC',
  units: bigint
): Promise<void> {
  const [customer] = await tx.select().from(users).where(eq(users.id, order.userId))
  if (!customer) throw new Error(`Order ${order.id} has no customer`)
  const { stakingMonths: months, stakingRateHundredths, stakeStartsAt } = order
  const until = stakeStartsAt && months > 0 && formatDay(maturesAt(stakeStartsAt, months).toISOString())
  const releases = releasesOf(order)
  await enqueue(
    mailTo(customer, 'orderCompleted', {
      orderId: order.id,
      tokens: `${formatExactUnits(units, token)} ${token}`,
      price: `$${formatExact(order.ptcPriceUsd ?? order.cpcPriceUsd)}`,
      link: orderLink(context, order.id),
      ...(until && { staking: { months, rate: formatRate(stakingRateHundredths), until } }),
      ...(releases && {
        bonus: {
          tokens: `${formatExactUnits(order.bonusUnits, 'PTC')} PTC`,
          from: formatDay(releases.first),
          until: formatDay(releases.last)
        }
      })
    })
  )
}
