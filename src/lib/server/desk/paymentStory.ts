/** A payment as the desk shows it: in a list, and with all that happened to it. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { DECIDE_HOURS } from '#lib/domain/orders/order.ts'
import { CANDIDATE_REASONS } from '#lib/domain/payments/candidates.ts'
import { nameInitials } from '#lib/domain/payments/names.ts'
import { maskedIban } from '#lib/domain/payments/sepa.ts'
import { writtenFor } from '#lib/domain/payments/words.ts'
import {
  type Apart,
  candidatesFor,
  findRefundFile,
  type Payment,
  type PaymentStory,
  refundIsByHand,
  refusedFor,
  secondPersonWanted,
  waitingBeside
} from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { deskSettings } from '../staff/index.ts'
import { type Names, nameOf } from './names.ts'
import { paymentRefusal } from './paymentWords.ts'

export const shownPayment = ({
  id,
  direction,
  amountCents,
  currency,
  outcome,
  payerName,
  payerIban,
  bookedOn,
  valueOn,
  receivedAt,
  orderId
}: Payment) => ({
  id: String(id),
  direction,
  amountCents: amountCents.toString(),
  currency,
  outcome,
  payer: nameInitials(payerName),
  account: maskedIban(payerIban),
  bookedOn,
  valueOn,
  receivedAt: receivedAt.toISOString(),
  orderId
})

export const shownApart = (names: Names, { payment, leave, recall, instruction }: Apart) => ({
  ...shownPayment(payment),
  leave: leave ? { until: leave.until, isTopUp: leave.isTopUp, by: nameOf(names, leave.actor), why: leave.why } : null,
  recall: recall ? { reason: recall.reason, bankCase: recall.bankCase, openedAt: recall.openedAt.toISOString() } : null,
  isDecided: instruction !== undefined
})

const STATES: Record<'assigned' | 'refunded', string> = { assigned: 'Assigned', refunded: 'To be sent back' }

export async function storyOf(context: Context, story: PaymentStory, names: Names): Promise<DeskAnswer<'getPayment'>> {
  const { db } = context
  const { payment, isWaiting, decision, instructions, leaves, recalls, refund, returned } = story
  const { payment_two_above } = await deskSettings(db)
  const canDecide = isWaiting && !story.instruction
  const [candidates, beside, file] = await Promise.all([
    canDecide ? candidatesFor(db, payment) : [],
    canDecide ? waitingBeside(db, payment) : [],
    refund?.fileId ? findRefundFile(db, refund.fileId) : undefined
  ])
  const events = [
    { at: payment.receivedAt, what: `Received: ${payment.outcome.replaceAll('_', ' ')}`, who: 'system:bank', why: '' },
    ...leaves.map(({ at, until, isTopUp, actor, why }) => ({
      at,
      what: isTopUp ? `The rest is asked for by ${until}` : `Left until ${until}`,
      who: actor,
      why
    })),
    ...recalls.flatMap(({ openedAt, openedBy, openedWhy, reason, answer, answeredAt, answeredBy, answerWhy }) => [
      { at: openedAt, what: `Recall opened: ${reason}`, who: openedBy, why: openedWhy },
      ...(answer && answeredAt ? [{ at: answeredAt, what: `Recall ${answer}`, who: answeredBy ?? '', why: answerWhy ?? '' }] : [])
    ]),
    ...instructions.map(({ decidedAt, kind, decidedBy, approvedBy, why, state, refusal }) => ({
      at: decidedAt,
      what: `${kind === 'assign' ? 'Assigned' : 'Refund'}${approvedBy ? `, approved by ${nameOf(names, approvedBy)}` : ''}${state === 'refused' ? `: refused. ${paymentRefusal(refusal ?? '')}` : state === 'waiting' ? ': the worker carries it out' : ''}`,
      who: decidedBy,
      why
    })),
    ...(decision
      ? [{ at: decision.decidedAt, what: `${STATES[decision.decision]}: booked`, who: decision.actor, why: decision.why }]
      : []),
    ...(refund && file ? [{ at: file.madeAt, what: `In the file ${file.messageId}`, who: file.madeBy, why: '' }] : []),
    ...(file?.sentAt ? [{ at: file.sentAt, what: 'Sent to the bank', who: file.sentBy ?? '', why: '' }] : []),
    ...story.related.map((other) => ({
      at: other.receivedAt,
      what: `${other.direction === 'debit' ? 'Left the bank' : 'Came back'}: entry ${other.id}`,
      who: 'system:bank',
      why: ''
    }))
  ]
  const scored = []
  for (const { order, score, reasons } of candidates) {
    scored.push({
      orderId: order.id,
      customerId: order.userId,
      euroCents: order.euroCentsToPay.toString(),
      isAnnounced: order.announcedAt !== null,
      createdAt: order.createdAt.toISOString(),
      score,
      reasons: reasons.map((reason) => ({ reason, points: CANDIDATE_REASONS[reason] })),
      second: (await secondPersonWanted(db, { found: [payment], order }, payment_two_above)) ?? null,
      differenceCents: (payment.amountCents - order.euroCentsToPay).toString(),
      refused: await refusedFor({ db, now: context.clock() }, payment, order).then((reason) => reason && paymentRefusal(reason))
    })
  }
  return {
    ...shownApart(names, story),
    sentAs: sentAsOf(payment, candidates),
    isWaiting,
    decideBy: new Date(payment.receivedAt.getTime() + DECIDE_HOURS * 3_600_000).toISOString(),
    candidates: scored,
    beside: beside.map(shownPayment),
    isByHand: refundIsByHand(payment),
    isReturnedRefund: returned !== undefined,
    refund: refund ? { state: refundState(refund, file), endToEndId: refund.endToEndId, file: file?.messageId ?? null } : null,
    events: events
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .map(({ at, who, ...event }) => ({ ...event, at: at.toISOString(), who: nameOf(names, who) }))
  }
}

/** The reference that the payment names, or what was written for the one that it probably meant. */
function sentAsOf(payment: Payment, candidates: Awaited<ReturnType<typeof candidatesFor>>): string | null {
  const meant = candidates.find(({ reasons }) => reasons.includes('reference_typo'))
  return payment.orderId ?? (meant && writtenFor(meant.order.id, payment.remittance)) ?? null
}

function refundState(
  { confirmedBy, returnedBy, voidBy, fileId }: NonNullable<PaymentStory['refund']>,
  file: { sentAt: Date | null; cancelledAt: Date | null } | undefined
): string {
  if (voidBy !== null) return 'void'
  if (returnedBy !== null) return 'returned'
  if (confirmedBy !== null) return 'confirmed'
  if (file?.sentAt) return 'sent'
  return fileId === null || file?.cancelledAt ? 'approved' : 'in_file'
}
