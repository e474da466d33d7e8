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
import { AppError } from '../platform/errors.ts'
import { payouts, stakeSums, stakes } from './schema.ts'

/** Staked, and not of the promotion (spec section 5). As in the history, orders without an announced payment are left out after a day. */
const isStake = (userId: string, now: Date) =>
  and(eq(orders.userId, userId), gt(orders.stakingMonths, 0), notBonusPackage, isListed(now))

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
    status ? eq(orders.status, ORDER_STATUS[status]) : lt(orders.status, ORDER_STATUS.completed),
    lt(orders.status, ORDER_STATUS.completed)
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

const termOf = builtOnce((db) => {
  const isOpen = and(
    eq(payouts.userId, sql.placeholder('user')),
    eq(payouts.kind, 'reward'),
    isNull(payouts.paidAt),
    isNull(payouts.cancelledAt)
  )
  const first = db
    .select({ orderId: payouts.orderId })
    .from(payouts)
    .where(isOpen)
    .orderBy(asc(payouts.dueAt), asc(payouts.orderId))
    .limit(1)
  return db
    .select({ stake: stakes, currency: payouts.currency, units: payouts.units, dueAt: payouts.dueAt, paidAt: payouts.paidAt })
    .from(stakes)
    .innerJoin(payouts, and(eq(payouts.orderId, stakes.orderId), eq(payouts.kind, 'reward'), isNull(payouts.cancelledAt)))
    .where(eq(stakes.orderId, sql`(${first})`))
    .orderBy(asc(payouts.dueAt))
    .prepare('stake_term')
})

async function readTerm(db: Executor, userId: string): Promise<Answer<'getStakingSummary'>['term']> {
  const rows = await termOf(db).execute({ user: userId })
  const [row] = rows
  if (!row) return null
  const { stake, currency } = row
  return {
    orderId: stake.orderId,
    currency,
    months: stake.months,
    rate: stake.rateHundredths,
    startsAt: stake.startsAt.toISOString(),
    endsAt: stake.endsAt.toISOString(),
    payouts: rows.map(({ dueAt, units, paidAt }) => ({
      dueAt: dueAt.toISOString(),
      units: units.toString(),
      isPaid: paidAt !== null
    }))
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

/** What is paid next, of the day that comes first. */
const nextOf = builtOnce((db) => {
  const isOpen = and(eq(payouts.userId, sql.placeholder('user')), isNull(payouts.paidAt), isNull(payouts.cancelledAt))
  const firstDay = db
    .select({ at: min(payouts.dueAt) })
    .from(payouts)
    .where(isOpen)
  return db
    .select({
      dueAt: payouts.dueAt,
      kind: payouts.kind,
      currency: payouts.currency,
      units: sql<string>`sum(${payouts.units})::text`
    })
    .from(payouts)
    .where(and(isOpen, eq(payouts.dueAt, sql`(${firstDay})`)))
    .groupBy(payouts.dueAt, payouts.kind, payouts.currency)
    .orderBy(desc(payouts.kind), asc(payouts.currency))
    .limit(1)
    .prepare('next_payout')
})

export async function readSummary(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<Customer, 'userId'>
): Promise<Answer<'getStakingSummary'>> {
  const [rows, locked, term, [next]] = await Promise.all([
    sumsOf(db).execute({ user: userId }),
    lockedOf(db, userId),
    readTerm(db, userId),
    nextOf(db).execute({ user: userId })
  ])
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
    term
  }
}
