/** Decisions of staff: the desk writes them down as instructions, and the worker, which alone completes orders and books, carries them out. */
import { and, asc, eq } from 'drizzle-orm'
import { type SecondPersonReason, secondPersonFor } from '#lib/domain/payments/alone.ts'
import { readIdentityOf } from '../identity/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { isDatabaseLost } from '../platform/db/faults.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import {
  assignWithin,
  type DecisionRefusal,
  DecisionRefused,
  priceFor,
  refundWithin,
  requireAssignable,
  requireDistinct,
  requireRefundable,
  requireUninstructed
} from './decide.ts'
import type { Payment } from './match.ts'
import { oneAtATime, type PaymentPorts } from './receive.ts'
import { type Creditor, creditorOf, isTransferable } from './refunds.ts'
import { paymentInstructions } from './schema.ts'

type Instruction = typeof paymentInstructions.$inferSelect
/** `approvedBy`: the second person; a refund always has one. */
type Decided = { decidedBy: Actor; approvedBy?: Actor | undefined; why: string }

/** What the house asks. `aboveCents`: the setting above which an assignment needs two persons. `mayDecide`: whether a person has the right now. */
export type House = {
  aboveCents: (db: Executor) => Promise<bigint>
  mayDecide: (db: Executor, staffId: string, kind: 'assign' | 'refund') => Promise<boolean>
}

const KIND = 'payment_instructions'
const EVERY_SECONDS = 60
/** The same, at once. */
const NOW = 'payment_instructions_now'

/** The payments and the order of an assignment, if it would be possible now. Throws DecisionRefused. */
export async function assignmentOf(
  work: Work,
  paymentIds: bigint[],
  orderId: string
): Promise<{ found: Payment[]; order: OrderRow }> {
  await oneAtATime(work)
  await requireUninstructed(work, paymentIds)
  const found = await requireDistinct(work, paymentIds)
  const order = await findOrder(work.tx, orderId, { lock: false })
  if (!order) throw new DecisionRefused('order_not_found')
  await requireAssignable(work, found, order)
  return { found, order }
}

/** The name of the customer's identity check; empty without a completed one. */
export async function verifiedNameOf(db: Executor, userId: string): Promise<string> {
  const identity = await readIdentityOf(db, userId)
  return [identity?.info?.firstName, identity?.info?.lastName].filter(Boolean).join(' ')
}

/** Why a second person must agree to this assignment; undefined if one is enough. */
export async function secondPersonWanted(
  db: Executor,
  { found, order }: { found: Payment[]; order: OrderRow },
  aboveCents: bigint
): Promise<SecondPersonReason | undefined> {
  return secondPersonFor({
    amountCents: found.map(({ amountCents }) => amountCents),
    euroCentsToPay: order.euroCentsToPay,
    payerNames: found.map(({ payerName }) => payerName),
    verifiedName: await verifiedNameOf(db, order.userId),
    namesAnother: found.some(({ orderId }) => orderId !== null && orderId !== order.id),
    aboveCents
  })
}

/** Why these payments cannot pay the order, as a rule says it; null if they can. Reads, and locks nothing. */
export async function refusedFor(
  { db, now }: { db: Executor; now: Date },
  payment: Payment,
  order: OrderRow
): Promise<DecisionRefusal | null> {
  try {
    await requireAssignable({ tx: db, now }, [payment], order)
    return null
  } catch (error) {
    if (error instanceof DecisionRefused) return error.reason
    throw error
  }
}

/** True if no file for the bank can name the account that the payment came from. */
export const refundIsByHand = (payment: Payment) => !isTransferable(creditorOf(payment), payment.currency)

/** Throws DecisionRefused. */
export async function instructAssignment(
  work: Work,
  { paymentIds, orderId, ...decided }: Decided & { paymentIds: bigint[]; orderId: string }
) {
  const assignment = await assignmentOf(work, paymentIds, orderId)
  await insert(work, { kind: 'assign', paymentIds, orderId, ...decided })
  return assignment
}

/** The payment of a refund and the account that it goes to, if it would be possible now. Throws DecisionRefused. */
async function refundOf(
  work: Work,
  paymentId: bigint,
  creditor?: Creditor
): Promise<{ payment: Payment; creditor: Creditor; isByHand: boolean }> {
  await oneAtATime(work)
  await requireUninstructed(work, [paymentId])
  const payment = await requireRefundable(work, paymentId, creditor)
  const to = creditor ?? creditorOf(payment)
  return { payment, creditor: to, isByHand: !isTransferable(to, payment.currency) }
}

/** Throws DecisionRefused. `creditor`: without one it goes back to the account that it came from. */
export async function instructRefund(
  work: Work,
  { paymentId, creditor, ...decided }: Decided & { paymentId: bigint; creditor?: Creditor }
) {
  const refund = await refundOf(work, paymentId, creditor)
  await insert(work, {
    kind: 'refund',
    paymentIds: [paymentId],
    ...(creditor && { creditorName: creditor.name, creditorIban: creditor.iban, document: creditor.document }),
    ...decided
  })
  return refund
}

