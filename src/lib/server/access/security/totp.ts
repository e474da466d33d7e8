/** Authenticator apps (TOTP, RFC 6238) as a second factor, with recovery codes. */
import { and, eq, inArray, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODE_COUNT } from '#lib/domain/access/credentials.ts'
import { restUntil } from '#lib/domain/access/withdrawalGate.ts'
import { BRAND } from '#lib/domain/brand.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { keyedHash, randomReadable, seal, unsealWithAny } from '../../platform/crypto.ts'
import { AppError } from '../../platform/errors.ts'
import type { Limit } from '../../platform/limits.ts'
import { mailTo } from '../../platform/mail/job.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import type { User } from '../find.ts'
import { recoveryCodes, users } from '../schema.ts'
import { disavowLink } from '../sessions/disavow.ts'
import { lockProved } from './freshProof.ts'

const RECOVERY_CODE_LENGTH = 10
/** The device's clock may be off by one step of 30 s in either direction. */
const WINDOW_STEPS = 1

function totpOf(secret: string, email: string): TOTP {
  return new TOTP({ issuer: BRAND.name, label: email, secret: Secret.fromBase32(secret) })
}

/** The 30 s step of a right code, and the secret sealed anew if it was sealed under a secret that is being replaced; undefined for a wrong code. */
function stepOf(context: Context, sealed: string, code: string): { step: number; renewed: string | undefined } | undefined {
  const { text, isOld } = unsealWithAny(context.keysFor('totp'), sealed)
  const totp = totpOf(text, '')
  const timestamp = context.clock().getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW_STEPS })
  if (delta === null) return undefined
  return { step: totp.counter({ timestamp }) + delta, renewed: isOld ? seal(context.keyFor('totp'), text) : undefined }
}

async function takeTotp(context: Context, { tx }: Work, user: User, code: string): Promise<boolean> {
  const right = user.totpSecret ? stepOf(context, user.totpSecret, code) : undefined
  if (!right) return false
  const { step, renewed } = right
  const [taken] = await tx
    .update(users)
    .set({ totpLastStep: step, ...(renewed && { totpSecret: renewed }) })
    // Still this app: another one may have taken its place since the row was read.
    .where(and(eq(users.id, user.id), lt(users.totpLastStep, step), eq(users.totpSecret, user.totpSecret ?? '')))
    .returning({ id: users.id })
  return taken !== undefined
}

const asWritten = (code: string) => code.toUpperCase().replace(/[^0-9A-Z]/g, '')

function hashRecoveryCode(context: Context, userId: string, code: string): string {
  return keyedHash(context.keyFor('recovery-code'), userId, asWritten(code))
}

async function takeRecoveryCode(context: Context, { tx, now }: Work, userId: string, code: string): Promise<boolean> {
  const [taken] = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        inArray(
          recoveryCodes.codeHash,
          context.keysFor('recovery-code').map((key) => keyedHash(key, userId, asWritten(code)))
        ),
        isNull(recoveryCodes.usedAt)
      )
    )
    .returning({ userId: recoveryCodes.userId })
  return taken !== undefined
}

/** Limits the tries of an account's codes over all calls, because six digits can be guessed. */
export function secondFactorLimits(userId: string): Limit[] {
  return [
    { key: `secondFactor:account:${userId}`, max: 15, windowSeconds: 600 },
    { key: `secondFactor:account:day:${userId}`, max: 50, windowSeconds: 86_400 }
  ]
}

/** True for an unused code of the app or an unused recovery code; uses it up. */
export async function takeSecondFactor(context: Context, work: Work, user: User, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code)) return takeTotp(context, work, user, code)
  return takeRecoveryCode(context, work, user.id, code)
}

async function makeRecoveryCodes(context: Context, { tx }: Work, userId: string): Promise<string[]> {
  const made = Array.from({ length: RECOVERY_CODE_COUNT }, () => randomReadable(RECOVERY_CODE_LENGTH))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(made.map((code) => ({ userId, codeHash: hashRecoveryCode(context, userId, code) })))
  return made.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** Makes a new secret to scan. The account's present app, if any, stays valid until the first code of the new one is entered. */
export async function startTotp(context: Context, customer: Customer): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 }).base32
  await transact(context, async (work) => {
    const { id } = await lockProved(context, work, customer)
    await work.tx
      .update(users)
      .set({ totpPending: seal(context.keyFor('totp'), secret) })
      .where(eq(users.id, id))
  })
  return { secret, uri: totpOf(secret, customer.email).toString() }
}

/** Turns the second factor on with the first code. Returns the recovery codes, which cannot be shown again. */
export async function enableTotp(context: Context, customer: Customer, code: string): Promise<{ recoveryCodes: string[] }> {
  return transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    if (!user.totpPending) throw new AppError('totp_not_started')
    const right = stepOf(context, user.totpPending, code)
    if (!right) throw new AppError('invalid_fields', { fields: { code: 'totp_wrong' } })
    await tx
      .update(users)
      .set({
        totpSecret: right.renewed ?? user.totpPending,
        totpPending: null,
        totpEnabledAt: now,
        totpLastStep: right.step,
        // Whoever changed the app may not be the customer: as after its removal, nothing leaves before they had time to see the mail.
        ...(user.totpSecret && { withdrawalsRestUntil: restUntil(now) }),
        updatedAt: now
      })
      .where(eq(users.id, user.id))
    const link = await disavowLink(context, user.id, user.email)
    await work.enqueue(mailTo(user, 'totpEnabled', { link, isReplaced: user.totpSecret !== null }))
    return { recoveryCodes: await makeRecoveryCodes(context, work, user.id) }
  })
}

/** Throws `confirmation_required`, `totp_not_enabled`. */
export async function disableTotp(context: Context, customer: Customer): Promise<void> {
  await transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    if (!user.totpSecret) throw new AppError('totp_not_enabled')
    await tx
      .update(users)
      .set({ totpSecret: null, totpPending: null, totpEnabledAt: null, withdrawalsRestUntil: restUntil(now), updatedAt: now })
      .where(eq(users.id, user.id))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
    await work.enqueue(mailTo(user, 'totpDisabled', { link: await disavowLink(context, user.id, user.email) }))
  })
}

/**
 * Makes ten new recovery codes. The old ones no longer work, and withdrawals rest for 24 hours. Throws `confirmation_required`,
 * `totp_not_enabled`.
 */
export async function renewRecoveryCodes(context: Context, customer: Customer): Promise<{ recoveryCodes: string[] }> {
  return transact(context, async (work) => {
    const user = await lockProved(context, work, customer)
    if (!user.totpSecret) throw new AppError('totp_not_enabled')
    await work.tx
      .update(users)
      .set({ withdrawalsRestUntil: restUntil(work.now), updatedAt: work.now })
      .where(eq(users.id, user.id))
    await work.enqueue(mailTo(user, 'recoveryCodesRenewed', { link: await disavowLink(context, user.id, user.email) }))
    return { recoveryCodes: await makeRecoveryCodes(context, work, user.id) }
  })
}
