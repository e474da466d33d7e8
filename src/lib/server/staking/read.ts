/** The customer's packages with staking, and what they pay. */
import { and, asc, count, desc, eq, gt, isNull, lt, min, or, type SQL, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { packageById, packageName } from '#lib/domain/orders/packages.ts'
import { rewardOfTerm, type StakeSort, type StakeStatus } from '#lib/domain/staking/terms.ts'
import { holdingsOf } from '../ledger/index.ts'
import { isListed, notBonusPackage, type OrderRow, orders, usd } from '../orders/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { AppError } from '../platform/errors.ts'
import { payouts, stakeSums, stakes } from './schema.ts'

/** Staked, and not of the promotion (spec section 5). As in the history, orders without an announced payment are left out after a day. */
const isStake = (userId: string, now: Date) =>
  and(eq(orders.userId, userId), gt(orders.stakingMonths, literal(0)), notBonusPackage, isListed(now))

const SORTED = { date: [orders.createdAt, orders.id], amount: [orders.fiatCents, orders.createdAt, orders.id] } as const

type Wanted = {
  search?: string | undefined
  status?: StakeStatus | undefined
  sort: StakeSort
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}

export async function listStakes(
  { db, clock }: Context,
  { userId, email }: Customer,
  { search = '', status, sort, direction, limit, offset }: Wanted
): Promise<Answer<'listStakes'>> {
  if (!email.toLowerCase().includes(search.replace(/\s/g, '').toLowerCase())) return { results: [], total: 0 }
  const wanted: SQL | undefined = and(isStake(userId, clock()), status && eq(orders.status, ORDER_STATUS[status]))
  const way = direction === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(orders)
      .where(wanted)
      .orderBy(...SORTED[sort].map((column) => way(column)))
      .limit(limit)
      .offset(offset),
    countStakes(db, userId, clock(), status)
  ])
  return { results: rows.map((row) => presentStake(row, email)), total }
}

/** The number of completed ones is kept by the database; the open ones are few. */
async function countStakes(db: Executor, userId: string, now: Date, status: StakeStatus | undefined): Promise<number> {
  const isOpen = and(
    isStake(userId, now),
    status ? eq(orders.status, ORDER_STATUS[status]) : lt(orders.status, literal(ORDER_STATUS.completed)),
    lt(orders.status, literal(ORDER_STATUS.completed))
  )
  const [sums, [open]] = await Promise.all([
    db.select({ orders: stakeSums.orders }).from(stakeSums).where(eq(stakeSums.userId, userId)),
    db.select({ total: count() }).from(orders).where(isOpen)
  ])
  const completed = !status || status === 'completed' ? sums.reduce((sum, row) => sum + row.orders, 0) : 0
  return completed + (open?.total ?? 0)
}

function presentStake(row: OrderRow, email: string): Answer<'listStakes'>['results'][number] {
  const config = packageById(row.configId)
  if (!config) throw new Error(`Order ${row.id} is of a package that does not exist: ${row.configId}`)
  return {
    orderId: row.id,
    name: packageName(config),
    email,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    isPaymentUnfit: row.unfitPayment !== null,
    fiatAmount: usd(row.fiatCents),
    fiatCurrency: 'USD',
    currency: config.type,
    units: (row.cpcUnits + row.ptcUnits).toString(),
    price: row.ptcPriceUsd ?? row.cpcPriceUsd,
    months: row.stakingMonths,
    rate: row.stakingRateHundredths
  }
}

const hasBonus = (userId: string, now: Date) => and(eq(orders.userId, userId), gt(orders.bonusUnits, 0n), isListed(now))

/** Throws `order_not_found`, also for another customer's order, and for one with neither staking nor bonus. */
export async function readStake({ db, clock }: Context, { userId, email }: Customer, id: string): Promise<Answer<'getStake'>> {
  const [row] = await db
    .select({ order: orders, stake: stakes })
    .from(orders)
    .leftJoin(stakes, eq(stakes.orderId, orders.id))
    .where(and(eq(orders.id, id), or(isStake(userId, clock()), hasBonus(userId, clock()))))
  if (!row) throw new AppError('order_not_found')
  const { order, stake } = row
  const schedule = await db
    .select()
    .from(payouts)
    .where(eq(payouts.orderId, id))
    .orderBy(asc(payouts.dueAt), desc(payouts.kind), asc(payouts.number))
  const stakeShown = presentStake(order, email)
  const isBonus = order.bonusUnits > 0n
  const shown = isBonus ? { ...stakeShown, units: order.bonusUnits.toString() } : stakeShown
  const kindPaid = isBonus ? 'bonus' : 'reward'
  const rewards = schedule.filter(({ kind, paidAt }) => kind === kindPaid && paidAt !== null)
  const endsAt = isBonus ? schedule.at(-1)?.dueAt : stake?.endsAt
  return {
    ...shown,
    bonusRate: order.bonusRateHundredths,
    startsAt: order.stakeStartsAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    reward: rewardOfTerm(BigInt(shown.units), shown.rate, shown.months).toString(),
    paid: rewards.reduce((sum, payout) => sum + payout.units, 0n).toString(),
    payouts: schedule.map(({ kind, number, units, dueAt, paidAt, cancelledAt }) => ({
      kind,
      number,
      units: units.toString(),
      dueAt: dueAt.toISOString(),
      paidAt: paidAt?.toISOString() ?? null,
      cancelledAt: cancelledAt?.toISOString() ?? null
    }))
  }
}

