import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { sameText } from '../../platform/crypto.ts'
import type { Work } from '../../platform/transaction.ts'
import { type CodePurpose, codes, type Registration } from '../schema.ts'
import { hashCode } from './issue.ts'

/** `holder`: hash of the browser's cookie; empty where there is none. */
type Entered = { purpose: CodePurpose; email: string; code: string; holder: string; boundTo?: string }

export type UsedCode = {
  /** What the sign-up brought, null for other purposes. */
  registration: Registration | null
  /** The browser that asked for the code is the one that entered it. */
  isHolder: boolean
}

type Row = typeof codes.$inferSelect

function alive({ purpose, email, boundTo = '' }: Entered, now: Date): SQL | undefined {
  return and(eq(codes.purpose, purpose), eq(codes.email, email), eq(codes.boundTo, boundTo), gt(codes.expiresAt, now))
}

/** The code that this browser asked for. A look at it costs one of its own tries. */
async function ownCode({ tx, now }: Work, entered: Entered): Promise<Row | undefined> {
  const [row] = await tx
    .update(codes)
    .set({ triesLeft: sql`${codes.triesLeft} - 1` })
    .where(and(alive(entered, now), eq(codes.holder, entered.holder), gt(codes.triesLeft, 0)))
    .returning()
  return row
}

/** The newest code that another browser asked for. A look at it costs one of the tries that all strangers share. */
async function othersCode({ tx, now }: Work, entered: Entered): Promise<Row | undefined> {
  const [newest] = await tx
    .select({ holder: codes.holder })
    .from(codes)
    .where(and(alive(entered, now), ne(codes.holder, entered.holder)))
    .orderBy(desc(codes.createdAt))
    .limit(1)
  if (!newest) return undefined
  const [row] = await tx
    .update(codes)
    .set({ strangerTriesLeft: sql`${codes.strangerTriesLeft} - 1` })
    .where(and(alive(entered, now), eq(codes.holder, newest.holder), gt(codes.strangerTriesLeft, 0)))
    .returning()
  return row
}

async function tryCode(context: Context, work: Work, entered: Entered): Promise<UsedCode | undefined> {
  const hash = hashCode(context, entered.purpose, entered.email, entered.code)
  const own = await ownCode(work, entered)
  if (own && sameText(own.codeHash, hash)) return { registration: own.registration, isHolder: true }
  const other = await othersCode(work, entered)
  if (other && sameText(other.codeHash, hash)) return { registration: other.registration, isHolder: false }
  return undefined
}

async function forget({ tx }: Work, { purpose, email }: Entered): Promise<void> {
  await tx.delete(codes).where(and(eq(codes.purpose, purpose), eq(codes.email, email)))
}

/**
 * Uses a code up, and with it every other code for the purpose and the address. `undefined` for a wrong, expired, used
 * or unknown one. A wrong try must be kept: the caller commits the transaction and only then fails.
 */
export async function spendCode(context: Context, work: Work, entered: Entered): Promise<UsedCode | undefined> {
  const used = await tryCode(context, work, entered)
  if (used) await forget(work, entered)
  return used
}

/** Uses several codes up, or none; says of each whether it is right. Wrong tries are kept as above. */
export async function spendTogether(context: Context, work: Work, entered: Entered[]): Promise<boolean[]> {
  const right: boolean[] = []
  for (const one of entered) right.push((await tryCode(context, work, one)) !== undefined)
  if (right.every(Boolean)) for (const one of entered) await forget(work, one)
  return right
}
