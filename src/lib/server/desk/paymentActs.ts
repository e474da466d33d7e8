/** What is decided about payments and refunds: by one person (`paymentDecision`), or by two. */
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { compareNames, nameInitials } from '#lib/domain/payments/names.ts'
import { maskedIban } from '#lib/domain/payments/sepa.ts'
import { formatCents } from '#lib/format/amount.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { userEmailOf, users } from '../access/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import {
  apartOf,
  bankFileOf,
  type Creditor,
  cancelRefundFile,
  closeBankFile,
  customersOfAccount,
  DecisionRefused,
  findRefundFile,
  instructAssignment,
  instructRefund,
  isFileRight,
  ordersOfPayment,
  type Payment,
  releaseRefundFile,
  verifiedNameOf
} from '../payments/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import {
  type AnyAct,
  type DeskActs,
  DeskError,
  decideBriefly,
  findPerson,
  type PlanLine,
  type Staff,
  type TwoPersonAct
} from '../staff/index.ts'
import { paymentRefusal } from './paymentWords.ts'

type Assign = { id: string; orderId: string; also: string[] }
type Refund = { id: string }
type Elsewhere = { id: string; name: string; iban: string; document: string }

/** Of a trial, which one person makes: nothing of it stays. */
const TRIAL: Actor = { kind: 'staff', id: 'trial' }
const second = (by: { id: string }, proposer: string): Actor => (by.id === proposer ? TRIAL : { kind: 'staff', id: by.id })
const first = (proposer: string): Actor => ({ kind: 'staff', id: proposer })

/** A rule that refuses it is a refusal that staff read. */
async function orRefused<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof DecisionRefused)
      throw new DeskError('payment_refused', { params: { why: paymentRefusal(error.reason) } })
    throw error
  }
}

/** How one person decides about payments: as `decideBriefly`; what the rules refuse is a sentence that staff read. */
export const paymentDecision =
  (context: Context) =>
  <T>(staff: Staff, right: Parameters<typeof decideBriefly>[2], run: (work: Work) => Promise<T>): Promise<T> =>
    orRefused(() => decideBriefly(context, staff, right, run))

/** Name, account and text in one short digest: compared whole, shown to nobody. */
const digestOf = ({ payerName, payerIban, remittance }: Payment) =>
  createHash('sha256').update([payerName, payerIban, remittance].join('\0')).digest('hex')

/** Everything that a person looked at before they proposed it. */
async function paymentFacts(db: Executor, id: string): Promise<Record<string, string>> {
  const story = await apartOf(db, BigInt(id))
  if (!story) throw new DeskError('not_found')
  const { payment, isWaiting, recall, instruction } = story
  const name = `payment ${id}`
  return {
    [name]: `${formatReceived(payment)}, booked ${payment.bookedOn}, ${payment.outcome}`,
    [`${name}: from`]: `${nameInitials(payment.payerName)} ${maskedIban(payment.payerIban)}, text and account ${digestOf(payment)}`,
    [`${name}: state`]: isWaiting && !instruction ? 'waits for a decision' : 'decided',
    [`${name}: recall`]: recall ? `${recall.reason}, ${recall.bankCase}` : 'none'
  }
}

async function orderFacts(db: Executor, orderId: string): Promise<Record<string, string>> {
  const order = await findOrder(db, orderId, { lock: false })
  if (!order) throw new DeskError('not_found')
  return {
    order: `${groupReference(order.id)}, ${formatCents(order.euroCentsToPay, 'EUR')}, ${order.status === 2 ? 'completed' : 'open'}`,
    customer: order.userId
  }
}

/** Nobody decides about a payment or an order of their own. */
export async function requireOthersOrder(db: Executor, by: { id: string }, userId: string | undefined): Promise<void> {
  if (!userId) return
  const [person, email] = [await findPerson(db, by.id), await userEmailOf(db, userId)]
  if (person && person.email === email?.toLowerCase()) throw new DeskError('own_account')
}

