/**
 * Makes the statements of each quarter an hour after its end (UTC), and with those of the fourth quarter the tax reports of the year. The
 * last posting of a quarter is decided once and kept: the next statement starts exactly where the one before ended, whatever is booked in
 * between.
 */
import { and, asc, desc, eq, isNull, lt } from 'drizzle-orm'
import {
  closedQuarters,
  type DocumentKind,
  firstQuarterOf,
  nextQuarter,
  quarterBefore,
  quarterOf,
  spanOf,
  yearEndedBy
} from '#lib/domain/documents/periods.ts'
import { customersBookedBy, firstTransactionAt, lastPostingBefore } from '../ledger/index.ts'
import type { Company } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { documents, quarterCuts } from './schema.ts'
import type { Asked } from './statement.ts'
import { type Holder, readHolder } from './values.ts'

const CUSTOMERS_AT_ONCE = 200
/**
 * How long after its period a new document is announced by mail. A later one, e.g. when the product starts to make documents, is only
 * listed.
 */
const NEWS_FOR_DAYS = 60
const DAY_MS = 86_400_000
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** This many failures in a row have a common cause; stop. */
const MOST_FAILED = 20

/**
 * Closes the quarters that are due, then makes the missing documents, oldest quarter first. Returns how many it made; throws the last
 * failure after all others are made.
 */
export async function makeDocuments(context: Context, issuer: Company): Promise<number> {
  await takeCuts(context)
  const open = await context.db.select().from(quarterCuts).where(isNull(quarterCuts.doneAt)).orderBy(asc(quarterCuts.quarter))
  let [made, failed] = [0, undefined as unknown]
  for (const cut of open) {
    const outcome = await makeQuarter(context, issuer, cut)
    made += outcome.made
    failed = outcome.failed ?? failed
  }
  if (failed) throw failed
  return made
}

async function takeCuts(context: Context): Promise<void> {
  const { db, clock } = context
  const first = await firstTransactionAt(db)
  if (!first) return
  const known = new Set((await db.select({ quarter: quarterCuts.quarter }).from(quarterCuts)).map(({ quarter }) => quarter))
  for (const quarter of closedQuarters(first, clock())) {
    if (!known.has(quarter)) await closeQuarter(context, quarter)
  }
}

async function closeQuarter(context: Context, quarter: string): Promise<void> {
  const { db, clock, log } = context
  const [before, found] = [await postingBefore(context, quarter), await lastPostingBefore(db, spanOf(quarter).end)]
  const lastPosting = found > before ? found : before
  await db.insert(quarterCuts).values({ quarter, lastPosting, takenAt: clock() }).onConflictDoNothing()
  log.info({ quarter, lastPosting: String(lastPosting) }, 'a quarter was closed')
}

/** For the sandbox: closes the quarter after the last closed one now; what is booked later belongs to the next one. */
export async function closeNextQuarter(context: Context): Promise<void> {
  const rows = await context.db
    .select({ quarter: quarterCuts.quarter })
    .from(quarterCuts)
    .orderBy(desc(quarterCuts.quarter))
    .limit(1)
  await closeQuarter(context, rows[0] ? nextQuarter(rows[0].quarter) : quarterOf(context.clock()))
}

/** The last posting before this quarter; 0 before the first one. */
async function postingBefore({ db }: Context, quarter: string): Promise<bigint> {
  const isEarlier = lt(quarterCuts.quarter, quarter)
  const [row] = await db.select().from(quarterCuts).where(isEarlier).orderBy(desc(quarterCuts.quarter)).limit(1)
  return row?.lastPosting ?? 0n
}

/** A document that cannot be made does not stop those of other customers; the quarter stays open, so that the next run tries again. */
async function makeQuarter(
  context: Context,
  issuer: Company,
  { quarter, lastPosting }: Pick<typeof quarterCuts.$inferSelect, 'quarter' | 'lastPosting'>
): Promise<{ made: number; failed?: unknown }> {
  const { db, clock, log } = context
  const periods = await periodsOf(context, quarter, lastPosting)
  let [made, inARow, failed] = [0, 0, undefined as unknown]
  for (let from = NOBODY; ; ) {
    const customers = await customersBookedBy(db, lastPosting, from, CUSTOMERS_AT_ONCE)
    const final = customers.at(-1)
    if (!final) break
    from = final
    for (const userId of customers)
      for (const period of periods)
        try {
          if (await makeOne(context, issuer, userId, period)) made += 1
          inARow = 0
        } catch (error) {
          log.error({ err: error, user: userId, kind: period.kind, period: period.period }, 'a document was not made')
          failed = error
          inARow += 1
          if (inARow === MOST_FAILED) return { made, failed }
        }
  }
  if (failed === undefined) await db.update(quarterCuts).set({ doneAt: clock() }).where(eq(quarterCuts.quarter, quarter))
  return { made, failed }
}

/**
 * The statement of the quarter and, after the fourth one, the tax report of the year. The tax report counts by the dates of the bookings:
 * it reads from the quarter before the year up to now, and keeps the lines that are dated in the year.
 */
async function periodsOf(context: Context, quarter: string, until: bigint): Promise<Period[]> {
  const statement: Period = { kind: 'statement', period: quarter, after: await postingBefore(context, quarter), until }
  const year = yearEndedBy(quarter)
  if (!year) return [statement]
  const now = await lastPostingBefore(context.db, new Date(context.clock().getTime() + DAY_MS))
  return [
    statement,
    { kind: 'tax', period: year, after: await postingBefore(context, quarterBefore(firstQuarterOf(year))), until: now }
  ]
}

type Period = { kind: DocumentKind; period: string; after: bigint; until: bigint }

/** Loads the code that draws with the first document. */
async function draw(context: Context, kind: DocumentKind, asked: Asked) {
  if (kind === 'statement') return (await import('./statement.ts')).makeStatement(context, asked)
  return (await import('./taxReport.ts')).makeTaxReport(context, asked)
}

/** False if it was made before. The document and its mail are stored in one transaction. */
async function makeOne(
  context: Context,
  issuer: Company,
  userId: string,
  { kind, period, after, until }: Period
): Promise<boolean> {
  const isSame = and(eq(documents.userId, userId), eq(documents.kind, kind), eq(documents.period, period))
  const [known] = await context.db.select({ period: documents.period }).from(documents).where(isSame)
  if (known) return false
  const createdAt = context.clock()
  const holder = await readHolder(context, userId)
  const asked: Asked = { holder, period, after, until, issuer, createdAt }
  const made = await draw(context, kind, asked)
  return transact(context, async ({ tx, enqueue }) => {
    const inserted = await tx
      .insert(documents)
      .values({ userId, kind, period, afterPosting: after, lastPosting: until, ...made, createdAt })
      .onConflictDoNothing()
      .returning({ period: documents.period })
    if (inserted.length === 0) return false
    if (isRecent(period, createdAt)) await enqueue(mailOf(context, holder, kind, period))
    return true
  })
}

function isRecent(period: string, now: Date): boolean {
  return now.getTime() - spanOf(period).end.getTime() < NEWS_FOR_DAYS * DAY_MS
}

function mailOf({ origin }: Context, { userId, email, locale }: Holder, kind: DocumentKind, period: string) {
  const name = kind === 'statement' ? 'statementReady' : 'taxReportReady'
  return mailTo({ id: userId, email, locale }, name, { period, link: `${origin}/profile#documents` })
}
