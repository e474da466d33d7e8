/**
 * Files of refunds for the bank. One person makes a file of everything that is owed and downloads it once; another one marks it as sent; the
 * next statement confirms each transfer.
 */
import { createHash } from 'node:crypto'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { placesWithHits, type WaitingPayers } from '../screening/index.ts'
import type { Bank } from './port.ts'
import { oneAtATime } from './receive.ts'
import { payments, refundFiles, refunds } from './schema.ts'
import { waitingPayers } from './unfit.ts'

export type RefundFile = typeof refundFiles.$inferSelect
const MOST_TRANSFERS = 500

/** Not paid by hand meanwhile, not void, not asked back by the payer's bank. */
const isPayable = and(
  isNull(refunds.confirmedBy),
  isNull(refunds.voidBy),
  isNull(refunds.returnedBy),
  // While the payer's bank asks for it; and once we have promised it, only to where it came from.
  sql`not exists (select 1 from payment_recalls c join payments o on o.id = c.payment_id where c.payment_id = ${refunds.paymentId}
    and (c.answer is null or (c.answer = 'accepted' and replace(upper(o.payer_iban), ' ', '') <> ${refunds.creditorIban})))`
)

/** True if the statement names a transfer of the file: the bank has carried it out, whatever the desk was told. */
async function isCarriedOut(db: Executor, id: bigint): Promise<boolean> {
  const [named] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.fileId, id), eq(refunds.isNamed, true)))
    .limit(1)
  return named !== undefined
}

/**
 * False once a transfer of the file must not be made any more: then the file is given up, and the others come into a new one. Marking as sent is
 * right for a file that the bank has carried out already.
 */
export async function isFileRight(db: Executor, id: bigint, act: 'download' | 'send'): Promise<boolean> {
  if (await isCarriedOut(db, id)) return act === 'send'
  const [row] = await db
    .select({ all: count(), payable: sql<number>`(count(*) filter (where ${isPayable}))::int` })
    .from(refunds)
    .where(eq(refunds.fileId, id))
  if (row === undefined || row.all === 0 || row.all !== row.payable) return false
  // Once the file is with the bank, a name that is found later stops nothing: given up, the others would go out twice.
  if (act === 'send') return true
  const owed = await owedWhere(db, eq(refunds.fileId, id))
  return (await cleared(db, owed)).length === owed.length
}

/** In no file that counts. */
const isUnfiled = or(isNull(refunds.fileId), isNotNull(refundFiles.cancelledAt))

const owedWhere = (db: Executor, which: SQL | undefined) =>
  db
    .select({ refund: refunds, orderId: payments.orderId, payer: { name: payments.payerName, iban: payments.payerIban } })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(refundFiles, eq(refundFiles.id, refunds.fileId))
    .where(which)
    .orderBy(asc(refunds.id))
    .limit(MOST_TRANSFERS)

type Owed = Awaited<ReturnType<typeof owedWhere>>

/** Without those whose payer or receiver has a name that is under review since the refund was decided: they wait for that. */
async function cleared(db: Executor, owed: Owed): Promise<Owed> {
  const people = owed.flatMap(({ refund, payer }) => [payer, { name: refund.creditorName, iban: refund.creditorIban }])
  const hits = await placesWithHits(db, people)
  return owed.filter((_, place) => !hits.has(2 * place) && !hits.has(2 * place + 1))
}

/** What a file may have now, the oldest first. Those that wait for a review keep no later ones out. */
async function owedNow(db: Executor): Promise<Owed> {
  const found: Owed = []
  let after = 0n
  for (let isMore = true; isMore; ) {
    const page = await owedWhere(db, and(isUnfiled, isPayable, gt(refunds.id, after)))
    found.push(...(await cleared(db, page)))
    after = page.at(-1)?.refund.id ?? after
    isMore = page.length === MOST_TRANSFERS
  }
  return found
}

/** Whose money waits: payers without a decision, and both sides of refunds that are not with the bank. A newer list may have their names. */
export const paymentPeople: WaitingPayers = async (db) => [...(await waitingPayers(db)), ...(await refundPeople(db))]