/** The customer that this person of the staff is, by their e-mail; undefined if they are none. */
export async function ownCustomerOf(db: Executor, by: { id: string }): Promise<string | undefined> {
  const person = await findPerson(db, by.id)
  const [own] = person ? await db.select({ id: users.id }).from(users).where(eq(users.email, person.email)) : []
  return own?.id
}

/** The same for payments: by the order that each names or pays, and of a refund that came back by its first payment. */
export async function requireOthersPayment(db: Executor, by: { id: string }, ids: bigint[]): Promise<void> {
  for (const id of ids) {
    for (const orderId of await ordersOfPayment(db, id)) {
      const order = await findOrder(db, orderId, { lock: false })
      await requireOthersOrder(db, by, order?.userId)
    }
    const found = await apartOf(db, id)
    if (found) await requireOthersName(db, by, found.payment)
  }
}

/** A payment that names no order is one's own by its account, or by the name of one's own identity check. */
async function requireOthersName(db: Executor, by: { id: string }, payment: Payment): Promise<void> {
  for (const userId of await customersOfAccount(db, payment)) await requireOthersOrder(db, by, userId)
  const own = await ownCustomerOf(db, by)
  if (own && compareNames(payment.payerName, await verifiedNameOf(db, own)) === 'same') throw new DeskError('own_account')
}

const assignment: TwoPersonAct<Assign> = {
  right: 'assign_payment',
  subjectOf: ({ id }) => `payment:${id}`,
  facts: async ({ tx }, { id, orderId, also }) => {
    const parts = []
    for (const one of [id, ...also]) parts.push(await paymentFacts(tx, one))
    return Object.assign({}, ...parts, await orderFacts(tx, orderId))
  },
  run: async (work, { id, orderId, also }, { by, proposer, why }) => {
    const paymentIds = [id, ...also].map(BigInt)
    const asked = { paymentIds, orderId, decidedBy: first(proposer), approvedBy: second(by, proposer), why }
    const { found, order } = await orRefused(() => instructAssignment(work, asked))
    await requireOthersOrder(work.tx, by, order.userId)
    await requireOthersPayment(work.tx, by, paymentIds)
    return assignmentPlan(found, order)
  }
}

function assignmentPlan(found: Payment[], order: OrderRow): PlanLine[] {
  const sum = found.reduce((total, { amountCents }) => total + amountCents, 0n)
  const over = sum - order.euroCentsToPay
  const last = found
    .map(({ bookedOn }) => bookedOn)
    .toSorted()
    .at(-1)
  return [
    { what: 'Order', value: `${groupReference(order.id)} is completed at the price of ${last}` },
    { what: 'Paid from suspense', value: formatCents(over > 0n ? order.euroCentsToPay : sum, 'EUR') },
    ...(over > 0n ? [{ what: 'Back to the payer', value: `${formatCents(over, 'EUR')}, with the next file` }] : []),
    ...(over < 0n ? [{ what: 'The house bears', value: formatCents(-over, 'EUR') }] : [])
  ]
}

async function refund(
  work: Work,
  { id }: Refund,
  who: { by: { id: string }; proposer: string; why: string },
  creditor?: Creditor
): Promise<PlanLine[]> {
  const asked = { paymentId: BigInt(id), decidedBy: first(who.proposer), approvedBy: second(who.by, who.proposer), why: who.why }
  const made = await orRefused(() => instructRefund(work, { ...asked, ...(creditor && { creditor }) }))
  await requireOthersPayment(work.tx, who.by, [made.payment.id])
  if (creditor && made.isByHand)
    throw new DeskError('invalid_fields', { fields: { iban: 'This is no account that a transfer can go to.' } })
  return [
    { what: 'Back', value: formatReceived(made.payment) },
    {
      what: 'To',
      value: creditor
        ? `${creditor.name}, ${creditor.iban}`
        : `${nameInitials(made.payment.payerName)} ${maskedIban(made.payment.payerIban)}, where it came from`
    },
    ...(creditor?.document ? [{ what: 'Document', value: creditor.document }] : []),
    { what: 'By', value: made.isByHand ? 'hand at the bank: no file can name this account' : 'the next file for the bank' }
  ]
}

