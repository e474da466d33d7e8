/** Passkeys (WebAuthn), for signing in (which counts as both factors) and for confirming. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { restUntil } from '#lib/domain/access/withdrawalGate.ts'
import { BRAND } from '#lib/domain/brand.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError } from '../../platform/errors.ts'
import { mailTo } from '../../platform/mail/job.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { counterAfter, newKeyOptions, readNewKey, type Site, webauthn } from '../../platform/webauthn.ts'
import { passkeys, users } from '../schema.ts'
import { disavowLink } from '../sessions/disavow.ts'
import { type Device, type OpenedSession, openSession } from '../sessions/open.ts'
import { keepChallenge, type Purpose, takeChallenge } from './challenges.ts'
import { lockProved } from './freshProof.ts'
import { markProved } from './reauthenticate.ts'

type Passkey = typeof passkeys.$inferSelect

const MOST_PASSKEYS = 20

function passkeysOf(db: Executor, userId: string): Promise<Passkey[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).limit(MOST_PASSKEYS)
}

/** The options for making a new passkey in the browser. */
export async function passkeyOptions(context: Context, customer: Customer, site: Site) {
  const existing = await passkeysOf(context.db, customer.userId)
  const options = await newKeyOptions(site, {
    rpName: BRAND.name,
    userId: customer.userId,
    userName: customer.email,
    existing: existing.map(({ id }) => id)
  })
  await keepChallenge(context, options.challenge, 'passkey_add', customer.userId)
  return { ...options }
}

/** Throws `confirmation_required`, `passkey_invalid`. */
export async function addPasskey(
  context: Context,
  customer: Customer,
  { name, response }: { name: string; response: unknown },
  site: Site
): Promise<void> {
  const answer = response as RegistrationResponseJSON
  const expectedChallenge = await takeChallenge(context, context.db, answer, 'passkey_add', customer.userId)
  const key = await readNewKey(answer, expectedChallenge, site)
  if (!key) throw new AppError('passkey_invalid')
  await transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    if ((await passkeysOf(tx, customer.userId)).length >= MOST_PASSKEYS) throw new AppError('passkey_invalid')
    const [added] = await tx
      .insert(passkeys)
      .values({ ...key, userId: customer.userId, name, createdAt: now })
      .onConflictDoNothing()
      .returning()
    if (!added) throw new AppError('passkey_invalid')
    await tx
      .update(users)
      .set({ withdrawalsRestUntil: restUntil(now) })
      .where(eq(users.id, user.id))
    const link = await disavowLink(context, user.id, user.email)
    await work.enqueue(mailTo(user, 'passkeyAdded', { name, link }))
  })
}

/** Throws `confirmation_required`, `passkey_not_found`. */
export async function removePasskey(context: Context, customer: Customer, id: string): Promise<void> {
  await transact(context, async (work) => {
    const { tx } = work
    const user = await lockProved(context, work, customer)
    const mine = and(eq(passkeys.id, id), eq(passkeys.userId, customer.userId))
    const [removed] = await tx.delete(passkeys).where(mine).returning()
    if (!removed) throw new AppError('passkey_not_found')
    const link = await disavowLink(context, user.id, user.email)
    await work.enqueue(mailTo(user, 'passkeyRemoved', { name: removed.name, link }))
  })
}

async function requestOptions(context: Context, site: Site, purpose: Purpose, userId: string | null) {
  const own = userId === null ? [] : await passkeysOf(context.db, userId)
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    userVerification: 'required',
    allowCredentials: own.map(({ id }) => ({ id }))
  })
  await keepChallenge(context, options.challenge, purpose, userId)
  return { ...options }
}

/** Needs no email: the passkey itself names its owner. */
export function passkeySignInOptions(context: Context, site: Site) {
  return requestOptions(context, site, 'passkey_sign_in', null)
}

export function passkeyReauthenticationOptions(context: Context, customer: Customer, site: Site) {
  return requestOptions(context, site, 'passkey_reauthenticate', customer.userId)
}

/** Checks a passkey's answer and stores its new counter. Throws `passkey_invalid`. */
async function takePasskey(
  { tx, now }: Work,
  answer: AuthenticationResponseJSON,
  site: Site,
  expectedChallenge: string
): Promise<Passkey> {
  const [passkey] = await tx.select().from(passkeys).where(eq(passkeys.id, answer.id)).for('update')
  if (!passkey) throw new AppError('passkey_invalid')
  const counter = await counterAfter(answer, expectedChallenge, site, passkey)
  if (counter === undefined) throw new AppError('passkey_invalid')
  await tx.update(passkeys).set({ counter, lastUsedAt: now }).where(eq(passkeys.id, passkey.id))
  return passkey
}

/** Throws `passkey_invalid`. */
export async function signInWithPasskey(context: Context, response: unknown, site: Site, device: Device): Promise<OpenedSession> {
  const answer = response as AuthenticationResponseJSON
  const challenge = await takeChallenge(context, context.db, answer, 'passkey_sign_in', null)
  return transact(context, async (work) => {
    const { userId } = await takePasskey(work, answer, site, challenge)
    const [user] = await work.tx.select().from(users).where(eq(users.id, userId))
    if (!user) throw new AppError('passkey_invalid')
    return openSession(context, work, user, device, 'passkey')
  })
}

/** Throws `passkey_invalid`, also for a passkey of another customer. */
export async function reauthenticateWithPasskey(
  context: Context,
  customer: Customer,
  response: unknown,
  site: Site
): Promise<void> {
  const answer = response as AuthenticationResponseJSON
  const challenge = await takeChallenge(context, context.db, answer, 'passkey_reauthenticate', customer.userId)
  await transact(context, async (work) => {
    const { userId } = await takePasskey(work, answer, site, challenge)
    if (userId !== customer.userId) throw new AppError('passkey_invalid')
    await markProved(work, customer)
  })
}
