/**
 * Pays what is due: rewards out of the fund `staking_rewards` into the customer's rewards, staked tokens and released bonuses back to
 * spot. Each batch is one transaction: after a crash no payout is half paid, and the next run continues.
 */
import { and, asc, eq, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { PayoutKind } from '#lib/domain/staking/schedule.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type User, users } from '../access/index.ts'
import { type Account, type Booking, customerAccount, house, lockedFund, type Outcome, post, postMany } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { payoutMail } from './mails.ts'
import { type PayoutRow, payouts } from './schema.ts'
import { planMissing } from './stake.ts'

const EVERY_SECONDS = 60
const PLANS_EVERY_SECONDS = 3600
const AT_ONCE = 200
/** This many failures in one run have a common cause; stop. */
const MOST_LEFT = 50

/** The fund does not have enough for the next reward of a currency. */
export class FundEmptyError extends Error {
  override name = 'FundEmptyError'
}

const WAYS: Record<PayoutKind, { reason: Booking['reason']; from: (userId: string) => Account; to: 'reward' | 'spot' }> = {
  reward: { reason: 'staking_rewarded', from: () => house('staking_rewards'), to: 'reward' },
  principal: { reason: 'staking_returned', from: (userId) => customerAccount(userId, 'staked'), to: 'spot' },
  bonus: { reason: 'bonus_released', from: (userId) => customerAccount(userId, 'locked'), to: 'spot' }
}

/**
 * Pays everything that is due by now, by due date and order, and returns how many payouts. A reward that the fund cannot pay stops the
 * rewards of its currency, and nothing else. A payout that fails for another reason is left out and does not hold up the others. Throws
 * the last failure after all others are paid.
 */
export async function payDue(context: Context): Promise<number> {
  let [paid, failed] = [0, undefined as unknown]
  for (const lane of await dueLanes(context)) {
    const outcome = await payLane(context, lane)
    paid += outcome.paid
    failed = outcome.failed ?? failed
  }
  if (failed) throw failed
  return paid
}

type Lane = { currency: string; kind: PayoutKind }

/** Payouts of a batch that could not be booked. The batch is rolled back, and paid again without them. */
class NotBookedError extends Error {
  override name = 'NotBookedError'
  readonly busy: PayoutRow[]
  readonly refused: string[]
  constructor(outcomes: { payout: PayoutRow; refused: Outcome['refused'] }[]) {
    super(outcomes.map(({ payout, refused }) => `${keyOf(payout)}: ${refused}`).join(', '))
    const [busy = [], refused = []] = [true, false].map((isBusy) =>
      outcomes.filter((one) => (one.refused === 'busy') === isBusy).map(({ payout }) => payout)
    )
    this.busy = busy
    this.refused = refused.map(keyOf)
  }
}

/**
 * Pays in batches. A payout that is refused is left out of the next try, for an operator; one whose customer is busy is paid alone at the
 * end, and what it needs of the fund is kept for it. After another failure it pays one by one, so that the payout that fails is found.
 */
async function payLane(context: Context, lane: Lane): Promise<{ paid: number; failed?: unknown }> {
  let [paid, failed, size] = [0, undefined as unknown, AT_ONCE]
  const left: string[] = []
  const busy: PayoutRow[] = []
  const leftOut = () => [...left, ...busy.map(keyOf)]
  const stopped = (error: unknown, payout?: string) => {
    failed = error
    context.log.error({ err: error, ...lane, payout }, 'payouts of staking are stopped')
  }
  // Ends at too many failures, after one more try without those that failed: the others of the batch are still paid.
  for (let isDone = false; left.length < MOST_LEFT || (!isDone && left.length < MOST_LEFT + AT_ONCE); ) {
    isDone = false
    try {
      const reserved = busy.reduce((sum, { units }) => sum + units, 0n)
      const done = await payBatch(context, lane, { size, left: leftOut(), reserved })
      if (done === 0) break
      paid += done
      isDone = true
    } catch (error) {
      if (error instanceof NotBookedError) {
        busy.push(...error.busy)
        left.push(...error.refused)
        for (const key of error.refused) stopped(error, key)
      } else {
        const isStopped = error instanceof FundEmptyError
        const among = { now: context.clock(), size, left: leftOut() }
        const [first] = isStopped || size > 1 ? [] : await dueOf(context.db, lane, among)
        stopped(error, first && keyOf(first.payout))
        if (isStopped || (size === 1 && !first)) break
        if (first) left.push(keyOf(first.payout))
        size = first ? AT_ONCE : 1
        isDone = true
      }
    }
  }
  for (const only of busy.map(keyOf)) {
    try {
      paid += await payBatch(context, lane, { size: 1, left, only, reserved: 0n })
    } catch (error) {
      stopped(error, only)
    }
  }
  return { paid, failed }
}

const keyOf = ({ orderId, number }: PayoutRow) => `${orderId} ${number}`

const isDue = (now: Date) => and(isNull(payouts.paidAt), isNull(payouts.cancelledAt), lte(payouts.dueAt, now))

/** Each currency and kind with payouts that are due. They do not wait for one another. */
function dueLanes({ db, clock }: Context): Promise<Lane[]> {
  return db.selectDistinct({ currency: payouts.currency, kind: payouts.kind }).from(payouts).where(isDue(clock()))
}

type DueRow = { payout: PayoutRow; user: Pick<User, 'id' | 'email' | 'locale'> }
/** `left`: the payouts that are not to be paid now. `only`: the one that is. */
type Wanted = { size: number; left: string[]; only?: string }
/** `reserved`: what busy rewards, which are paid at the end, will take from the fund. */
type Batch = Wanted & { reserved: bigint }

/** Returns how many were paid; 0 if none is due. */
function payBatch(context: Context, { currency, kind }: Lane, batch: Batch): Promise<number> {
  return transact(context, async (work) => {
    const due = await dueOf(work.tx, { currency, kind }, { now: work.now, ...batch }).for('update', { of: payouts })
    if (due.length === 0) return 0
    const payable = kind === 'reward' ? await withinFund(work, due, { currency, reserved: batch.reserved }) : due
    // Changes the customers' sums before their accounts, in the same order as an order's completion: otherwise the two could deadlock.
    await markPaid(work, payable)
    await bookAll(work, payable)
    await work.enqueue(...payable.map(({ payout, user }) => payoutMail(context, user, payout)))
    return payable.length
  })
}

/** Throws NotBookedError if some cannot be booked. A single one waits for its customer's accounts. */
async function bookAll(work: Work, paid: DueRow[]): Promise<void> {
  const bookings = paid.map(({ payout }) => bookingOf(work, payout))
  const [first] = bookings
  if (first && bookings.length === 1) {
    await post(work.tx, first)
    return
  }
  const outcomes = await postMany(work.tx, bookings)
  const missing = outcomes.flatMap(({ refused }, index) => {
    const row = paid[index]
    return refused && row ? [{ payout: row.payout, refused }] : []
  })
  if (missing.length > 0) throw new NotBookedError(missing)
}

/** If a caller locks the rows, a second process waits for them, and then finds them paid. */
function dueOf(db: Executor, { currency, kind }: Lane, { now, size, left, only }: Wanted & { now: Date }) {
  const key = sql`${payouts.orderId} || ' ' || ${payouts.number}`
  return db
    .select({ payout: payouts, user: { id: users.id, email: users.email, locale: users.locale } })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.userId))
    .where(
      and(
        eq(payouts.currency, currency),
        eq(payouts.kind, kind),
        isDue(now),
        left.length > 0 ? notInArray(key, left) : undefined,
        only === undefined ? undefined : eq(key, only)
      )
    )
    .orderBy(asc(payouts.dueAt), asc(payouts.orderId), asc(payouts.number))
    .limit(size)
}

/** The payouts that the fund can pay, from the first on. Throws FundEmptyError if it cannot pay the first. */
async function withinFund(
  { tx }: Work,
  due: DueRow[],
  { currency, reserved }: { currency: string; reserved: bigint }
): Promise<DueRow[]> {
  const fund = await lockedFund(tx, currency)
  let needed = reserved
  const end = due.findIndex(({ payout }) => {
    needed += payout.units
    return needed > fund
  })
  if (end === 0) {
    const text = (units: bigint) => `${formatExactUnits(units, currency)} ${currency}`
    throw new FundEmptyError(
      `The fund staking_rewards has ${text(fund)}${reserved > 0n ? `, ${text(reserved)} of it for earlier rewards` : ''}, and the next reward is ${text(due[0]?.payout.units ?? 0n)}`
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

export function stakingJobs(context: Context): JobKind[] {
  return [
    {
      name: 'staking_payouts',
      role: 'worker',
      everySeconds: EVERY_SECONDS,
      run: async () => {
        await payDue(context)
      }
    },
    // Reads all stakes, so it is no part of paying.
    { name: 'staking_plans', role: 'worker', lanes: 'slow', everySeconds: PLANS_EVERY_SECONDS, run: () => planMissing(context) }
  ]
}
