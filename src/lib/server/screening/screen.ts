/** Looks customers' names up, and reads the list anew. A name that is like one of the list stops its customer's money until a person has decided. */
import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { mustWait, screeningStateOf } from '#lib/domain/screening/verdict.ts'
import { type IdentityInfo, identityChecks } from '../identity/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact } from '../platform/transaction.ts'
import { deskSettings } from '../staff/index.ts'
import { AGAIN_MS, digestOf, keepHits, lookUp, MOST_FAILURES, type Person } from './hits.ts'
import { screenPayers, type WaitingPayers } from './payers.ts'
import { type NameScreen, ScreeningError } from './port.ts'
import { hitsOfUser, listState } from './read.ts'
import { screenedNames, screeningEntries, screeningLists } from './schema.ts'

const customerOf = (userId: string, info: IdentityInfo | null): Person => {
  const name = [info?.firstName, info?.lastName].filter(Boolean).join(' ')
  return { who: `customer:${userId}:${digestOf([name, info?.dob])}`, of: 'customer', userId, name, birthDate: info?.dob }
}

const CUSTOMERS_AT_ONCE = 100
const DAY_MS = 86_400_000

/**
 * Customers whose verified name was not looked at yet, or by an older list. `isNew`: only those who were verified within a day, which is quick to
 * ask. One that cannot be looked up holds up no other. Returns how many it has looked at; throws ScreeningError if none can be.
 */
export async function screenCustomers(context: Context, screen: NameScreen, { isNew = false } = {}): Promise<number> {
  const { db, clock, log } = context
  const state = await listState(db)
  if (!state?.version) return 0
  const { version } = state
  // Taken before the names are read: one that changes from then on is looked at again.
  const readAt = clock()
  const due = await db
    .select({ userId: identityChecks.userId, info: identityChecks.info })
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
          // Looked at again before it is too old to count.
          sql`${screenedNames.screenedAt} < ${new Date(clock().getTime() - AGAIN_MS).toISOString()}::timestamptz`
        )
      )
    )
    .orderBy(sql`${screenedNames.screenedAt} nulls first`, sql`random()`)
    .limit(CUSTOMERS_AT_ONCE)
  let failures = 0
  for (const { userId, info } of due) {
    const person = customerOf(userId, info)
    const found = await lookUp(screen, person).catch((error: unknown) => {
      failures += 1
      if (!(error instanceof ScreeningError) || failures >= MOST_FAILURES) throw error
      log.warn({ customer: userId, err: error }, 'a name could not be looked up')
    })
    if (!found) continue
    await transact(context, async (work) => {
      await keepHits(work, person, found)
      const row = { userId, digest: person.who, version, screenedAt: readAt }
      await work.tx.insert(screenedNames).values(row).onConflictDoUpdate({ target: screenedNames.userId, set: row })
    })
  }
  return due.length - failures
}

/** Whether a withdrawal must wait for its customer's name. `cents`: what the customer withdraws within a day. */
export async function withdrawalWaits(
  db: Executor,
  { userId, cents, now }: { userId: string; cents: bigint; now: Date }
): Promise<boolean> {
  const [list, hits, [screened], settings] = await Promise.all([
    listState(db),
    hitsOfUser(db, userId),
    // A look from before the newest event of the check was about another name.
    db
      .select({ at: screenedNames.screenedAt })
      .from(screenedNames)
      .innerJoin(identityChecks, eq(identityChecks.userId, screenedNames.userId))
      .where(and(eq(screenedNames.userId, userId), sql`${identityChecks.updatedAt} <= ${screenedNames.screenedAt}`)),
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
const PAYERS_EVERY_SECONDS = 60

export function screeningJobs(context: Context, screen: NameScreen | undefined, waiting: WaitingPayers): JobKind[] {
  return [
    {
      name: 'screening_list',
      role: 'worker',
      lanes: 'slow',
      everySeconds: LIST_EVERY_SECONDS,
      run: () => refreshList(context, screen)
    },
    { name: 'screening', role: 'worker', lanes: 'slow', everySeconds: EVERY_SECONDS, run: () => screenAll(context, screen) },
    {
      name: 'screening_new',
      role: 'worker',
      everySeconds: NEW_EVERY_SECONDS,
      run: () => screenAll(context, screen, { isNew: true })
    },
    {
      name: 'screening_payers',
      role: 'worker',
      lanes: 'slow',
      everySeconds: PAYERS_EVERY_SECONDS,
      run: () => orLater(context, async () => screen && screenPayers(context, screen, waiting))
    }
  ]
}

async function screenAll(context: Context, screen: NameScreen | undefined, which = {}): Promise<void> {
  await orLater(context, async () => {
    while (screen && (await screenCustomers(context, screen, which)) === CUSTOMERS_AT_ONCE);
  })
}

/** While the list or the service does not answer, the next run tries again. */
async function orLater({ log }: Context, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof ScreeningError)) throw error
    log.warn({ err: error }, 'names cannot be looked up at the moment')
  }
}
