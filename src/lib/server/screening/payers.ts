/** Names of accounts: of those that pay, and of those that a refund goes to. */
import { eq } from 'drizzle-orm'
import { foldName } from '#lib/domain/screening/names.ts'
import { screeningStateOf } from '#lib/domain/screening/verdict.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { UnavailableError } from '../platform/errors.ts'
import { transact } from '../platform/transaction.ts'
import { deskSettings } from '../staff/index.ts'
import { AGAIN_MS, digestOf, keepHits, lookUp, MOST_FAILURES, type Person } from './hits.ts'
import { type NameScreen, ScreeningError } from './port.ts'
import { hitsOfName, hitsOfUser, listState, whoHasHits } from './read.ts'
import { screenedPayers } from './schema.ts'

/** An account: its name and number. What was decided about one counts for no other. */
export type Payer = { name: string; iban: string }
const payerOf = ({ name, iban }: Payer, userId?: string): Person => ({
  who: `payer:${digestOf([foldName(name).toSorted().join(' '), iban.replace(/\s/g, '').toUpperCase()])}`,
  of: 'payer',
  userId,
  name
})

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
    if (!screen) return
    const list = await listState(context.db)
    if (screeningStateOf(list, context.clock()) !== 'current')
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

/**
 * Looks up everybody whose money waits, so that it can be moved. One who cannot be looked up holds up no other: the list is begun anywhere, and
 * several payments of one payer are one look. Throws ScreeningError at the third who cannot be looked up.
 */
export async function screenPayers(context: Context, screen: NameScreen, waiting: WaitingPayers): Promise<void> {
  const list = await listState(context.db)
  if (screeningStateOf(list, context.clock()) !== 'current') return
  const byWho = new Map<string, Person>()
  for (const { userId, ...payer } of await waiting(context.db)) {
    const person = payerOf(payer, userId)
    if (!byWho.has(person.who)) byWho.set(person.who, person)
  }
  const people = [...byWho.values()]
  const first = Math.floor(Math.random() * people.length)
  let failures = 0
  for (const person of [...people.slice(first), ...people.slice(0, first)]) {
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
