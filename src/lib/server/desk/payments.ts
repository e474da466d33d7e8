/** Payments that fit no order, as the desk sees and decides them. */
import { formatCents } from '#lib/format/amount.ts'
import { findOrder } from '../orders/index.ts'
import {
  answerRecall,
  apartOf,
  assignmentOf,
  awaitTopUp,
  DecisionRefused,
  instructAssignment,
  leavePayment,
  openRecall,
  paymentEntries,
  paymentStory,
  paymentsApart,
  secondPersonWanted
} from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { countAgainst } from '../platform/limits.ts'
import { DeskError, decideBriefly, deskSettings, keepEntry, namesOf, staffActor } from '../staff/index.ts'
import { paymentDecision, requireOthersOrder, requireOthersPayment } from './paymentActs.ts'
import { shownApart, shownPayment, storyOf } from './paymentStory.ts'
import { secondPersonText } from './paymentWords.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import type { DeskHandlers, Propose } from './types.ts'

type PaymentCall =
  | 'listPayments'
  | 'getPayment'
  | 'showPayer'
  | 'assignPayment'
  | 'proposeAssignment'
  | 'leavePayment'
  | 'awaitTopUp'
  | 'proposeRefund'
  | 'proposeRefundElsewhere'
  | 'openRecall'
  | 'answerRecall'
const DAY_MS = 86_400_000
/** Longer than this nothing is left lying. */
const MOST_DAYS = 30

