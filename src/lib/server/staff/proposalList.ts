/** Proposals as they are now: one, those that wait, and those that are over. */
import { and, asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Right } from '#lib/domain/staff/rights.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { DeskError } from './failure.ts'
import { staffProposals } from './schema.ts'

export type Proposal = typeof staffProposals.$inferSelect

/** As it is now: an open one whose day is over has lapsed. Throws `not_found`. */
export async function findProposal({ db, clock }: Context, id: string): Promise<Proposal> {
  const [proposal] = await db.select().from(staffProposals).where(eq(staffProposals.id, id))
  if (!proposal) throw new DeskError('not_found')
  return asOf(proposal, clock())
}

const asOf = (proposal: Proposal, now: Date): Proposal =>
  proposal.state === 'open' && proposal.expiresAt <= now ? { ...proposal, state: 'lapsed' } : proposal

const LISTED = 200

/** The open ones of these acts, due first; or those that are over, newest first. */
export async function listProposals({ db, clock }: Context, filter: 'open' | 'over', acts: Right[]): Promise<Proposal[]> {
  if (acts.length === 0) return []
  const now = clock()
  const isOpen = and(eq(staffProposals.state, literal('open')), gt(staffProposals.expiresAt, now))
  const query = db.select().from(staffProposals)
  const rows = await (filter === 'open'
    ? query
        .where(and(isOpen, inArray(staffProposals.act, acts)))
        .orderBy(asc(staffProposals.expiresAt))
        .limit(LISTED)
    : query
        .where(and(sql`not (${isOpen})`, inArray(staffProposals.act, acts)))
        .orderBy(desc(staffProposals.proposedAt))
        .limit(LISTED))
  return rows.map((row) => asOf(row, now))
}

/** How many of these acts are open, and since when the oldest is. */
export async function openProposals(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  acts: Right[]
): Promise<{ count: number; oldestAt: Date | null }> {
  if (acts.length === 0) return { count: 0, oldestAt: null }
  const [row] = await db
    .select({ count: count(), oldestAt: sql<string | null>`min(${staffProposals.proposedAt})` })
    .from(staffProposals)
    .where(
      and(eq(staffProposals.state, literal('open')), gt(staffProposals.expiresAt, clock()), inArray(staffProposals.act, acts))
    )
  return { count: row?.count ?? 0, oldestAt: row?.oldestAt ? new Date(row.oldestAt) : null }
}

/** The ids of the proposals of an act and subject that were approved since. */
export async function approvedProposals(
  db: Executor,
  { right, subject, since }: { right: Right; subject: string; since: Date }
): Promise<string[]> {
  const rows = await db
    .select({ id: staffProposals.id })
    .from(staffProposals)
    .where(
      and(
        eq(staffProposals.act, right),
        eq(staffProposals.subject, subject),
        eq(staffProposals.state, 'approved'),
        gt(staffProposals.decidedAt, since)
      )
    )
  return rows.map(({ id }) => id)
}
