/**
 * Pays what is due: rewards out of the fund `staking_rewards` into the customer's rewards, staked tokens and released bonuses back to spot.
 * In batches, each a transaction: a process that dies leaves whole payouts behind, and the next run goes on.
 */
import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { PayoutKind } from '#lib/domain/staking/schedule.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type User, users } from '../access/index.ts'
import { type Account, type Booking, customerAccount, house, lockedFund, postAll } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type PayoutRow, payouts } from './schema.ts'
import { payoutMail } from './tell.ts'

const EVERY_SECONDS = 60
const AT_ONCE = 200

/** The fund has not enough for the next reward of a currency. */
export class FundEmptyError extends Error {
  override name = 'FundEmptyError'
}

const WAYS: Record<PayoutKind, { reason: Booking['reason']; from: (userId: string) => Account; to: 'reward' | 'spot' }> = {
  reward: { reason: 'staking_rewarded', from: () => house('staking_rewards'), to: 'reward' },
  principal: { reason: 'staking_returned', from: (userId) => customerAccount(userId, 'staked'), to: 'spot' },
  bonus: { reason: 'bonus_released', from: (userId) => customerAccount(userId, 'locked'), to: 'spot' }
}

/**
 * Everything that is due by now, in the order of due date and stake. A reward that the fund cannot pay stops the rewards of its currency,
 * and nothing else: the others are paid, then this throws FundEmptyError.
 */
export async function payDue(context: Context): Promise<number> {
  let [paid, failed] = [0, undefined as unknown]
  for (const { currency, kind } of await dueLanes(context)) {
    try {
      let batch: number
      do {
        batch = await payBatch(context, currency, kind)
        paid += batch
      } while (batch > 0)
    } catch (error) {
      context.log.error({ err: error, currency, kind }, 'payouts of staking are stopped')
      failed = error
    }
  }
  if (failed) throw failed
  return paid
}

const isDue = (now: Date) => and(isNull(payouts.paidAt), lte(payouts.dueAt, now))

/** Each currency and kind of which something is due: they wait for nobody but themselves. */
function dueLanes({ db, clock }: Context): Promise<{ currency: string; kind: PayoutKind }[]> {
  return db.selectDistinct({ currency: payouts.currency, kind: payouts.kind }).from(payouts).where(isDue(clock()))
}

type DueRow = { payout: PayoutRow; user: Pick<User, 'id' | 'email' | 'locale'> }

/** How many were paid, at most `AT_ONCE`; none is left where it was none. */
function payBatch(context: Context, currency: string, kind: PayoutKind): Promise<number> {
  return transact(context, async (work) => {
    const due = await lockDue(work, currency, kind)
    if (due.length === 0) return 0
    const payable = kind === 'reward' ? await withinFund(work, currency, due) : due
    await postAll(
      work.tx,
      payable.map(({ payout }) => bookingOf(work, payout))
    )
    await markPaid(work, payable)
    await work.enqueue(...payable.map(({ payout, user }) => payoutMail(context, user, payout)))
    return payable.length
  })
}

/** A second process waits here, and then finds them paid. */
function lockDue({ tx, now }: Work, currency: string, kind: PayoutKind): Promise<DueRow[]> {
  return tx
    .select({ payout: payouts, user: { id: users.id, email: users.email, locale: users.locale } })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.userId))
    .where(and(eq(payouts.currency, currency), eq(payouts.kind, kind), isDue(now)))
    .orderBy(asc(payouts.dueAt), asc(payouts.orderId), asc(payouts.number))
    .limit(AT_ONCE)
    .for('update', { of: payouts })
}

/** Those that the fund can pay, from the first on. Throws FundEmptyError where it cannot even pay the first. */
async function withinFund({ tx }: Work, currency: string, due: DueRow[]): Promise<DueRow[]> {
  const fund = await lockedFund(tx, currency)
  let needed = 0n
  const end = due.findIndex(({ payout }) => {
    needed += payout.units
    return needed > fund
  })
  if (end === 0) {
    const text = (units: bigint) => `${formatExactUnits(units, currency)} ${currency}`
    throw new FundEmptyError(
      `The fund staking_rewards has ${text(fund)}, and the next reward is ${text(due[0]?.payout.units ?? 0n)}`
    )
  }
  return end === -1 ? due : due.slice(0, end)
}

function bookingOf({ now }: Work, { orderId, kind, number, userId, currency, units }: PayoutRow): Booking {
  const { reason, from, to } = WAYS[kind]
  return {
    reason,
    source: { type: 'order', id: orderId },
    reference: `payout:${orderId}:${kind}:${number}`,
    actor: systemActor('staking'),
    transfers: [{ source: from(userId), destination: customerAccount(userId, to), currency, amount: units }],
    at: now
  }
}

async function markPaid({ tx, now }: Work, paid: DueRow[]): Promise<void> {
  const keys = JSON.stringify(paid.map(({ payout: { orderId, kind, number } }) => ({ orderId, kind, number })))
  await tx.execute(sql`
    update ${payouts} p set paid_at = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${keys}::jsonb) as k("orderId" text, kind text, number smallint)
    where p.order_id = k."orderId" and p.kind = k.kind and p.number = k.number`)
}

export function stakingJob(context: Context): JobKind {
  return {
    name: 'staking_payouts',
    role: 'worker',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      await payDue(context)
    }
  }
}
