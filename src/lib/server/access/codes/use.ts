import { and, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { sameText } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/db/client.ts'
import { type CodePurpose, codes, type Registration } from '../../platform/db/schema.ts'
import { hashCode } from './issue.ts'

type Entered = { purpose: CodePurpose; email: string; code: string; boundTo?: string }
/** `registration` is what the sign-up brought, null for other purposes. */
export type Confirmed = { registration: Registration | null }

/** Whether a code is right; a wrong one costs one of five tries. It stays alive until it is used up. */
async function tryCode(context: Context, tx: Transaction, entered: Entered): Promise<Confirmed | undefined> {
  const { purpose, email, code, boundTo = '' } = entered
  const [row] = await tx
    .update(codes)
    .set({ triesLeft: sql`${codes.triesLeft} - 1` })
    .where(
      and(
        eq(codes.purpose, purpose),
        eq(codes.email, email),
        eq(codes.boundTo, boundTo),
        gt(codes.triesLeft, 0),
        gt(codes.expiresAt, context.clock())
      )
    )
    .returning()
  if (!row || !sameText(row.codeHash, hashCode(context, purpose, email, code))) return undefined
  return { registration: row.registration }
}

async function spend(tx: Transaction, { purpose, email }: Entered): Promise<void> {
  await tx.delete(codes).where(and(eq(codes.purpose, purpose), eq(codes.email, email)))
}

/**
 * Uses a code up. `undefined` for a wrong, expired, used or unknown one; a wrong one costs one of five tries, which
 * must be kept: the caller commits the transaction and only then fails.
 */
export async function confirmCode(context: Context, tx: Transaction, entered: Entered): Promise<Confirmed | undefined> {
  const confirmed = await tryCode(context, tx, entered)
  if (confirmed) await spend(tx, entered)
  return confirmed
}

/** Uses several codes up, or none: says of each whether it is right. The tries of wrong ones are kept as above. */
export async function confirmTogether(context: Context, tx: Transaction, entered: Entered[]): Promise<boolean[]> {
  const right: boolean[] = []
  for (const one of entered) right.push((await tryCode(context, tx, one)) !== undefined)
  if (right.every(Boolean)) for (const one of entered) await spend(tx, one)
  return right
}
