/** The reward for an invitation: booked with the order, resting until the bank can no longer easily take the payment back. */
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { takeInOrder } from '#lib/domain/money/shares.ts'
import { referralReward } from '#lib/domain/referral/reward.ts'
import { formatExactUnits, formatUsd } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { users } from '../access/index.ts'
import { isVerifiedCustomer, samePeople } from '../identity/index.ts'
import { customerAccount, house, lockedHolding, post, type Transfer } from '../ledger/index.ts'
import { type OnOrderCompleted, type OrderRow, orders, usd } from '../orders/index.ts'
import type { OnPaymentTakenBack } from '../payments/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { referralRewards } from './schema.ts'
import type { ReferralConfig } from './settings.ts'

const REWARD_TOKEN = 'CPC'
const DAY_MS = 86_400_000

/** When a reward that was booked then may be moved to spot. */
export function movableFrom(bookedAt: Date, { restDays }: ReferralConfig): Date {
  return new Date(bookedAt.getTime() + restDays * DAY_MS)
}

/**
 * The inviter's reward, booked in the same transaction as the completed order. What the inviter owes for rewards that were taken back
 * goes straight back. Nobody gets a reward for inviting themselves: the identity checks of both are compared.
 */
export function rewardInviter(config: ReferralConfig): OnOrderCompleted {
  return async (context, work, order) => {
    const { tx, now, enqueue } = work
    const inviter = await inviterOf(work, order)
    const amount = inviter ? referralReward(order.fiatCents, order.cpcPriceUsd) : 0n
    if (!inviter || amount === 0n) return []
    const isSame = (await samePeople(tx, inviter.id, [order.userId])).length > 0
    const back = isSame ? 0n : await payOff(work, inviter.id, amount)
    const row = { orderId: order.id, inviterId: inviter.id, currency: REWARD_TOKEN, bookedAt: now }
    await tx.insert(referralRewards).values({ ...row, amount: isSame ? 0n : amount, kept: isSame ? 0n : amount - back })
    if (isSame) {
      context.log.warn({ order: order.id, inviter: inviter.id }, 'no reward: inviter and invitee are the same person')
      return []
    }
    const tokens = `${formatExactUnits(amount, REWARD_TOKEN)} ${REWARD_TOKEN}`
    const from = formatDay(movableFrom(now, config).toISOString())
    await enqueue(
      mailTo(inviter, 'rewardBooked', { tokens, of: formatUsd(usd(order.fiatCents)), from, link: `${context.origin}/referral` })
    )
    const reward = customerAccount(inviter.id, 'reward')
    return [
      { source: house('rewards'), destination: reward, currency: REWARD_TOKEN, amount },
      ...(back > 0n ? [{ source: reward, destination: house('rewards'), currency: REWARD_TOKEN, amount: back }] : [])
    ]
  }
}

async function inviterOf({ tx }: Work, order: OrderRow) {
  const [customer] = await tx.select({ referredBy: users.referredBy }).from(users).where(eq(users.id, order.userId))
  const [inviter] = customer?.referredBy ? await tx.select().from(users).where(eq(users.id, customer.referredBy)) : []
  return inviter
}

/** Makes up for debts, the oldest first, with at most `amount`; returns how much. */
async function payOff({ tx }: Work, inviterId: string, amount: bigint): Promise<bigint> {
  const debts = await tx
    .select()
    .from(referralRewards)
    .where(and(eq(referralRewards.inviterId, inviterId), gt(referralRewards.owed, 0n)))
    .orderBy(asc(referralRewards.takenBackAt), asc(referralRewards.orderId))
    .for('update')
  const owed = debts.map((debt) => ({ id: debt.orderId, amount: debt.owed }))
  const { taken, rest } = takeInOrder(amount, owed)
  for (const { id, amount: part } of taken)
    await tx
      .update(referralRewards)
      .set({ owed: sql`${referralRewards.owed} - ${part.toString()}::numeric` })
      .where(eq(referralRewards.orderId, id))
  return amount - rest
}

