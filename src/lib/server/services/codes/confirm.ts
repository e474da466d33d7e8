import { and, eq, gt, sql } from 'drizzle-orm'
import { sameText } from '../../crypto.ts'
import type { Transaction } from '../../db/client.ts'
import { codes, type Registration } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { type CodePurpose, hashCode } from './issue.ts'

/** `registration` is what the sign-up brought, null for other purposes. */
export type Confirmed = { registration: Registration | null }

/**
 * Uses a code up. `undefined` for a wrong, expired, used or unknown one; a wrong one costs one of five tries, which
 * must be kept: the caller commits the transaction and only then fails.
 */
export async function confirmCode(
  context: Context,
  tx: Transaction,
  { purpose, email, code }: { purpose: CodePurpose; email: string; code: string }
): Promise<Confirmed | undefined> {
  const here = and(eq(codes.purpose, purpose), eq(codes.email, email))
  const [row] = await tx
    .update(codes)
    .set({ triesLeft: sql`${codes.triesLeft} - 1` })
    .where(and(here, gt(codes.triesLeft, 0), gt(codes.expiresAt, context.clock())))
    .returning()
  if (!row || !sameText(row.codeHash, hashCode(context, purpose, email, code))) return undefined
  await tx.delete(codes).where(here)
  return { registration: row.registration }
}
