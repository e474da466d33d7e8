/** The customer's documents: their list, and the bytes of each. */
import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { DOCUMENT_KINDS } from '#lib/domain/documents/periods.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { orders } from '../orders/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { documents, quarterCuts, receipts } from './schema.ts'

/** Newest first. */
export async function listDocuments({ db }: Context, { userId }: Customer): Promise<Answer<'listDocuments'>> {
  const rows = await db
    .select({ kind: documents.kind, period: documents.period, lines: documents.lines, createdAt: documents.createdAt })
    .from(documents)
    .where(eq(documents.userId, userId))
    .orderBy(desc(documents.period), desc(documents.kind))
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

export type DocumentFile = { body: Uint8Array | string; type: string; name: string }

/** The receipt of an order of this customer. Undefined if it is not made yet, or the order is somebody else's. */
async function readReceipt({ db }: Context, userId: string, orderId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ pdf: receipts.pdf })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(and(eq(receipts.orderId, orderId), eq(orders.userId, userId)))
  return row?.pdf
}

/**
 * A document of this customer by the name of its file: `statement-2026-Q4.pdf`, `tax-2026.csv` or `receipt-RF….pdf`. Undefined if the customer
 * has no such document.
 */
export async function readDocumentFile(context: Context, { userId }: Customer, name: string): Promise<DocumentFile | undefined> {
  const [, kind, key, ending] = /^([a-z]+)-([\w-]{4,20})\.(pdf|csv)$/.exec(name) ?? []
  if (!kind || !key) return undefined
  if (kind === 'receipt') {
    const body = ending === 'pdf' ? await readReceipt(context, userId, key) : undefined
    return body && { body, type: 'application/pdf', name }
  }
  const known = DOCUMENT_KINDS.find((one) => one === kind)
  if (!known) return undefined
  const isIt = and(eq(documents.userId, userId), eq(documents.kind, known), eq(documents.period, key))
  if (ending === 'csv') {
    const [row] = await context.db.select({ csv: documents.csv }).from(documents).where(isIt)
    return row && { body: row.csv, type: 'text/csv; charset=utf-8', name }
  }
  const [row] = await context.db.select({ pdf: documents.pdf }).from(documents).where(isIt)
  return row && { body: row.pdf, type: 'application/pdf', name }
}

const MISSING_SHOWN = 100
/** A receipt is made within seconds of its order's completion, and looked for every ten minutes. */
const LATE_MS = 900_000

/** Quarters whose documents are not all made, with how many are, and completed orders that have no receipt 15 minutes later. */
export async function missingDocuments({ db, clock }: Context) {
  const made = db
    .select({ count: sql<number>`count(*)::int` })
    .from(documents)
    .where(and(eq(documents.kind, 'statement'), eq(documents.period, quarterCuts.quarter)))
  const { quarter, takenAt, doneAt } = quarterCuts
  const isLate = lt(orders.completedAt, new Date(clock().getTime() - LATE_MS))
  const [quarters, withoutReceipt] = await Promise.all([
    db
      .select({ quarter, closedAt: takenAt, made: sql<number>`(${made})` })
      .from(quarterCuts)
      .where(isNull(doneAt))
      .orderBy(asc(quarter)),
    db
      .select({ orderId: orders.id, userId: orders.userId, completedAt: orders.completedAt })
      .from(orders)
      .leftJoin(receipts, eq(receipts.orderId, orders.id))
      .where(and(eq(orders.status, ORDER_STATUS.completed), isNull(receipts.orderId), isLate))
      .orderBy(asc(orders.completedAt))
      .limit(MISSING_SHOWN)
  ])
  return { quarters, withoutReceipt }
}