async function lockedOf(db: Executor, userId: string): Promise<Answer<'getStakingSummary'>['locked']> {
  const holdings = await holdingsOf(db, userId)
  return [...holdings].flatMap(([currency, { locked }]) => (locked > 0n ? [{ currency, units: locked.toString() }] : []))
}

/** What is paid next, of the day that comes first; with it the payouts of the stake whose reward comes first, if there is one. */
const nextOf = builtOnce((db) => {
  const isOpen = and(eq(payouts.userId, sql.placeholder('user')), isNull(payouts.paidAt), isNull(payouts.cancelledAt))
  const firstDay = db
    .select({ at: min(payouts.dueAt) })
    .from(payouts)
    .where(isOpen)
  const next = db
    .select({
      dueAt: sql`${payouts.dueAt}`.mapWith(payouts.dueAt).as('next_at'),
      kind: sql`${payouts.kind}`.mapWith(payouts.kind).as('next_kind'),
      currency: sql`${payouts.currency}`.mapWith(payouts.currency).as('next_currency'),
      units: sql<string>`sum(${payouts.units})::text`.as('next_units')
    })
    .from(payouts)
    .where(and(isOpen, eq(payouts.dueAt, sql`(${firstDay})`)))
    .groupBy(payouts.dueAt, payouts.kind, payouts.currency)
    .orderBy(desc(payouts.kind), asc(payouts.currency))
    .limit(1)
    .as('next')
  const firstOrder = db
    .select({ orderId: payouts.orderId })
    .from(payouts)
    .where(and(isOpen, eq(payouts.kind, 'reward')))
    .orderBy(asc(payouts.dueAt), asc(payouts.orderId))
    .limit(1)
  const { orderId, months, rateHundredths, startsAt, endsAt } = stakes
  const { currency, units, dueAt, paidAt } = payouts
  return db
    .select({
      next: { dueAt: next.dueAt, kind: next.kind, currency: next.currency, units: next.units },
      stake: { orderId, months, rateHundredths, startsAt, endsAt },
      payout: { currency, units, dueAt, paidAt }
    })
    .from(next)
    .leftJoin(stakes, eq(stakes.orderId, sql`(${firstOrder})`))
    .leftJoin(payouts, and(eq(payouts.orderId, stakes.orderId), eq(payouts.kind, 'reward'), isNull(payouts.cancelledAt)))
    .orderBy(asc(payouts.dueAt))
    .prepare('next_payout')
})

type Next = Awaited<ReturnType<ReturnType<typeof nextOf>['execute']>>

function presentTerm(rows: Next): Answer<'getStakingSummary'>['term'] {
  const [first] = rows
  if (!first?.stake || !first.payout) return null
  const { stake, payout } = first
  return {
    orderId: stake.orderId,
    currency: payout.currency,
    months: stake.months,
    rate: stake.rateHundredths,
    startsAt: stake.startsAt.toISOString(),
    endsAt: stake.endsAt.toISOString(),
    payouts: rows.flatMap(({ payout: one }) =>
      one ? [{ dueAt: one.dueAt.toISOString(), units: one.units.toString(), isPaid: one.paidAt !== null }] : []
    )
  }
}

/** The sums of a customer's stakes, by currency. */
export const sumsOf = builtOnce((db) =>
  db
    .select()
    .from(stakeSums)
    .where(eq(stakeSums.userId, sql.placeholder('user')))
    .orderBy(asc(stakeSums.currency))
    .prepare('stake_sums')
)

export async function readSummary(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<Customer, 'userId'>
): Promise<Answer<'getStakingSummary'>> {
  const [rows, locked, nextRows] = await Promise.all([
    sumsOf(db).execute({ user: userId }),
    lockedOf(db, userId),
    nextOf(db).execute({ user: userId })
  ])
  const next = nextRows[0]?.next
  return {
    staked: rows
      .filter(({ stakedUnits }) => stakedUnits > 0n)
      .map(({ currency, stakedUnits }) => ({ currency, units: stakedUnits.toString() })),
    locked,
    paid: rows.map(({ currency, paidUnits, paidCount, plannedCount }) => ({
      currency,
      units: paidUnits.toString(),
      count: paidCount,
      of: plannedCount
    })),
    next: next ? { ...next, dueAt: next.dueAt.toISOString() } : null,
    term: presentTerm(nextRows)
  }
}
