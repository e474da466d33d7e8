/** Looks names up, and keeps what was found. A name that is like one of the list stops its customer's money until a person has decided. */
import { createHash } from 'node:crypto'
import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { foldName } from '#lib/domain/screening/names.ts'
import { mustWait, screeningStateOf } from '#lib/domain/screening/verdict.ts'
import { holdWithdrawals, liftHold } from '../access/index.ts'
import { identityChecks } from '../identity/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { deskSettings } from '../staff/index.ts'
import { type Listed, type NameScreen, ScreeningError } from './port.ts'
import { hitsOf, listState } from './read.ts'
import { screenedNames, screeningEntries, screeningHits, screeningLists } from './schema.ts'

/** The hold of a hit; one for all hits of a customer. */
const holdOf = (userId: string) => ({ userId, reason: 'screening', sourceType: 'screening', sourceId: userId }) as const

type Person = { userId: string; of: 'customer' | 'payer'; name: string; birthDate?: string | undefined }

/** A name in plain letters with its birth date: the same two are remembered by it. */
const whoOf = ({ of, name, birthDate = '' }: Pick<Person, 'of' | 'name' | 'birthDate'>) =>
  `${of}:${foldName(name).toSorted().join(' ')}:${birthDate}`

/** Keeps what was found about a name. What a person has called another one stays so. */
async function keepHits({ tx, now }: Work, person: Person, found: Listed[]): Promise<void> {
  if (found.length === 0) return
  const { userId, of, name } = person
  await tx
    .insert(screeningHits)
    .values(found.map((hit) => ({ userId, of, name, who: whoOf(person), ...hit, foundAt: now, state: 'open' as const })))
    .onConflictDoNothing()
}

/** Holds the customer while a hit is open or confirmed, and lets them go otherwise. */
async function holdByHits(work: Work, userId: string): Promise<void> {
  if ((await hitsOf(work.tx, userId)) > 0) await holdWithdrawals(work, holdOf(userId), { isAgain: true })
  else await liftHold(work, holdOf(userId))
}

const CUSTOMERS_AT_ONCE = 100

/**
 * Customers whose verified name was not looked at yet, or by an older list. `isNew`: only those who were verified within a day, which is quick to
 * ask. Returns how many it has looked at.
 */
export async function screenCustomers(context: Context, screen: NameScreen, { isNew = false } = {}): Promise<number> {
  const { db, clock } = context
  const state = await listState(db)
  if (!state?.version) return 0
  const { version } = state
  const due = await db
    .select({
      userId: identityChecks.userId,
      info: identityChecks.info,
      digest: screenedNames.digest,
      version: screenedNames.version
    })
    .from(identityChecks)
    .leftJoin(screenedNames, eq(screenedNames.userId, identityChecks.userId))
    .where(
      and(
        eq(identityChecks.reviewStatus, 'completed'),
        isNew ? gt(identityChecks.updatedAt, new Date(clock().getTime() - DAY_MS)) : undefined,
        or(
          isNull(screenedNames.userId),
          ne(screenedNames.version, version),
          sql`${identityChecks.updatedAt} > ${screenedNames.screenedAt}`,
          // Looked at again once a week, so that it is never older than it may be.
          sql`${screenedNames.screenedAt} < ${new Date(clock().getTime() - AGAIN_MS).toISOString()}::timestamptz`
        )
      )
    )
    .orderBy(sql`${screenedNames.screenedAt} nulls first`)
    .limit(CUSTOMERS_AT_ONCE)
  for (const { userId, info } of due) {
    const name = [info?.firstName, info?.lastName].filter(Boolean).join(' ')
    const person: Person = { userId, of: 'customer', name, birthDate: info?.dob }
    // Without a name there is nothing to compare: it counts as looked at, and is again once it has one.
    const found = name === '' ? [] : await screen.search({ name, birthDate: info?.dob, isPerson: true })
    await transact(context, async (work) => {
      await keepHits(work, person, found)
      await holdByHits(work, userId)
      const row = { userId, digest: createHash('sha256').update(whoOf(person)).digest('hex'), version, screenedAt: work.now }
      await work.tx.insert(screenedNames).values(row).onConflictDoUpdate({ target: screenedNames.userId, set: row })
    })
  }
  return due.length
}
const DAY_MS = 86_400_000
const AGAIN_MS = 5 * DAY_MS

/** `euroCents`: what came. */
type Payer = { userId: string; name: string; euroCents: bigint }
export type PayerScreen = (context: Context, payer: Payer) => Promise<'go' | 'wait'>

