/** Payments that fit no order, refunds, and the bank's files, as the desk sees and decides them. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { DECIDE_HOURS } from '#lib/domain/orders/order.ts'
import { findReference } from '#lib/domain/orders/reference.ts'
import { CANDIDATE_REASONS } from '#lib/domain/payments/candidates.ts'
import { nameInitials } from '#lib/domain/payments/names.ts'
import { maskedIban } from '#lib/domain/payments/sepa.ts'
import { writtenFor } from '#lib/domain/payments/words.ts'
import { formatCents } from '#lib/format/amount.ts'
import { findOrder } from '../orders/index.ts'
import {
  type Apart,
  acceptUpload,
  answerRecall,
  apartOf,
  assignmentOf,
  awaitTopUp,
  type Bank,
  bankDays,
  bankFileOf,
  candidatesFor,
  DecisionRefused,
  downloadRefundFile,
  findRefundFile,
  instructAssignment,
  isFileRight,
  keepUpload,
  leavePayment,
  listBankFiles,
  listRefundFiles,
  makeRefundFile,
  markRefundFileSent,
  openRecall,
  type Payment,
  type PaymentStory,
  paymentEntries,
  paymentStory,
  paymentsApart,
  refundIsByHand,
  refundStates,
  refusedFor,
  secondPersonWanted,
  uploadToAccept,
  waitingBeside
} from '../payments/index.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { countAgainst } from '../platform/limits.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError, decideBriefly, deskSettings, keepEntry, mayStill, namesOf, type Staff, staffActor } from '../staff/index.ts'
import { nameOf } from './names.ts'
import { orRefused, requireOthersOrder, requireOthersPayment } from './paymentActs.ts'
import { paymentRefusal, secondPersonText } from './paymentWords.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import type { DeskHandlers } from './types.ts'

type Names = Map<string, string>
type Propose = (staff: Staff, right: PaymentRight, input: Record<string, unknown>, why: string) => Promise<{ proposalId: string }>
type PaymentRight =
  | 'assign_payment'
  | 'refund_payment'
  | 'refund_elsewhere'
  | 'release_refund_file'
  | 'cancel_refund_file'
  | 'close_bank_file'
type PaymentCalls =
  | 'acceptStatement'
  | 'proposeCancelRefundFile'
  | 'proposeCloseBankFile'
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
  | 'getRefunds'
  | 'makeRefundFile'
  | 'downloadRefundFile'
  | 'sendRefundFile'
  | 'proposeRefundFileAgain'
  | 'uploadStatement'
  | 'listBankFiles'
  | 'getBankFile'
  | 'listBankDays'

const DAY_MS = 86_400_000
/** Longer than this nothing is left lying. */
const MOST_DAYS = 30

