/**
 * Refills that the desk has ordered. The desk has no node: the worker writes the file that the offline machine signs, and checks and broadcasts
 * what came back. Three persons have agreed before a file is written, and the key that signs is with a fourth.
 */
import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import {
  acceptRefill,
  chainAttempts,
  chainSends,
  houseAddress,
  NodeError,
  RefillError,
  type Refilling,
  writeRefill
} from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { databaseError } from '../platform/db/faults.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { coldOrders, refillOrders } from './schema.ts'

export type RefillOrder = typeof refillOrders.$inferSelect
/** Throws RefillError where the settings name no cold storage. */
export type RefillingOf = (chain: Chain) => Promise<Refilling>

const KIND = 'refills'
const EVERY_SECONDS = 60
const NOW = 'refills_now'
const UNIQUE_VIOLATION = '23505'

type NewOrder = Pick<RefillOrder, 'id' | 'currency' | 'amount' | 'decidedBy' | 'approvedBy' | 'why'>

/** Two persons have decided it: a third one must agree. */
export async function orderRefill({ tx, now }: Work, order: NewOrder): Promise<void> {
  await tx.insert(refillOrders).values({ ...order, orderedAt: now })
}

/** Two persons want these coins in cold storage: the signer moves them with its next run. */
export async function orderColdMove({ tx, now }: Work, order: NewOrder): Promise<void> {
  await tx.insert(coldOrders).values({ ...order, orderedAt: now })
}

/** False if it was agreed to before, is over, or one of its two persons wants to be the third, too. */
export async function agreeToRefill({ tx, now, enqueue }: Work, id: string, agreedBy: string): Promise<boolean> {
  const agreed = await tx
    .update(refillOrders)
    .set({ agreedBy, agreedAt: now })
    .where(
      and(
        eq(refillOrders.id, id),
        isNull(refillOrders.agreedBy),
        isNull(refillOrders.endedAt),
        sql`${agreedBy} not in (${refillOrders.decidedBy}, ${refillOrders.approvedBy})`
      )
    )
    .returning({ id: refillOrders.id })
  if (agreed.length > 0) await enqueue({ kind: NOW, payload: {} })
  return agreed.length > 0
}

/** Keeps what the offline machine has signed, for the worker to check. False if no file is out for it. `signed`: base64. */
export async function keepSignedRefill(
  { tx, now, enqueue }: Work,
  { id, signed, signedBy }: { id: string; signed: string; signedBy: string }
): Promise<boolean> {
  const kept = await tx
    .update(refillOrders)
    .set({ signed, signedBy, signedAt: now, refusal: null })
    .where(and(eq(refillOrders.id, id), isNotNull(refillOrders.writtenAt), isNull(refillOrders.endedAt)))
    .returning({ id: refillOrders.id })
  if (kept.length > 0) await enqueue({ kind: NOW, payload: {} })
  return kept.length > 0
}

/** Nothing more is made of it. False if it is over. What the offline machine has signed since can still be paid by whoever has it. */
export async function endRefill({ tx, now }: Work, id: string): Promise<boolean> {
  const ended = await tx
    .update(refillOrders)
    .set({ endedAt: now, signed: null })
    .where(and(eq(refillOrders.id, id), isNull(refillOrders.endedAt)))
    .returning({ id: refillOrders.id })
  return ended.length > 0
}

export async function findRefill(db: Executor, id: string): Promise<RefillOrder | undefined> {
  const [found] = await db.select().from(refillOrders).where(eq(refillOrders.id, id))
  return found
}

const LISTED = 50

/** The newest refills, and the moves to cold storage that were ordered, with the state of their payment. */
export async function refillsAndMoves(db: Executor, since: Date) {
  const [refills, moves] = await Promise.all([
    db.select().from(refillOrders).where(gt(refillOrders.orderedAt, since)).orderBy(desc(refillOrders.orderedAt)).limit(LISTED),
    db.select().from(coldOrders).where(gt(coldOrders.orderedAt, since)).orderBy(desc(coldOrders.orderedAt)).limit(LISTED)
  ])
  return { refills, moves }
}