type New = Decided &
  Pick<typeof paymentInstructions.$inferInsert, 'kind' | 'paymentIds' | 'orderId' | 'creditorName' | 'creditorIban' | 'document'>

async function insert({ tx, now, enqueue }: Work, { decidedBy, approvedBy, ...instruction }: New): Promise<void> {
  await tx.insert(paymentInstructions).values({
    ...instruction,
    decidedBy: actorText(decidedBy),
    approvedBy: approvedBy ? actorText(approvedBy) : null,
    decidedAt: now,
    state: 'waiting'
  })
  await enqueue({ kind: NOW, payload: {} })
}

const staffOf = (text: string): Actor => ({ kind: 'staff', id: text.replace(/^staff:/, '') })

/** Longer than this nothing waits: somebody must know that it is not possible. */
const GIVEN_UP_MS = 24 * 3_600_000

/** Carries out what waits, in order. One that is no longer possible is refused, and nothing of it is booked; the others go on. */
export async function carryOutInstructions(context: Context, ports: PaymentPorts, house: House): Promise<void> {
  const waiting = await context.db
    .select()
    .from(paymentInstructions)
    .where(eq(paymentInstructions.state, 'waiting'))
    .orderBy(asc(paymentInstructions.id))
  for (const instruction of waiting) {
    const about = { instruction: String(instruction.id) }
    try {
      await carryOut(context, ports, instruction, house)
    } catch (error) {
      if (isDatabaseLost(error)) throw error
      const isOld = context.clock().getTime() - instruction.decidedAt.getTime() > GIVEN_UP_MS
      if (error instanceof DecisionRefused) await refuse(context, instruction, error.reason)
      // It waits, e.g. for the price of its day.
      else if (!isOld) context.log.error({ ...about, err: error }, 'an instruction about a payment waits')
      else {
        context.log.error({ ...about, err: error }, 'an instruction about a payment could not be carried out for a day')
        await refuse(context, instruction, 'not_possible')
      }
    }
  }
}

async function carryOut(
  context: Context,
  ports: PaymentPorts,
  { id, kind, paymentIds, orderId, why, decidedBy, approvedBy, creditorName, creditorIban, document }: Instruction,
  { aboveCents, mayDecide }: House
): Promise<void> {
  const actor = staffOf(decidedBy)
  const price = kind === 'assign' ? await priceFor(context, ports, paymentIds) : undefined
  const creditor = creditorName && creditorIban && document ? { name: creditorName, iban: creditorIban, document } : undefined
  if (creditor) await ports.screenCreditor(context, creditor)
  await transact(context, async (work) => {
    await oneAtATime(work)
    const [still] = await work.tx.select().from(paymentInstructions).where(eq(paymentInstructions.id, id)).for('update')
    if (still?.state !== 'waiting') return
    // Whoever was stopped meanwhile decides nothing.
    for (const person of [decidedBy, approvedBy])
      if (person && !(await mayDecide(work.tx, staffOf(person).id, kind))) throw new DecisionRefused('second_person')
    if (kind === 'assign' && price && orderId) {
      if (!approvedBy) await requireAlone(work, paymentIds, orderId, await aboveCents(work.tx))
      await assignWithin(context, work, ports, { paymentIds, orderId, actor, why, price })
    } else if (kind === 'refund' && paymentIds[0]) {
      await refundWithin(context, work, { paymentId: paymentIds[0], creditor, actor, why })
    }
    await work.tx.update(paymentInstructions).set({ state: 'done', doneAt: work.now }).where(eq(paymentInstructions.id, id))
  })
}

/** The desk has asked this before; its row is not believed. */
async function requireAlone(work: Work, paymentIds: bigint[], orderId: string, aboveCents: bigint): Promise<void> {
  const found = await requireDistinct(work, paymentIds)
  const order = await findOrder(work.tx, orderId, { lock: false })
  if (!order) throw new DecisionRefused('order_not_found')
  if (await secondPersonWanted(work.tx, { found, order }, aboveCents)) throw new DecisionRefused('second_person')
}

async function refuse(context: Context, { id }: Instruction, reason: string): Promise<void> {
  context.log.error({ instruction: String(id), reason }, 'an instruction about a payment was refused')
  await transact(context, async ({ tx, now }) => {
    await tx
      .update(paymentInstructions)
      .set({ state: 'refused', refusal: reason, doneAt: now })
      .where(and(eq(paymentInstructions.id, id), eq(paymentInstructions.state, 'waiting')))
  })
}

export function instructionJobs(context: Context, ports: PaymentPorts, house: House): JobKind[] {
  const run = () => carryOutInstructions(context, ports, house)
  return [
    { name: KIND, role: 'worker', everySeconds: EVERY_SECONDS, run },
    { name: NOW, role: 'worker', run }
  ]
}
