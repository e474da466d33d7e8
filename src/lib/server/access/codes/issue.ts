import { and, eq, gt, or, sql } from 'drizzle-orm'
import { CODE_LENGTH, CODE_LIFETIME_SECONDS, CODE_TRIES, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Context } from '../../platform/context.ts'
import { isHashedBy, keyedHash, randomDigits } from '../../platform/crypto.ts'
import { AppError } from '../../platform/errors.ts'
import type { Work } from '../../platform/transaction.ts'
import { type CodePurpose, codes, type Registration } from '../schema.ts'

/** Who asks for a code. `holder`: the hash of the browser's cookie; `askedFrom`: the network address. */
export type Asker = { holder: string; askedFrom: string }
/** For codes that a signed-in customer asks for: they belong to the account, not to a browser. */
export function customerAsker(userId: string): Asker {
  return { holder: `customer:${userId}`, askedFrom: `customer:${userId}` }
}

function hashCode({ keyFor }: Context, purpose: CodePurpose, email: string, code: string): string {
  return keyedHash(keyFor('code'), purpose, email, code)
}

/** True if this code was mailed; it may have been under a secret that is being replaced. */
export function isCode(
  { keysFor }: Context,
  hash: string,
  { purpose, email, code }: { purpose: CodePurpose; email: string; code: string }
): boolean {
  return isHashedBy(keysFor('code'), hash, purpose, email, code)
}

/** All other browsers share this many tries of a code: enough for a customer who changed browsers. */
const STRANGER_TRIES = 1

type Issue = { purpose: CodePurpose; email: string; asker: Asker; registration?: Registration; boundTo?: string }

/**
 * Makes the only valid code for a purpose, an address and a browser; it replaces the previous one. Returns its six digits. Codes of
 * other browsers stay valid. Throws `too_soon` with the wait if this browser or this network address has asked within the last
 * 60 s.
 */
export async function issueCode(context: Context, { tx, now }: Work, issue: Issue): Promise<string> {
  const { purpose, email, asker, registration, boundTo = '' } = issue
  // One request at a time per address: two at once would both find no earlier code.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}:${email}`}, 0))`)
  await refuseTooSoon(tx, now, issue)
  const code = randomDigits(CODE_LENGTH)
  const row = {
    codeHash: hashCode(context, purpose, email, code),
    triesLeft: CODE_TRIES,
    strangerTriesLeft: STRANGER_TRIES,
    registration: registration ?? null,
    boundTo,
    askedFrom: asker.askedFrom,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1000)
  }
  await tx
    .insert(codes)
    .values({ purpose, email, holder: asker.holder, ...row })
    .onConflictDoUpdate({ target: [codes.purpose, codes.email, codes.holder], set: row })
  return code
}

async function refuseTooSoon(tx: Work['tx'], now: Date, { purpose, email, asker }: Issue): Promise<void> {
  const youngest = new Date(now.getTime() - RESEND_AFTER_SECONDS * 1000)
  const isSame = or(eq(codes.holder, asker.holder), eq(codes.askedFrom, asker.askedFrom))
  const [recent] = await tx
    .select({ createdAt: codes.createdAt })
    .from(codes)
    .where(and(eq(codes.purpose, purpose), eq(codes.email, email), isSame, gt(codes.createdAt, youngest)))
    .limit(1)
  if (!recent) return
  const waitMs = recent.createdAt.getTime() - youngest.getTime()
  throw new AppError('too_soon', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}