/** Whether money of this payer may be credited. Up to the setting nobody is looked up; while the list cannot be read, what is above it waits. */
export function payerScreen(screen: NameScreen | undefined): PayerScreen {
  return async (context, { userId, name, euroCents }) => {
    const { db, clock, log } = context
    const state = screeningStateOf(await listState(db), clock())
    if (!screen || state === 'off' || euroCents <= (await deskSettings(db)).screening_credit_above) return 'go'
    if (state === 'stale') return 'wait'
    const person: Person = { userId, of: 'payer', name }
    try {
      const found = await screen.search({ name, isPerson: false })
      await transact(context, async (work) => {
        await keepHits(work, person, found)
        await holdByHits(work, userId)
      })
    } catch (error) {
      if (!(error instanceof ScreeningError)) throw error
      log.warn({ err: error }, 'the name of a payer could not be looked up')
      return 'wait'
    }
    return (await payerHits(db, userId, name)) > 0 ? 'wait' : 'go'
  }
}

/** Names of this payer that a person must decide about, or has decided against. */
export function payerHits(db: Executor, userId: string, name: string): Promise<number> {
  return hitsOf(db, userId, whoOf({ of: 'payer', name }))
}

/** Whether a withdrawal must wait for its customer's name. */
export async function withdrawalWaits(
  db: Executor,
  { userId, cents, now }: { userId: string; cents: bigint; now: Date }
): Promise<boolean> {
  const [list, hits, [screened], settings] = await Promise.all([
    listState(db),
    hitsOf(db, userId),
    db.select({ at: screenedNames.screenedAt }).from(screenedNames).where(eq(screenedNames.userId, userId)),
    deskSettings(db)
  ])
  return mustWait({
    state: screeningStateOf(list, now),
    hits,
    screenedAt: screened?.at ?? null,
    cents,
    aboveCents: settings.screening_withdrawal_above,
    now
  })
}

type Decision = { id: bigint; decidedBy: string; approvedBy?: string; why: string }

/** Notes that two are not the same, by two persons, or that they are, by one. False if it was decided before. Holds or releases the customer. */
export async function decideHit(
  work: Work,
  state: 'other_person' | 'same_person',
  { id, decidedBy, approvedBy, why }: Decision
): Promise<boolean> {
  const [hit] = await work.tx
    .update(screeningHits)
    .set({ state, decidedBy, approvedBy: approvedBy ?? null, decidedAt: work.now, why })
    .where(and(eq(screeningHits.id, id), eq(screeningHits.state, 'open')))
    .returning({ userId: screeningHits.userId })
  if (hit) await holdByHits(work, hit.userId)
  return hit !== undefined
}

/** Reads the list anew. What goes wrong is kept, so that staff see it; the last good one stays in use. */
export async function refreshList({ db, clock, log }: Context, screen: NameScreen | undefined): Promise<void> {
  const source = screen?.source ?? ''
  // Another list was set before, or none is any more.
  await db.delete(screeningLists).where(ne(screeningLists.source, source))
  await db.delete(screeningEntries).where(ne(screeningEntries.source, source))
  if (!screen) return
  // It is set: until it was read, what is above the settings waits.
  await db.insert(screeningLists).values({ source, entries: 0 }).onConflictDoNothing()
  try {
    const { version, entries } = await screen.refresh()
    const row = { source, version, entries, readAt: clock(), error: null }
    await db.insert(screeningLists).values(row).onConflictDoUpdate({ target: screeningLists.source, set: row })
  } catch (error) {
    if (!(error instanceof ScreeningError)) throw error
    log.error({ source, err: error }, 'the list of names cannot be read')
    await db.update(screeningLists).set({ error: error.message }).where(eq(screeningLists.source, source))
  }
}

const LIST_EVERY_SECONDS = 6 * 3600
const EVERY_SECONDS = 600
const NEW_EVERY_SECONDS = 5

export function screeningJobs(context: Context, screen: NameScreen | undefined): JobKind[] {
  return [
    {
      name: 'screening_list',
      role: 'worker',
      isSlow: true,
      everySeconds: LIST_EVERY_SECONDS,
      run: () => refreshList(context, screen)
    },
    { name: 'screening', role: 'worker', isSlow: true, everySeconds: EVERY_SECONDS, run: () => screenAll(context, screen) },
    {
      name: 'screening_new',
      role: 'worker',
      everySeconds: NEW_EVERY_SECONDS,
      run: () => screenAll(context, screen, { isNew: true })
    }
  ]
}

async function screenAll(context: Context, screen: NameScreen | undefined, which = {}): Promise<void> {
  try {
    while (screen && (await screenCustomers(context, screen, which)) === CUSTOMERS_AT_ONCE);
  } catch (error) {
    if (!(error instanceof ScreeningError)) throw error
    context.log.warn({ err: error }, 'names cannot be looked up at the moment')
  }
}