const backToPayer: TwoPersonAct<Refund> = {
  right: 'refund_payment',
  subjectOf: ({ id }) => `payment:${id}`,
  facts: ({ tx }, { id }) => paymentFacts(tx, id),
  run: (work, input, who) => refund(work, input, who)
}

const elsewhere: TwoPersonAct<Elsewhere> = {
  right: 'refund_elsewhere',
  approverRole: 'compliance',
  // Who reads the log need not know the account.
  logged: ({ id, name, iban, document }) => ({ id, to: `${nameInitials(name)} ${maskedIban(iban)}`, document }),
  subjectOf: ({ id }) => `payment:${id}`,
  facts: ({ tx }, { id }) => paymentFacts(tx, id),
  run: (work, { name, iban, document, ...input }, who) => refund(work, input, who, { name, iban, document })
}

/** A file that was lost after its one download. */
const fileAgain: TwoPersonAct<{ id: string }> = {
  right: 'release_refund_file',
  subjectOf: ({ id }) => `refund_file:${id}`,
  facts: async ({ tx }, { id }) => {
    const file = await findRefundFile(tx, BigInt(id))
    if (!file) throw new DeskError('not_found')
    return {
      file: file.messageId,
      sum: formatCents(file.sumCents, 'EUR'),
      state: file.sentAt ? 'sent' : file.downloadedAt ? 'downloaded' : 'not downloaded'
    }
  },
  run: async (work, { id }) => {
    const file = await findRefundFile(work.tx, BigInt(id))
    if (!file) throw new DeskError('not_found')
    if (!(await releaseRefundFile(work, file.id))) throw new DeskError('file_not_to_send')
    if (!(await isFileRight(work.tx, file.id, 'download'))) throw new DeskError('file_outdated')
    return [
      {
        what: 'Downloaded once more',
        value: `${file.messageId}, ${formatCents(file.sumCents, 'EUR')}: the same file with the same message id`
      }
    ]
  }
}

/** A file that was not sent: its refunds come into another one. */
const cancelFile: TwoPersonAct<{ id: string }> = {
  right: 'cancel_refund_file',
  subjectOf: ({ id }) => `refund_file:${id}`,
  facts: fileAgain.facts,
  run: async (work, { id }) => {
    const file = await findRefundFile(work.tx, BigInt(id))
    if (!file || !(await cancelRefundFile(work, BigInt(id)))) throw new DeskError('file_not_to_send')
    const value = `${file.messageId}, ${formatCents(file.sumCents, 'EUR')}: make sure that nobody gives it to the bank`
    return [{ what: 'Given up', value }]
  }
}

/** A file of the bank that is not received completely, and never will be. */
const closeFile: TwoPersonAct<{ id: string }> = {
  right: 'close_bank_file',
  subjectOf: ({ id }) => `bank_file:${id}`,
  facts: async ({ tx }, { id }) => {
    const file = await bankFileOf(tx, BigInt(id))
    if (!file) throw new DeskError('not_found')
    return { file: file.name, problems: file.problems.join('; ') || 'none', entries: String(file.entries) }
  },
  run: async (work, { id }) => {
    const file = await bankFileOf(work.tx, BigInt(id))
    if (!file || !(await closeBankFile(work, BigInt(id)))) throw new DeskError('file_not_to_close')
    return [{ what: 'Not read again', value: `${file.name}: ${file.entries} entries of it are received` }]
  }
}

export const paymentActs: DeskActs = {
  cancel_refund_file: cancelFile as AnyAct,
  close_bank_file: closeFile as AnyAct,
  assign_payment: assignment as AnyAct,
  refund_payment: backToPayer as AnyAct,
  refund_elsewhere: elsewhere as AnyAct,
  release_refund_file: fileAgain as AnyAct
}
