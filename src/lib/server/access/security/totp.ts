/** Authenticator apps (TOTP, RFC 6238) as a second factor, with recovery codes. */
import { and, eq, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { RECOVERY_CODE_COUNT } from '#lib/domain/access/credentials.ts'
import { BRAND } from '#lib/domain/brand.ts'
import { errorMessages } from '#lib/messages/errors.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context, Customer } from '../../platform/context.ts'
import { keyedHash, randomReadable, seal, unseal } from '../../platform/crypto.ts'
import type { Transaction } from '../../platform/db/client.ts'
import { recoveryCodes, users } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'
import { enqueueMail } from '../../platform/jobs/enqueue.ts'
import type { Limit } from '../../platform/limits.ts'
import { transact } from '../../platform/transaction.ts'
import type { User } from '../find.ts'
import { disavowLink } from '../sessions/disavow.ts'
import { lockConfirmed } from './freshProof.ts'

const RECOVERY_CODE_LENGTH = 10
/** A clock may be wrong by one step of 30 s to either side. */
const WINDOW_STEPS = 1

function totpOf(secret: string, email: string): TOTP {
  return new TOTP({ issuer: BRAND.name, label: email, secret: Secret.fromBase32(secret) })
}

/** The 30 s step of a right code; undefined for a wrong one. */
function stepOf(context: Context, sealed: string, code: string): number | undefined {
  const totp = totpOf(unseal(context.keys.totp, sealed), '')
  const timestamp = context.clock().getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

async function takeTotp(context: Context, tx: Transaction, user: User, code: string): Promise<boolean> {
  const step = user.totpSecret ? stepOf(context, user.totpSecret, code) : undefined
  if (step === undefined) return false
  const [taken] = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, user.id), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return taken !== undefined
}

function hashRecoveryCode(context: Context, userId: string, code: string): string {
  return keyedHash(context.keys.recovery, userId, code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
}

async function takeRecoveryCode(context: Context, tx: Transaction, userId: string, code: string): Promise<boolean> {
  const [taken] = await tx
    .update(recoveryCodes)
    .set({ usedAt: context.clock() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashRecoveryCode(context, userId, code)),
        isNull(recoveryCodes.usedAt)
      )
    )
    .returning({ userId: recoveryCodes.userId })
  return taken !== undefined
}

/** Six digits can be guessed: how often an account's may be tried, wherever. */
export function secondFactorLimits(userId: string): Limit[] {
  return [
    { key: `secondFactor:account:${userId}`, max: 15, windowSeconds: 600 },
    { key: `secondFactor:account:day:${userId}`, max: 50, windowSeconds: 86_400 }
  ]
}

/** Whether the code is one of the app that was not used before, or a recovery code, which is used up. */
export async function takeSecondFactor(context: Context, tx: Transaction, user: User, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code)) return takeTotp(context, tx, user, code)
  return takeRecoveryCode(context, tx, user.id, code)
}

async function makeRecoveryCodes(context: Context, tx: Transaction, userId: string): Promise<string[]> {
  const made = Array.from({ length: RECOVERY_CODE_COUNT }, () => randomReadable(RECOVERY_CODE_LENGTH))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(made.map((code) => ({ userId, codeHash: hashRecoveryCode(context, userId, code) })))
  return made.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** A new secret to scan; the app that is on the account, if any, counts until the new one's first code was entered. */
export async function startTotp(context: Context, customer: Customer): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 }).base32
  await transact(context, async (tx) => {
    const { id } = await lockConfirmed(context, tx, customer)
    await tx
      .update(users)
      .set({ totpPending: seal(context.keys.totp, secret) })
      .where(eq(users.id, id))
  })
  return { secret, uri: totpOf(secret, customer.email).toString() }
}

/** Turns the second factor on with the first code; answers the recovery codes, which are told this once. */
export async function enableTotp(context: Context, customer: Customer, code: string): Promise<{ recoveryCodes: string[] }> {
  return transact(context, async (tx) => {
    const user = await lockConfirmed(context, tx, customer)
    if (!user.totpPending) throw new AppError('totp_not_started')
    const step = stepOf(context, user.totpPending, code)
    if (step === undefined) throw new AppError('invalid_fields', { fields: { code: errorMessages.second_factor_invalid } })
    await tx
      .update(users)
      .set({
        totpSecret: user.totpPending,
        totpPending: null,
        totpEnabledAt: context.clock(),
        totpLastStep: step,
        updatedAt: context.clock()
      })
      .where(eq(users.id, user.id))
    await enqueueMail(context, tx, user.email, mails.totpEnabled(await disavowLink(context, user.id, user.email)))
    return { recoveryCodes: await makeRecoveryCodes(context, tx, user.id) }
  })
}

/** Throws `confirmation_required`, `totp_not_enabled`. */
export async function disableTotp(context: Context, customer: Customer): Promise<void> {
  await transact(context, async (tx) => {
    const user = await lockConfirmed(context, tx, customer)
    if (!user.totpSecret) throw new AppError('totp_not_enabled')
    await tx
      .update(users)
      .set({ totpSecret: null, totpPending: null, totpEnabledAt: null, updatedAt: context.clock() })
      .where(eq(users.id, user.id))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
    await enqueueMail(context, tx, user.email, mails.totpDisabled(await disavowLink(context, user.id, user.email)))
  })
}

/** Ten new recovery codes; the old ones are worth nothing then. Throws `confirmation_required`, `totp_not_enabled`. */
export async function renewRecoveryCodes(context: Context, customer: Customer): Promise<{ recoveryCodes: string[] }> {
  return transact(context, async (tx) => {
    const user = await lockConfirmed(context, tx, customer)
    if (!user.totpSecret) throw new AppError('totp_not_enabled')
    await enqueueMail(context, tx, user.email, mails.recoveryCodesRenewed(await disavowLink(context, user.id, user.email)))
    return { recoveryCodes: await makeRecoveryCodes(context, tx, user.id) }
  })
}