export function paymentHandlers(
  context: Context,
  propose: Propose<'assign_payment' | 'refund_payment' | 'refund_elsewhere'>
): Pick<DeskHandlers, PaymentCall> {
  const { db } = context
  const decide = paymentDecision(context)
  return {
    listPayments: async ({ query }) => {
      const names = await namesOf(db)
      if (query.filter === 'decide') {
        const apart = await paymentsApart(db)
        const sum = apart.reduce((total, { payment }) => total + (payment.currency === 'EUR' ? payment.amountCents : 0n), 0n)
        return { payments: apart.map((one) => shownApart(names, one)), sumCents: sum.toString(), next: null }
      }
      const rows = await paymentEntries(db, query.before === undefined ? undefined : BigInt(query.before))
      const payments = rows.map((payment) => ({ ...shownPayment(payment), leave: null, recall: null, isDecided: false }))
      return { payments, sumCents: '0', next: payments.at(-1)?.id ?? null }
    },
    getPayment: async ({ params }) => {
      const [story, names] = await Promise.all([paymentStory(db, BigInt(params.id)), namesOf(db)])
      if (!story) throw new DeskError('not_found')
      return storyOf(context, story, names)
    },
    showPayer: async ({ staff, params, body }) => {
      await countAgainst(context, [{ key: `desk:reveal:${staff.id}`, ...REVEALS }])
      const found = await apartOf(db, BigInt(params.id))
      if (!found) throw new DeskError('not_found')
      const { payerName: name, payerIban: iban, remittance } = found.payment
      await decideBriefly(context, staff, 'show_personal_data', (work) =>
        keepEntry(work, { actor: staffActor(staff), act: 'show_personal_data', subject: `payment:${params.id}`, why: body.why })
      )
      return { name, iban, remittance, until: new Date(context.clock().getTime() + REVEALED_MINUTES * 60_000).toISOString() }
    },
    assignPayment: async ({ staff, params, body: { orderId, also, why } }) => {
      const { payment_two_above } = await deskSettings(db)
      await decide(staff, 'assign_payment', async (work) => {
        const paymentIds = [params.id, ...also].map(BigInt)
        const found = await assignmentOf(work, paymentIds, orderId)
        await requireOthersOrder(work.tx, staff, found.order.userId)
        await requireOthersPayment(work.tx, staff, paymentIds)
        const second = await secondPersonWanted(work.tx, found, payment_two_above)
        if (second) throw new DeskError('second_person_needed', { params: { why: secondPersonText(second) } })
        await instructAssignment(work, { paymentIds, orderId, decidedBy: staffActor(staff), why })
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'assign_payment',
          subject: `payment:${params.id}`,
          why,
          details: { orderId }
        })
      })
      return { message: 'Assigned. The order is completed within a minute, and the customer is told by mail.' }
    },
    proposeAssignment: ({ staff, params, body: { why, ...input } }) =>
      propose(staff, 'assign_payment', { id: params.id, ...input }, why),
    leavePayment: async ({ staff, params, body: { until, why } }) => {
      requireDay(context, until)
      await decide(staff, 'leave_payment', async (work) => {
        await requireOthersPayment(work.tx, staff, [BigInt(params.id)])
        await leavePayment(work, { paymentId: BigInt(params.id), until, actor: staffActor(staff), why })
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'leave_payment',
          subject: `payment:${params.id}`,
          why,
          details: { until }
        })
      })
      return { message: `Left until ${until}.` }
    },
    awaitTopUp: async ({ staff, params, body: { orderId, until, why } }) => {
      requireDay(context, until)
      const missing = await decide(staff, 'leave_payment', async (work) => {
        const order = await findOrder(work.tx, orderId, { lock: false })
        if (!order) throw new DecisionRefused('order_not_found')
        await requireOthersOrder(work.tx, staff, order.userId)
        await requireOthersPayment(work.tx, staff, [BigInt(params.id)])
        const made = await awaitTopUp(
          context,
          work,
          { paymentId: BigInt(params.id), until, actor: staffActor(staff), why },
          order
        )
        const details = { orderId, until, missingCents: made.toString() }
        await keepEntry(work, { actor: staffActor(staff), act: 'await_top_up', subject: `payment:${params.id}`, why, details })
        return made
      })
      return { message: `The customer is asked for ${formatCents(missing, 'EUR')} more by ${until}.` }
    },
    proposeRefund: ({ staff, params, body: { why } }) => propose(staff, 'refund_payment', { id: params.id }, why),
    proposeRefundElsewhere: ({ staff, params, body: { why, ...input } }) =>
      propose(staff, 'refund_elsewhere', { id: params.id, ...input }, why),
    openRecall: async ({ staff, params, body: { reason, bankCase, why } }) => {
      await decide(staff, 'record_recall', async (work) => {
        await requireOthersPayment(work.tx, staff, [BigInt(params.id)])
        const recall = { paymentId: BigInt(params.id), reason, bankCase, actor: staffActor(staff), why }
        if (!(await openRecall(work, recall))) throw new DeskError('recall_open')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'record_recall',
          subject: `payment:${params.id}`,
          why,
          details: { reason, bankCase }
        })
      })
      return { message: 'Recorded. Nothing is decided about this payment until the recall is answered.' }
    },
    answerRecall: async ({ staff, params, body: { answer, why } }) => {
      await decide(staff, 'answer_recall', async (work) => {
        await requireOthersPayment(work.tx, staff, [BigInt(params.id)])
        if (!(await answerRecall(work, { paymentId: BigInt(params.id), answer, actor: staffActor(staff), why })))
          throw new DeskError('recall_not_open')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'answer_recall',
          subject: `payment:${params.id}`,
          why,
          details: { answer }
        })
      })
      return {
        message: answer === 'accepted' ? 'Accepted. Propose the refund next.' : 'Refused. The payment can be decided again.'
      }
    }
  }
}

/** Throws `invalid_fields` where the day is not one of the next `MOST_DAYS`. */
function requireDay({ clock }: Context, day: string): void {
  const at = Date.parse(`${day}T00:00:00Z`)
  const now = clock().getTime()
  if (Number.isNaN(at) || at <= now || at > now + MOST_DAYS * DAY_MS)
    throw new DeskError('invalid_fields', { fields: { until: `A day from tomorrow on, at most ${MOST_DAYS} days ahead.` } })
}