const shown = ({
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

const shownApart = (names: Names, { payment, leave, recall, instruction }: Apart) => ({
  ...shown(payment),
  leave: leave ? { until: leave.until, isTopUp: leave.isTopUp, by: nameOf(names, leave.actor), why: leave.why } : null,
  recall: recall ? { reason: recall.reason, bankCase: recall.bankCase, openedAt: recall.openedAt.toISOString() } : null,
  isDecided: instruction !== undefined
})

export function paymentHandlers(context: Context, bank: Bank, propose: Propose): Pick<DeskHandlers, PaymentCalls> {
  const { db } = context
  const decide = <T>(staff: Staff, right: Parameters<typeof decideBriefly>[2], run: (work: Work) => Promise<T>) =>
    orRefused(() => decideBriefly(context, staff, right, run))
  return {
    listPayments: async ({ query }) => {
      const names = await namesOf(db)
      if (query.filter === 'decide') {
        const apart = await paymentsApart(db)
        const sum = apart.reduce((total, { payment }) => total + (payment.currency === 'EUR' ? payment.amountCents : 0n), 0n)
        return { payments: apart.map((one) => shownApart(names, one)), sumCents: sum.toString(), next: null }
      }
      const rows = await paymentEntries(db, query.before === undefined ? undefined : BigInt(query.before))
      const payments = rows.map((payment) => ({ ...shown(payment), leave: null, recall: null, isDecided: false }))
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
    },
    getRefunds: async ({ staff }) => {
      const [states, files, names] = await Promise.all([refundStates(db, context.clock()), listRefundFiles(db), namesOf(db)])
      return {
        states: [...states].map(([state, { count, cents, oldestAt }]) => ({
          state,
          count,
          cents: cents.toString(),
          oldestAt: oldestAt?.toISOString() ?? null
        })),
        files: files.map(({ id, sumCents, madeBy, madeAt, downloadedAt, cancelledAt, sentBy, sentAt, ...file }) => ({
          ...file,
          id: String(id),
          sumCents: sumCents.toString(),
          madeBy: nameOf(names, madeBy),
          madeAt: madeAt.toISOString(),
          downloadedAt: downloadedAt?.toISOString() ?? null,
          cancelledAt: cancelledAt?.toISOString() ?? null,
          sentBy: sentBy && nameOf(names, sentBy),
          sentAt: sentAt?.toISOString() ?? null,
          isYours: madeBy === actorText(staffActor(staff))
        }))
      }
    },
    makeRefundFile: async ({ staff }) => {
      const file = await decide(staff, 'make_refund_file', async (work) => {
        const made = await makeRefundFile(work, bank, staffActor(staff))
        if (!made) throw new DeskError('nothing_to_refund')
        const { id, messageId, digest, transfers, sumCents } = made
        const details = { messageId, digest, transfers, sumCents: sumCents.toString() }
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'make_refund_file',
          subject: `refund_file:${id}`,
          why: '',
          details
        })
        return made
      })
      return {
        message: `${file.messageId} is made: ${file.transfers} transfers, ${formatCents(file.sumCents, 'EUR')}. Download it once.`
      }
    },
    downloadRefundFile: async ({ staff, params }) => {
      const file = await decide(staff, 'make_refund_file', async (work) => {
        if (!(await findRefundFile(work.tx, BigInt(params.id)))) throw new DeskError('not_found')
        const taken = await downloadRefundFile(work, BigInt(params.id), staffActor(staff))
        if (!taken) throw new DeskError('file_downloaded')
        if (!(await isFileRight(work.tx, taken.id, 'download'))) throw new DeskError('file_outdated')
        const details = { messageId: taken.messageId, digest: taken.digest }
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'download_refund_file',
          subject: `refund_file:${params.id}`,
          why: '',
          details
        })
        return taken
      })
      return { name: `${file.messageId}.xml`, content: file.xml, type: 'application/xml', encoding: 'text' as const }
    },
    sendRefundFile: async ({ staff, params }) => {
      await decide(staff, 'send_refund_file', async (work) => {
        if (!(await markRefundFileSent(work, BigInt(params.id), staffActor(staff)))) throw new DeskError('file_not_to_send')
        if (!(await isFileRight(work.tx, BigInt(params.id), 'send'))) throw new DeskError('file_outdated')
        await keepEntry(work, { actor: staffActor(staff), act: 'send_refund_file', subject: `refund_file:${params.id}`, why: '' })
      })
      return { message: 'Marked as sent. The next statement confirms each transfer.' }
    },
    proposeCancelRefundFile: ({ staff, params, body }) => propose(staff, 'cancel_refund_file', { id: params.id }, body.why),
    proposeCloseBankFile: ({ staff, params, body }) => propose(staff, 'close_bank_file', { id: params.id }, body.why),
    proposeRefundFileAgain: ({ staff, params, body }) => propose(staff, 'release_refund_file', { id: params.id }, body.why),
    uploadStatement: async ({ staff, body: { name, content } }) => {
      const found = checked(bank, content)
      await decideBriefly(context, staff, 'upload_statement', async (work) => {
        const id = await keepUpload(work, { name, xml: content, by: staffActor(staff) })
        if (id === undefined) throw new DeskError('file_known')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'upload_statement',
          subject: `bank_file:${id}`,
          why: '',
          details: { name, ...found }
        })
      })
      return {
        message: `Taken: ${found.statements} statements with ${found.entries} entries. Another person accepts the file; then it is read.`
      }
    },
    acceptStatement: async ({ staff, params, body: { why, digest } }) => {
      const id = BigInt(params.id)
      await decide(staff, 'accept_statement', async (work) => {
        const file = await uploadToAccept(work.tx, id)
        // What was looked at, brought by somebody who still may.
        const uploader = file?.uploadedBy.replace('staff:', '') ?? ''
        if (file?.digest !== digest || !(await mayStill(work.tx, uploader, 'upload_statement')))
          throw new DeskError('file_not_to_accept')
        await requireOthersFile(work.tx, bank, file, staff)
        if (!(await acceptUpload(work, id, staffActor(staff)))) throw new DeskError('file_not_to_accept')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'accept_statement',
          subject: `bank_file:${id}`,
          why,
          details: { name: file.name, digest }
        })
      })
      return { message: 'Accepted. It is read within a minute.' }
    },
    listBankFiles: async ({ staff }) => {
      const [files, names] = await Promise.all([listBankFiles(db), namesOf(db)])
      return files.map((file) => shownFile(names, staff, file))
    },
    getBankFile: async ({ staff, params }) => {
      const id = BigInt(params.id)
      const [file, names, waiting] = await Promise.all([bankFileOf(db, id), namesOf(db), uploadToAccept(db, id)])
      if (!file) throw new DeskError('not_found')
      return {
        ...shownFile(names, staff, file),
        preview: waiting ? previewOf(bank, waiting) : null,
        results: file.results.map(({ payment, wasKnown }) => ({ ...shown(payment), wasKnown }))
      }
    },
    listBankDays: async () =>
      (await bankDays(db)).map(({ openingCents, inCents, outCents, closingCents, booksCents, ...rest }) => ({
        ...rest,
        openingCents: openingCents?.toString() ?? null,
        inCents: inCents.toString(),
        outCents: outCents.toString(),
        closingCents: closingCents.toString(),
        booksCents: booksCents.toString()
      }))
  }
}