async function refundPeople(db: Executor): Promise<{ name: string; iban: string; userId: undefined }[]> {
  const { creditorName, creditorIban } = refunds
  const rows = await db
    .select({
      payer: { name: payments.payerName, iban: payments.payerIban },
      creditor: { name: creditorName, iban: creditorIban }
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(refundFiles, eq(refundFiles.id, refunds.fileId))
    .where(and(isPayable, or(isUnfiled, isNull(refundFiles.downloadedAt))))
  return rows.flatMap(({ payer, creditor }) => [payer, creditor].map((one) => ({ ...one, userId: undefined })))
}

/** Makes one file of the refunds that are in none. Undefined if there are none. */
export async function makeRefundFile(work: Work, bank: Bank, by: Actor): Promise<RefundFile | undefined> {
  await oneAtATime(work)
  const { tx, now } = work
  const owed = (await owedNow(tx)).slice(0, MOST_TRANSFERS)
  if (owed.length === 0) return undefined
  const [last] = await tx.select({ id: refundFiles.id }).from(refundFiles).orderBy(desc(refundFiles.id)).limit(1)
  const messageId = `REF-${String((last?.id ?? 0n) + 1n).padStart(4, '0')}-${now.toISOString().slice(0, 10).replaceAll('-', '')}`
  const transfers = owed.map(({ refund, orderId }) => ({
    endToEndId: refund.endToEndId,
    amountCents: refund.amountCents,
    name: refund.creditorName,
    iban: refund.creditorIban,
    // Without the reference itself: what comes back must not pay the order.
    text: orderId ? `Refund of your payment for order ${groupReference(orderId).slice(2)}` : 'Refund of your payment'
  }))
  const xml = bank.write({ messageId, madeAt: now, on: now.toISOString().slice(0, 10), transfers })
  const [file] = await tx
    .insert(refundFiles)
    .values({
      messageId,
      xml,
      digest: createHash('sha256').update(xml).digest('hex'),
      transfers: transfers.length,
      sumCents: transfers.reduce((sum, { amountCents }) => sum + amountCents, 0n),
      madeBy: actorText(by),
      madeAt: now
    })
    .returning()
  if (!file) throw new Error('The database returned no file')
  const ids = owed.map(({ refund }) => refund.id)
  const claimed = await tx.update(refunds).set({ fileId: file.id }).where(inArray(refunds.id, ids)).returning({ id: refunds.id })
  if (claimed.length !== ids.length) throw new Error('A refund came into another file')
  return file
}

/** The file, the first time; undefined if it was downloaded before, or if there is none. */
export async function downloadRefundFile({ tx, now }: Work, id: bigint, by: Actor): Promise<RefundFile | undefined> {
  const [file] = await tx
    .update(refundFiles)
    .set({ downloadedAt: now, downloadedBy: actorText(by) })
    .where(and(eq(refundFiles.id, id), isNull(refundFiles.downloadedAt), isNull(refundFiles.cancelledAt)))
    .returning()
  return file
}

/** Downloaded, not sent and not given up. */
const isOut = and(isNotNull(refundFiles.downloadedAt), isNull(refundFiles.sentAt), isNull(refundFiles.cancelledAt))

/** Lets the file be downloaded once more: it was lost. Its message id stays, so that the bank carries it out once. False if it is not out. */
export async function releaseRefundFile({ tx }: Work, id: bigint): Promise<boolean> {
  if (await isCarriedOut(tx, id)) return false
  const released = await tx
    .update(refundFiles)
    .set({ downloadedAt: null, downloadedBy: null })
    .where(and(eq(refundFiles.id, id), isOut))
    .returning({ id: refundFiles.id })
  return released.length > 0
}

/** Gives up a file that was not sent: its refunds come into another one. False if it was sent or given up before. */
export async function cancelRefundFile(work: Work, id: bigint): Promise<boolean> {
  // The bank's entries wait meanwhile: none tells that it was carried out between the look and the decision.
  await oneAtATime(work)
  const { tx, now } = work
  if (await isCarriedOut(tx, id)) return false
  const cancelled = await tx
    .update(refundFiles)
    .set({ cancelledAt: now })
    .where(and(eq(refundFiles.id, id), isNull(refundFiles.sentAt), isNull(refundFiles.cancelledAt)))
    .returning({ id: refundFiles.id })
  return cancelled.length > 0
}

/** False if this person made it, it was never downloaded, or it was marked before. */
export async function markRefundFileSent({ tx, now }: Work, id: bigint, by: Actor): Promise<boolean> {
  const marked = await tx
    .update(refundFiles)
    .set({ sentAt: now, sentBy: actorText(by) })
    .where(and(eq(refundFiles.id, id), isOut, ne(refundFiles.madeBy, actorText(by))))
    .returning({ id: refundFiles.id })
  return marked.length > 0
}

export async function findRefundFile(db: Executor, id: bigint): Promise<RefundFile | undefined> {
  const [file] = await db.select().from(refundFiles).where(eq(refundFiles.id, id))
  return file
}

const LISTED = 20

/** The newest files, and how many of their transfers the bank has shown. */
export async function listRefundFiles(db: Executor) {
  const { id, messageId, digest, transfers, sumCents, madeBy, madeAt, downloadedAt, cancelledAt, sentBy, sentAt } = refundFiles
  const files = await db
    .select({
      id,
      messageId,
      digest,
      transfers,
      sumCents,
      madeBy,
      madeAt,
      downloadedAt,
      cancelledAt,
      sentBy,
      sentAt,
      confirmed: sql<number>`(select count(*)::int from refunds r where r.file_id = refund_files.id and r.confirmed_by is not null)`,
      /** Transfers that must not be made any more; before the download, also those with a name that is under review. */
      wrong: sql<number>`(select count(*)::int from refunds where refunds.file_id = refund_files.id and refunds.confirmed_by is null and not (${isPayable}))`
    })
    .from(refundFiles)
    .orderBy(desc(refundFiles.id))
    .limit(LISTED)
  for (const file of files.filter((one) => !one.downloadedAt && !one.cancelledAt)) {
    const owed = await owedWhere(db, and(eq(refunds.fileId, file.id), isPayable))
    file.wrong += owed.length - (await cleared(db, owed)).length
  }
  return files
}

type RefundState = 'approved' | 'in_file' | 'sent' | 'confirmed' | 'returned' | 'by_hand'
const CONFIRMED_DAYS = 30

/** Count, euro cents and oldest of each state; of the confirmed ones those of the last 30 days. `by_hand`: no file can name the account. */
export async function refundStates(
  db: Executor,
  now: Date
): Promise<Map<RefundState, { count: number; cents: bigint; oldestAt: Date | null }>> {
  const since = new Date(now.getTime() - CONFIRMED_DAYS * 86_400_000).toISOString()
  const answer = await db.execute(sql`
    select state, count(*)::int as count, sum(cents)::text as cents, min(since) as oldest from (
      select case when r.returned_by is not null then 'returned' when r.confirmed_by is not null then 'confirmed'
          when f.sent_at is not null then 'sent' when f.id is not null and f.cancelled_at is null then 'in_file' else 'approved' end as state,
        r.amount_cents as cents, coalesce(f.sent_at, f.made_at, r.created_at) as since
      from refunds r left join refund_files f on f.id = r.file_id
      where r.void_by is null and (r.confirmed_by is null or r.created_at > ${since}::timestamptz)
      union all
      select 'by_hand', p.amount_cents, d.decided_at
      from payment_decisions d join payments p on p.id = d.payment_id
      where d.decision = 'refunded' and p.currency = 'EUR' and not exists (select 1 from refunds r where r.payment_id = p.id)
        and not exists (select 1 from payments b where b.counterpart_id = p.id)
      union all
      select 'by_hand', p.amount_cents - o.euro_cents_to_pay, d.decided_at
      from payment_decisions d join payments p on p.id = d.payment_id join orders_facts o on o.id = d.order_id
      where d.decision = 'assigned' and p.amount_cents > o.euro_cents_to_pay and not exists (select 1 from refunds r where r.payment_id = p.id)
        and not exists (select 1 from payments b where b.counterpart_id = p.id)
    ) s group by state`)
  const rows = rowsOf<{ state: RefundState; count: number; cents: string; oldest: string | Date | null }>(answer)
  return new Map(
    rows.map(({ state, count: of, cents, oldest }) => [
      state,
      { count: of, cents: BigInt(cents), oldestAt: oldest ? new Date(oldest) : null }
    ])
  )
}

/** How many refunds wait for a file; those that wait for a review do not. */
export async function refundsToFile(db: Executor): Promise<{ count: number; eurCents: bigint; oldestAt: Date | null }> {
  const owed = (await owedNow(db)).map(({ refund }) => refund)
  const oldest = owed.map(({ createdAt }) => createdAt.getTime())
  return {
    count: owed.length,
    eurCents: owed.reduce((sum, { amountCents }) => sum + amountCents, 0n),
    oldestAt: oldest.length > 0 ? new Date(Math.min(...oldest)) : null
  }
}