/** Writes the files that were agreed to, and accepts what came back. A node that does not answer is asked again with the next run. */
export async function workOnRefills(context: Context, refillingOf: RefillingOf): Promise<void> {
  const due = await context.db
    .select()
    .from(refillOrders)
    .where(and(isNotNull(refillOrders.agreedBy), isNull(refillOrders.endedAt), isNull(refillOrders.refusal)))
    .orderBy(asc(refillOrders.orderedAt))
  const failures: unknown[] = []
  for (const order of due) {
    try {
      if (order.writtenAt === null) await write(context, await refillingOf(chainOf(order.currency)), order)
      else if (order.signed !== null) await accept(context, await refillingOf(chainOf(order.currency)), order, order.signed)
    } catch (error) {
      if (error instanceof NodeError) context.log.warn({ refill: order.id, err: error }, 'a refill waits for its node')
      // What was signed is of no use any more, and must not lie about.
      else if (error instanceof RefillError)
        await change(context, order, { refusal: `${error.message.slice(0, MOST_TEXT)}.`, signed: null })
      else failures.push(error)
    }
  }
  // Thrown after all: one that cannot be read holds up no other.
  if (failures.length > 0) throw failures[0]
}
const MOST_TEXT = 300

/** Two runs at once: what the other has ended stays as it is. */
function change({ db }: Context, { id }: RefillOrder, values: Partial<RefillOrder>): Promise<unknown> {
  return db
    .update(refillOrders)
    .set(values)
    .where(and(eq(refillOrders.id, id), isNull(refillOrders.endedAt)))
}

const shown = (amount: bigint, token: ChainToken) => `${formatExactUnits(amount, token)} ${token}`

async function write(context: Context, refilling: Refilling, order: RefillOrder): Promise<void> {
  const { currency: token, amount } = order
  const { file, plan } = await writeRefill(context, refilling, { token, amount })
  const pays = [
    `${shown(amount, token)} to our hot wallet, ${plan.payout.to}`,
    ...(plan.coins.length > 0 ? plan.coins.map(({ outpoint }) => `from ${outpoint}`) : [`from ${plan.from?.address ?? ''}`]),
    ...(plan.change ? [`${shown(plan.change.amount, token)} back to cold storage, ${plan.change.address}`] : [])
  ]
  const at = context.clock()
  const fileName = `refill-${token}-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}.${refilling.format.extension}`
  await change(context, order, { file: Buffer.from(file).toString('base64'), fileName, pays, writtenAt: at })
}

async function accept(context: Context, refilling: Refilling, order: RefillOrder, signed: string): Promise<void> {
  const read = await refilling.format.read(Buffer.from(signed, 'base64'))
  const hot = await houseAddress(context.db, refilling.proof, read.chain, 'hot')
  const toHot = read.payments.filter(({ address }) => address === hot?.address)
  const [paid] = toHot
  if (toHot.length !== 1 || paid?.token !== order.currency || paid.amount !== order.amount)
    throw new RefillError(`It does not pay ${shown(order.amount, order.currency)} to the hot wallet, which was agreed`)
  // Accepted since the file was written: another run did it, or died before it could note it here.
  const isAccepted = async () => {
    const [known] = await context.db
      .select({ signedAt: chainAttempts.signedAt })
      .from(chainAttempts)
      .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
      .where(
        and(
          eq(chainAttempts.chain, read.chain),
          eq(chainAttempts.transactionId, read.transactionId),
          eq(chainSends.purpose, 'refill'),
          eq(chainSends.currency, order.currency),
          eq(chainSends.amount, order.amount)
        )
      )
    return known !== undefined && order.writtenAt !== null && known.signedAt >= order.writtenAt
  }
  if (!(await isAccepted()))
    await acceptRefill(context, refilling, read).catch(async (error: unknown) => {
      if (!(error instanceof RefillError && (await isAccepted()))) throw error
    })
  try {
    await change(context, order, { transactionId: read.transactionId, refusal: null, signed: null, endedAt: context.clock() })
  } catch (error) {
    if (databaseError(error).code !== UNIQUE_VIOLATION) throw error
    throw new RefillError(`This transaction was accepted before: ${read.transactionId}`)
  }
}

export function refillJobs(context: Context, refillingOf: RefillingOf): JobKind[] {
  const run = () => workOnRefills(context, refillingOf)
  return [
    { name: KIND, role: 'worker', everySeconds: EVERY_SECONDS, run },
    { name: NOW, role: 'worker', run }
  ]
}
