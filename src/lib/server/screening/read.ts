/** What is known about names: for the gate, the monitor and the desk. */
import { and, asc, count, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { ListState } from '#lib/domain/screening/verdict.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf, literal } from '../platform/db/columns.ts'
import { screeningHits, screeningLists } from './schema.ts'

/** The list that is set; undefined: screening is off. */
export async function listState(db: Executor): Promise<ListState | undefined> {
  const [list] = await db.select().from(screeningLists).limit(1)
  return list
}

const counted = async (db: Executor, which: SQL): Promise<number> => {
  const [row] = await db
    .select({ count: count() })
    .from(screeningHits)
    .where(and(which, ne(screeningHits.state, 'other_person')))
  return row?.count ?? 0
}
/** How many names of a customer, and of whoever pays them, are open or confirmed. */
export const hitsOfUser = (db: Executor, userId: string): Promise<number> => counted(db, eq(screeningHits.userId, userId))
/** The same of one name. */
export const hitsOfName = (db: Executor, who: string): Promise<number> => counted(db, eq(screeningHits.who, who))

/** Those of these names that are open or confirmed. */
export async function whoHasHits(db: Executor, whos: string[]): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ who: screeningHits.who })
    .from(screeningHits)
    .where(and(anyOf(screeningHits.who, whos), ne(screeningHits.state, 'other_person')))
  return new Set(rows.map(({ who }) => who))
}

export type Hit = typeof screeningHits.$inferSelect

const LISTED = 200

/** Open ones, the oldest first; or those that were decided, the newest first. */
export function listHits(db: Executor, filter: 'open' | 'over'): Promise<Hit[]> {
  const query = db.select().from(screeningHits)
  return filter === 'open'
    ? query
        .where(eq(screeningHits.state, literal('open')))
        .orderBy(asc(screeningHits.foundAt))
        .limit(LISTED)
    : query.where(ne(screeningHits.state, 'open')).orderBy(desc(screeningHits.decidedAt)).limit(LISTED)
}

/** `lock`: until the transaction ends. */
export async function findHit(db: Executor, id: bigint, lock = false): Promise<Hit | undefined> {
  const query = db.select().from(screeningHits).where(eq(screeningHits.id, id))
  const [hit] = lock ? await query.for('update') : await query
  return hit
}

/** How many wait for a decision, and since when the oldest does. */
export async function openHits(db: Executor): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await db
    .select({ count: count(), oldestAt: sql<string | null>`min(${screeningHits.foundAt})` })
    .from(screeningHits)
    .where(eq(screeningHits.state, literal('open')))
  return { count: row?.count ?? 0, oldestAt: row?.oldestAt ? new Date(row.oldestAt) : null }
}
