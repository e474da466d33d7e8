/** What is kept about a name that is like one of the list, and the hold of its customer, until a person has decided. */
import { createHash } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { foldName } from '#lib/domain/screening/names.ts'
import { holdWithdrawals, liftHold } from '../access/index.ts'
import type { Work } from '../platform/transaction.ts'
import type { Listed, NameScreen } from './port.ts'
import { hitsOfUser } from './read.ts'
import { screeningHits } from './schema.ts'

/** After so many names that cannot be looked up, a run ends: it is not the names. */
export const MOST_FAILURES = 3
const DAY_MS = 86_400_000
/** A name is looked at again before it is too old to count. */
export const AGAIN_MS = 5 * DAY_MS

/** The hold of a hit; one for all hits of a customer. */
const holdOf = (userId: string) => ({ userId, reason: 'screening', sourceType: 'screening', sourceId: userId }) as const

export const digestOf = (parts: (string | undefined)[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)

export type Person = {
  who: string
  of: 'customer' | 'payer'
  userId: string | undefined
  name: string
  birthDate?: string | undefined
}

/** A name without a letter cannot be compared: a person decides. */
const NAMELESS: Listed = {
  source: 'none',
  entryId: 'no-name',
  listed: 'no name',
  about: 'The name is not known: nothing can be compared',
  births: [],
  score: 1,
  birth: 'unknown'
}

/** What is like the name. Throws ScreeningError. */
export const lookUp = async (screen: NameScreen, { name, birthDate, of }: Person): Promise<Listed[]> =>
  foldName(name).length === 0 ? [NAMELESS] : screen.search({ name, birthDate, isPerson: of === 'customer' })

/** Keeps what was found about a name, and holds its customer. What a person has called another one stays so. */
export async function keepHits(work: Work, person: Person, found: Listed[]): Promise<void> {
  const { tx, now } = work
  const { userId, of, name, birthDate, who } = person
  if (userId) await lockCustomer(work, userId)
  if (found.length > 0)
    await tx
      .insert(screeningHits)
      .values(
        found.map((hit) => ({
          userId: userId ?? null,
          of,
          name,
          birthDate: birthDate ?? null,
          who,
          ...hit,
          foundAt: now,
          state: 'open' as const
        }))
      )
      .onConflictDoNothing()
  if (!userId) return
  // The payer was known before, and pays this customer now.
  if (of === 'payer')
    await tx
      .update(screeningHits)
      .set({ userId })
      .where(and(eq(screeningHits.who, who), isNull(screeningHits.userId)))
  await holdByHits(work, userId)
}

/** One at a time for a customer: a hold is never lifted beside a name that was just found. */
const lockCustomer = ({ tx }: Work, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`screening:${userId}`}, 0))`)

/** Holds the customer while a hit is open or confirmed, and lets them go otherwise. The caller has locked the customer. */
async function holdByHits(work: Work, userId: string): Promise<void> {
  if ((await hitsOfUser(work.tx, userId)) > 0) await holdWithdrawals(work, holdOf(userId), { isAgain: true })
  else await liftHold(work, holdOf(userId))
}

type Decision = { id: bigint; decidedBy: string; approvedBy?: string; why: string }

/** Notes that two are not the same, by two persons, or that they are, by one. False if it was decided before. Holds or releases the customer. */
export async function decideHit(
  work: Work,
  state: 'other_person' | 'same_person',
  { id, decidedBy, approvedBy, why }: Decision
): Promise<boolean> {
  const [before] = await work.tx.select({ userId: screeningHits.userId }).from(screeningHits).where(eq(screeningHits.id, id))
  if (before?.userId) await lockCustomer(work, before.userId)
  const [hit] = await work.tx
    .update(screeningHits)
    .set({ state, decidedBy, approvedBy: approvedBy ?? null, decidedAt: work.now, why })
    .where(and(eq(screeningHits.id, id), eq(screeningHits.state, 'open')))
    .returning({ userId: screeningHits.userId })
  if (hit?.userId) await holdByHits(work, hit.userId)
  return hit !== undefined
}
