import { and, eq, sql } from 'drizzle-orm'
import { CODE_LIFETIME_SECONDS, CODE_TRIES, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Context } from '../../platform/context.ts'
import { keyedHash, randomCode } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/db/client.ts'
import { type CodePurpose, codes, type Registration } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'

export function hashCode(context: Context, purpose: CodePurpose, email: string, code: string): string {
  return keyedHash(context.keys.code, purpose, email, code)
}

/**
 * Makes the one live code for a purpose and an address, and forgets the one before; returns its six digits.
 * Throws `too_soon` with the wait where the last one is younger than 60 s, account or no account.
 */
export async function issueCode(
  context: Context,
  tx: Transaction,
  {
    purpose,
    email,
    registration,
    boundTo = ''
  }: { purpose: CodePurpose; email: string; registration?: Registration; boundTo?: string }
): Promise<string> {
  const now = context.clock()
  const code = randomCode()
  const row = {
    codeHash: hashCode(context, purpose, email, code),
    triesLeft: CODE_TRIES,
    registration: registration ?? null,
    boundTo,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1000)
  }
  const youngest = new Date(now.getTime() - RESEND_AFTER_SECONDS * 1000)
  const [issued] = await tx
    .insert(codes)
    .values({ purpose, email, ...row })
    .onConflictDoUpdate({
      target: [codes.purpose, codes.email],
      set: row,
      setWhere: sql`${codes.createdAt} <= ${youngest.toISOString()}::timestamptz`
    })
    .returning({ email: codes.email })
  if (issued) return code
  const [live] = await tx
    .select()
    .from(codes)
    .where(and(eq(codes.purpose, purpose), eq(codes.email, email)))
  const waitMs = (live?.createdAt.getTime() ?? 0) - youngest.getTime()
  throw new AppError('too_soon', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}
