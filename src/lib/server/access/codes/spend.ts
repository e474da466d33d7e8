import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import type { Work } from '../../platform/transaction.ts'
import { type CodePurpose, codes, type Registration } from '../schema.ts'
import { type Asker, isCode } from './issue.ts'

/** `asker.holder` is empty if the browser sent no cookie. */
type Entered = { purpose: CodePurpose; email: string; code: string; asker: Asker; boundTo?: string }

export type SpentCode = {
  /** The data of the sign-up; null for other purposes. */
  registration: Registration | null
  /** True if the browser that entered the code also asked for it. */
  isHolder: boolean
}

type Row = typeof codes.$inferSelect

function alive({ purpose, email, boundTo = '' }: Entered, now: Date): SQL | undefined {
  return and(eq(codes.purpose, purpose), eq(codes.email, email), eq(codes.boundTo, boundTo), gt(codes.expiresAt, now))
}

/** Uses up one try of the newest code that matches `which`. Returns undefined if no code matches or it has no tries left. */
async function takeTry(
  { tx, now }: Work,
  entered: Entered,
  which: SQL | undefined,
  kind: 'own' | 'stranger'
): Promise<Row | undefined> {
  const fits = and(alive(entered, now), which)
  const [newest] = await tx.select({ holder: codes.holder }).from(codes).where(fits).orderBy(desc(codes.createdAt)).limit(1)
  if (!newest) return undefined
  const column = kind === 'own' ? codes.triesLeft : codes.strangerTriesLeft
  const one = and(alive(entered, now), eq(codes.holder, newest.holder), gt(column, 0))
  const [row] = await tx
    .update(codes)
    .set(kind === 'own' ? { triesLeft: sql`${column} - 1` } : { strangerTriesLeft: sql`${column} - 1` })
    .where(one)
    .returning()
  return row
}

/**
 * Tries the code that this browser asked for (five tries). A caller without cookies is recognised by its network address instead.
 * If there is no such code with tries left, tries the newest code of another browser, with the tries that strangers share.
 */
async function tryCode(context: Context, work: Work, entered: Entered): Promise<SpentCode | undefined> {
  const { asker } = entered
  const hasCookie = asker.holder !== ''
  const [mine, others] = hasCookie
    ? [eq(codes.holder, asker.holder), ne(codes.holder, asker.holder)]
    : [eq(codes.askedFrom, asker.askedFrom), ne(codes.askedFrom, asker.askedFrom)]
  const own = await takeTry(work, entered, mine, 'own')
  const row = own ?? (await takeTry(work, entered, others, 'stranger'))
  if (!row || !isCode(context, row.codeHash, entered)) return undefined
  return { registration: row.registration, isHolder: own !== undefined && hasCookie }
}

async function forget({ tx }: Work, { purpose, email }: Entered): Promise<void> {
  await tx.delete(codes).where(and(eq(codes.purpose, purpose), eq(codes.email, email)))
}

/**
 * Uses a code up, and with it every other code for the purpose and the address. Returns undefined for a wrong, expired, used or
 * unknown code; the caller must then commit before it throws, so that the wrong try counts.
 */
export async function spendCode(context: Context, work: Work, entered: Entered): Promise<SpentCode | undefined> {
  const used = await tryCode(context, work, entered)
  if (used) await forget(work, entered)
  return used
}

/** Uses up all of several codes, or none; returns for each whether it is right. Wrong tries count as in `spendCode`. */
export async function spendTogether(context: Context, work: Work, entered: Entered[]): Promise<boolean[]> {
  const right: boolean[] = []
  for (const one of entered) right.push((await tryCode(context, work, one)) !== undefined)
  if (right.every(Boolean)) for (const one of entered) await forget(work, one)
  return right
}