/**
 * Takes the reward of an order back whose payment was taken back: from the reward account as far as it is there. The rest is a debt that
 * later rewards pay; an operator reads of it in the log and in `npm run payments -- list`.
 */
export const takeRewardBack: OnPaymentTakenBack = async ({ log }, { tx, now }, order) => {
  const [row] = await tx
    .select()
    .from(referralRewards)
    .where(and(eq(referralRewards.orderId, order.id), isNull(referralRewards.takenBackAt), gt(referralRewards.amount, 0n)))
    .for('update')
  if (!row) return
  const { inviterId, currency, amount } = row
  const { reward } = await lockedHolding(tx, inviterId, currency)
  const part = reward < amount ? reward : amount
  const owed = amount - part
  await tx.update(referralRewards).set({ takenBackAt: now, owed }).where(eq(referralRewards.orderId, order.id))
  const transfer: Transfer = {
    source: customerAccount(inviterId, 'reward'),
    destination: house('rewards'),
    currency,
    amount: part
  }
  if (part > 0n)
    await post(tx, {
      reason: 'reward_taken_back',
      source: { type: 'order', id: order.id },
      reference: `reward_taken_back:${order.id}`,
      actor: systemActor('referral'),
      transfers: [transfer],
      at: now
    })
  if (owed > 0n) log.error({ order: order.id, inviter: inviterId, owed: owed.toString() }, 'an inviter owes a reward')
}

/** `until`: undefined if nothing of it rests for a time only. */
export type Resting = { amount: bigint; until: Date | undefined; isUnverified: boolean }

/**
 * What of a customer's rewards may not be moved, and when the first of it may be. Rewards for invitations rest for some days, and until the
 * inviter's own identity check is completed: only then it is certain that nobody has invited themselves. One for an invitee who turns out to
 * be the inviter is never moved. Rewards booked by earlier releases do not rest.
 */
export async function restingRewards(
  db: Executor,
  config: ReferralConfig,
  { userId, currency, now }: { userId: string; currency: string; now: Date }
): Promise<Resting> {
  const rows = await db
    .select({ kept: referralRewards.kept, bookedAt: referralRewards.bookedAt, inviteeId: orders.userId })
    .from(referralRewards)
    .innerJoin(orders, eq(orders.id, referralRewards.orderId))
    .where(
      and(
        eq(referralRewards.inviterId, userId),
        eq(referralRewards.currency, currency),
        gt(referralRewards.kept, 0n),
        isNull(referralRewards.takenBackAt)
      )
    )
    .orderBy(asc(referralRewards.bookedAt))
  if (rows.length === 0) return { amount: 0n, until: undefined, isUnverified: false }
  const isUnverified = !(await isVerifiedCustomer(db, userId))
  const same = isUnverified ? [] : await samePeople(db, userId, [...new Set(rows.map(({ inviteeId }) => inviteeId))])
  const young = rows.filter(({ bookedAt }) => movableFrom(bookedAt, config) > now)
  const resting = rows.filter((row) => isUnverified || young.includes(row) || same.includes(row.inviteeId))
  const [first] = young
  return {
    amount: resting.reduce((sum, { kept }) => sum + kept, 0n),
    until: first && movableFrom(first.bookedAt, config),
    isUnverified
  }
}

/** What inviters owe for rewards whose payment was taken back, the largest first. */
export function rewardDebts(db: Executor) {
  return db
    .select({
      orderId: referralRewards.orderId,
      email: users.email,
      currency: referralRewards.currency,
      owed: referralRewards.owed,
      takenBackAt: referralRewards.takenBackAt
    })
    .from(referralRewards)
    .innerJoin(users, eq(users.id, referralRewards.inviterId))
    .where(gt(referralRewards.owed, 0n))
    .orderBy(sql`${referralRewards.owed} desc`)
    .limit(MOST_LISTED)
}
const MOST_LISTED = 200
