/** Looks names up, and keeps what was found. A name that is like one of the list stops its customer's money until a person has decided. */
import { createHash } from 'node:crypto'
import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { foldName } from '#lib/domain/screening/names.ts'
import { mustWait, screeningStateOf } from '#lib/domain/screening/verdict.ts'
import { holdWithdrawals, liftHold } from '../access/index.ts'
import { type IdentityInfo, identityChecks } from '../identity/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { deskSettings } from '../staff/index.ts'
import { type Listed, type NameScreen, ScreeningError } from './port.ts'
import { hitsOfName, hitsOfUser, listState, whoHasHits } from './read.ts'
import { screenedNames, screenedPayers, screeningEntries, screeningHits, screeningLists } from './schema.ts'

/** The hold of a hit; one for all hits of a customer. */
const holdOf = (userId: string) => ({ userId, reason: 'screening', sourceType: 'screening', sourceId: userId }) as const

const digestOf = (parts: (string | undefined)[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)

type Person = { who: string; of: 'customer' | 'payer'; userId: string | undefined; name: string; birthDate?: string | undefined }

const customerOf = (userId: string, info: IdentityInfo | null): Person => {
  const name = [info?.firstName, info?.lastName].filter(Boolean).join(' ')
  return { who: `customer:${userId}:${digestOf([name, info?.dob])}`, of: 'customer', userId, name, birthDate: info?.dob }
}

/** An account: its name and number. What was decided about one counts for no other. */
export type Payer = { name: string; iban: string }
const payerOf = ({ name, iban }: Payer, userId?: string): Person => ({
  who: `payer:${digestOf([foldName(name).toSorted().join(' '), iban.replace(/\s/g, '').toUpperCase()])}`,
  of: 'payer',
  userId,
  name
})

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
const lookUp = async (screen: NameScreen, { name, birthDate, of }: Person): Promise<Listed[]> =>
  foldName(name).length === 0 ? [NAMELESS] : screen.search({ name, birthDate, isPerson: of === 'customer' })

/** Keeps what was found about a name, and holds its customer. What a person has called another one stays so. */
async function keepHits(work: Work, person: Person, found: Listed[]): Promise<void> {
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

const CUSTOMERS_AT_ONCE = 100
const MOST_FAILURES = 3
const DAY_MS = 86_400_000
const AGAIN_MS = 5 * DAY_MS

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

export type PayerScreen = (context: Context, asked: Payer & { userId: string; euroCents: bigint }) => Promise<'go' | 'wait'>

/**
 * Whether money of this payer may be credited to this customer. A name that somebody must decide about, or has decided against, stops any sum. Up
 * to the setting nobody else is looked up; while the list cannot be read, what is above it waits.
 */
export function payerScreen(screen: NameScreen | undefined): PayerScreen {
  return async (context, { userId, euroCents, ...payer }) => {
    const { db, clock, log } = context
    const person = payerOf(payer, userId)
    if ((await hitsOfUser(db, userId)) + (await hitsOfName(db, person.who)) > 0) return 'wait'
    const list = await listState(db)
    const state = screeningStateOf(list, clock())
    if (!screen || state === 'off' || euroCents <= (await deskSettings(db)).screening_credit_above) return 'go'
    if (state === 'stale') return 'wait'
    try {
      await screenPayer(context, screen, person, list?.version ?? '')
    } catch (error) {
      if (!(error instanceof ScreeningError)) throw error
      log.warn({ err: error }, 'the name of a payer could not be looked up')
      return 'wait'
    }
    return (await hitsOfName(db, person.who)) > 0 ? 'wait' : 'go'
  }
}

export type CreditorScreen = (context: Context, creditor: Payer) => Promise<void>

/**
 * Looks up the name of an account that money is about to be sent to, whatever the sum; `payersRefused` then knows it. Throws UnavailableError while
 * the list cannot be read.
 */
export function creditorScreen(screen: NameScreen | undefined): CreditorScreen {
  return async (context, creditor) => {
    const list = await listState(context.db)
    const state = screeningStateOf(list, context.clock())
    if (!screen) return
    if (state !== 'current')
      throw new UnavailableError('The list of names is missing, or too old to send money to another account')
    await screenPayer(context, screen, payerOf(creditor), list?.version ?? '')
  }
}

async function screenPayer(context: Context, screen: NameScreen, person: Person, version: string): Promise<void> {
  const found = await lookUp(screen, person)
  await transact(context, async (work) => {
    await keepHits(work, person, found)
    const row = { who: person.who, version, screenedAt: work.now }
    await work.tx.insert(screenedPayers).values(row).onConflictDoUpdate({ target: screenedPayers.who, set: row })
  })
}

/** Payers of money that waits for a decision; `userId`: of the customer whose order it names. */
export type WaitingPayers = (db: Executor) => Promise<(Payer & { userId: string | undefined })[]>

/** Looks up everybody whose money waits for a decision, so that it can be assigned. One who cannot be looked up holds up no other. */
export async function screenPayers(context: Context, screen: NameScreen, waiting: WaitingPayers): Promise<void> {
  const list = await listState(context.db)
  if (screeningStateOf(list, context.clock()) !== 'current') return
  let failures = 0
  const looked = new Set<string>()
  for (const { userId, ...payer } of await waiting(context.db)) {
    const person = payerOf(payer, userId)
    // Several payments of one payer are one look.
    if (looked.has(person.who)) continue
    looked.add(person.who)
    if (await isPayerScreened(context.db, person.who, context.clock())) continue
    await screenPayer(context, screen, person, list?.version ?? '').catch((error: unknown) => {
      failures += 1
      if (!(error instanceof ScreeningError) || failures >= MOST_FAILURES) throw error
      context.log.warn({ err: error }, 'the name of a payer could not be looked up')
    })
  }
}

async function isPayerScreened(db: Executor, who: string, now: Date): Promise<boolean> {
  const [row] = await db.select({ at: screenedPayers.screenedAt }).from(screenedPayers).where(eq(screenedPayers.who, who))
  return row !== undefined && now.getTime() - row.at.getTime() <= AGAIN_MS
}

/** Which of these names are open or confirmed, by their place in the list. */
export async function placesWithHits(db: Executor, payers: Payer[]): Promise<Set<number>> {
  const whos = payers.map((payer) => payerOf(payer).who)
  const found = await whoHasHits(db, whos)
  return new Set(whos.flatMap((who, place) => (found.has(who) ? [place] : [])))
}

/**
 * Why money of these payers must not be moved; undefined if it may. `screening`: a name is open or confirmed. `screening_waits`: above the setting
 * and not looked up. `userId`: whom it would be credited to; without one it goes back.
 */
export async function payersRefused(
  db: Executor,
  payers: Payer[],
  { userId, euroCents, now }: { userId?: string; euroCents: bigint; now: Date }
): Promise<'screening' | 'screening_waits' | undefined> {
  if (userId && (await hitsOfUser(db, userId)) > 0) return 'screening'
  for (const payer of payers) if ((await hitsOfName(db, payerOf(payer).who)) > 0) return 'screening'
  const isAsked = userId !== undefined && euroCents > (await deskSettings(db)).screening_credit_above
  if (!isAsked || screeningStateOf(await listState(db), now) === 'off') return undefined
  for (const payer of payers) if (!(await isPayerScreened(db, payerOf(payer).who, now))) return 'screening_waits'
  return undefined
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