const PREVIEWED = 1000

/** What an upload would tell: what it amounts to, what is wrong with it, and its entries, masked. */
function previewOf(bank: Bank, { content, digest }: { content: string; digest: string }) {
  const { statements, problems } = bank.read(content)
  const told = statements.flatMap(({ entries }) => entries)
  const entries = told.flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
  const sum = (direction: 'credit' | 'debit') =>
    entries.reduce((total, entry) => total + (entry.direction === direction ? entry.amountCents : 0n), 0n).toString()
  return {
    digest,
    statements: statements.map(({ statementId, closedOn, openingCents, closingCents }) => ({
      statementId,
      closedOn: closedOn ?? null,
      openingCents: openingCents?.toString() ?? null,
      closingCents: closingCents?.toString() ?? null
    })),
    entries: entries.length,
    inCents: sum('credit'),
    outCents: sum('debit'),
    problems: [
      ...problems,
      ...statements.flatMap((statement) => statement.problems),
      ...told.flatMap((entry) => ('unreadable' in entry ? [entry.unreadable] : []))
    ],
    shown: entries.slice(0, PREVIEWED).map((entry) => ({
      direction: entry.direction,
      amountCents: entry.amountCents.toString(),
      currency: entry.currency,
      payer: nameInitials(entry.payerName),
      bookedOn: entry.bookedOn,
      orderId: findReference(entry.remittance) ?? null
    }))
  }
}

/** Nobody brings in, or accepts, a file that names an order of their own. Throws `own_account`. */
async function requireOthersFile(
  db: Executor,
  bank: Bank,
  { content, uploadedBy }: { content: string; uploadedBy: string },
  staff: Staff
): Promise<void> {
  const entries = bank.read(content).statements.flatMap(({ entries: told }) => told)
  const named = new Set(entries.map((entry) => ('unreadable' in entry ? undefined : findReference(entry.remittance))))
  for (const orderId of named) {
    const order = orderId && (await findOrder(db, orderId, { lock: false }))
    if (order) for (const id of [staff.id, uploadedBy.replace('staff:', '')]) await requireOthersOrder(db, { id }, order.userId)
  }
}

/** What the file holds; throws `invalid_fields` with the sentence of what is wrong with it. */
function checked(bank: Bank, content: string): { statements: number; entries: number } {
  const refuse = (why: string) => new DeskError('invalid_fields', { fields: { content: why } })
  const read = () => {
    try {
      return bank.read(content)
    } catch (error) {
      throw refuse(error instanceof Error ? error.message : 'The file cannot be read')
    }
  }
  const { statements, problems } = read()
  if (statements.length === 0) throw refuse(problems[0] ?? 'The file has no statement.')
  return { statements: statements.length, entries: statements.reduce((sum, { entries }) => sum + entries.length, 0) }
}

type File = Awaited<ReturnType<typeof listBankFiles>>[number]
const shownFile = (names: Names, staff: Staff, file: File) => {
  const { id, name, source, problems, entries, known, matched, apart, uploadedBy, acceptedBy, addedAt, receivedAt, closedAt } =
    file
  return {
    id: String(id),
    name,
    source,
    problems,
    entries,
    known,
    matched,
    apart,
    by: uploadedBy && nameOf(names, uploadedBy),
    acceptedBy: acceptedBy && nameOf(names, acceptedBy),
    isYours: uploadedBy === actorText(staffActor(staff)),
    addedAt: addedAt.toISOString(),
    receivedAt: receivedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null
  }
}
function requireDay({ clock }: Context, day: string): void {
  const at = Date.parse(`${day}T00:00:00Z`)
  const now = clock().getTime()
  if (Number.isNaN(at) || at <= now || at > now + MOST_DAYS * DAY_MS)
    throw new DeskError('invalid_fields', { fields: { until: `A day from tomorrow on, at most ${MOST_DAYS} days ahead.` } })
}

const STATES: Record<'assigned' | 'refunded', string> = { assigned: 'Assigned', refunded: 'To be sent back' }

async function storyOf(context: Context, story: PaymentStory, names: Names): Promise<DeskAnswer<'getPayment'>> {
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
    beside: beside.map(shown),
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
