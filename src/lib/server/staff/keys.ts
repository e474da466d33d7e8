/**
 * Passkeys of staff: for signing in, and for each act that decides something. The challenge of an act holds for this person, this call and
 * these values, for two minutes, once.
 */
import { createHash } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { ACT_SECONDS, MOST_KEYS } from '#lib/domain/staff/sessions.ts'
import type { Context } from '../platform/context.ts'
import { hashToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { challengeOf, counterAfter, newKeyOptions, readNewKey, type Site, webauthn } from '../platform/webauthn.ts'
import { keepEntry } from './audit.ts'
import { DeskError } from './failure.ts'
import { type ChallengePurpose, staff, staffChallenges, staffKeys } from './schema.ts'
import { endSessionsOf, type Opened, openStaffSession } from './sessions.ts'
import { type Staff, staffActor } from './who.ts'

const SIGN_IN_SECONDS = 300
export const DESK_NAME = 'CP Wallet Desk'

export type StaffKey = typeof staffKeys.$inferSelect
type Challenge = typeof staffChallenges.$inferSelect
export type Once = { expires: string; nonce: string }
/** What a passkey answered to the question about an act: the evidence that its approval can be checked by. */
export type Evidence = { key: StaffKey; once: Once | null; answer: AuthenticationResponseJSON }

export function keysOf(db: Executor, staffId: string): Promise<StaffKey[]> {
  return db
    .select()
    .from(staffKeys)
    .where(and(eq(staffKeys.staffId, staffId), isNull(staffKeys.removedAt)))
    .orderBy(asc(staffKeys.createdAt))
}

/** When a passkey begins to approve. `restHours`: how long a new one only signs in. */
export const approvesFrom = ({ createdAt }: StaffKey, restHours: number) => new Date(createdAt.getTime() + restHours * 3_600_000)

/** The hash of a call with its values, in one spelling. */
export function actHashOf(call: string, params: object, body: object): string {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, inner]) => [key, sorted(inner)])
          )
        : value
  return createHash('sha256')
    .update(JSON.stringify([call, sorted(params), sorted(body)]))
    .digest('base64url')
}

type Kept = Pick<Challenge, 'purpose'> & Partial<Pick<Challenge, 'staffId' | 'invitationId' | 'actHash' | 'once'>>

export async function keepStaffChallenge(
  { db, clock }: Context,
  challenge: string,
  kept: Kept,
  seconds = SIGN_IN_SECONDS
): Promise<void> {
  const expiresAt = new Date(clock().getTime() + seconds * 1000)
  await db.insert(staffChallenges).values({ hash: hashToken(challenge), ...kept, expiresAt })
}

/** Deletes and returns the challenge of an answer; undefined if it is not open. */
export async function takeStaffChallenge(
  db: Executor,
  now: Date,
  answer: { response: { clientDataJSON: string } },
  purpose: ChallengePurpose
): Promise<(Challenge & { text: string }) | undefined> {
  const text = challengeOf(answer)
  const [row] = await db
    .delete(staffChallenges)
    .where(
      and(eq(staffChallenges.hash, hashToken(text)), eq(staffChallenges.purpose, purpose), gt(staffChallenges.expiresAt, now))
    )
    .returning()
  return row && { ...row, text }
}

async function questionTo(site: Site, keys: StaffKey[], challenge?: Uint8Array<ArrayBuffer>) {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: site.rpId,
    userVerification: 'required',
    allowCredentials: keys.map(({ id }) => ({ id })),
    ...(challenge && { challenge })
  })
}

/** Needs no name: the passkey says whose it is. */
export async function signInOptions(context: Context, site: Site) {
  const options = await questionTo(site, [])
  await keepStaffChallenge(context, options.challenge, { purpose: 'sign_in' })
  return { ...options }
}

/** Checks an answer and keeps the key's counter. Undefined if it was not made by a key that counts. */
async function takeKeyAnswer({ tx, now }: Work, answer: AuthenticationResponseJSON, challenge: string, site: Site) {
  const [key] = await tx
    .select()
    .from(staffKeys)
    .where(and(eq(staffKeys.id, String(answer.id)), isNull(staffKeys.removedAt)))
    .for('update')
  const counter = key && (await counterAfter(answer, challenge, site, key))
  if (!key || counter === undefined) return undefined
  await tx.update(staffKeys).set({ counter, lastUsedAt: now }).where(eq(staffKeys.id, key.id))
  return key
}

/** Throws `passkey_invalid`. */
export async function signInStaff(context: Context, response: unknown, site: Site): Promise<Opened> {
  const answer = response as AuthenticationResponseJSON
  const challenge = await takeStaffChallenge(context.db, context.clock(), answer, 'sign_in')
  if (!challenge) throw new DeskError('passkey_invalid')
  return transact(context, async (work) => {
    const key = await takeKeyAnswer(work, answer, challenge.text, site)
    const [person] = key
      ? await work.tx
          .select()
          .from(staff)
          .where(and(eq(staff.id, key.staffId), isNull(staff.stoppedAt)))
      : []
    if (!key || !person) throw new DeskError('passkey_invalid')
    const opened = await openStaffSession(work, person.id, key.id)
    await keepEntry(work, {
      actor: staffActor(person),
      act: 'sign_in',
      subject: `staff:${person.id}`,
      why: '',
      details: { key: key.name }
    })
    return opened
  })
}

/** The question to the passkey about one act. `challenge`: of the act itself, where others check it too; otherwise random. */
export async function actOptions(
  context: Context,
  by: Staff,
  site: Site,
  asked: { actHash: string; challenge?: Uint8Array<ArrayBuffer>; once?: Once }
) {
  const options = await questionTo(site, await keysOf(context.db, by.id), asked.challenge)
  const kept = { purpose: 'act', staffId: by.id, actHash: asked.actHash, once: asked.once ?? null } as const
  await keepStaffChallenge(context, options.challenge, kept, ACT_SECONDS)
  return { ...options }
}

/**
 * Takes a passkey's answer for an act. Throws `passkey_late` if it was made for something else or too long ago, `passkey_invalid`,
 * `key_resting`. It is used up, whatever becomes of the act.
 */
export async function takeAct(
  context: Context,
  by: Staff,
  site: Site,
  { actHash, response, restHours }: { actHash: string; response: unknown; restHours: number }
): Promise<Evidence> {
  const answer = response as AuthenticationResponseJSON
  const challenge = await takeStaffChallenge(context.db, context.clock(), answer, 'act')
  if (!challenge || challenge.staffId !== by.id || challenge.actHash !== actHash) throw new DeskError('passkey_late')
  const key = await transact(context, (work) => takeKeyAnswer(work, answer, challenge.text, site))
  if (!key || key.staffId !== by.id) throw new DeskError('passkey_invalid')
  if (context.clock() < approvesFrom(key, restHours)) throw new DeskError('key_resting')
  return { key, once: challenge.once, answer }
}

export async function addKeyOptions(context: Context, by: Pick<Staff, 'id' | 'email'>, site: Site) {
  const existing = await keysOf(context.db, by.id)
  const options = await newKeyOptions(site, {
    rpName: DESK_NAME,
    userId: by.id,
    userName: by.email,
    existing: existing.map(({ id }) => id)
  })
  await keepStaffChallenge(context, options.challenge, { purpose: 'add_key', staffId: by.id })
  return { ...options }
}

/** Adds a passkey of this person. Throws `passkey_invalid`, `too_many_keys`. */
export async function addStaffKey(
  context: Context,
  work: Work,
  by: Staff,
  { keyName, response, site }: { keyName: string; response: unknown; site: Site }
): Promise<void> {
  const answer = response as RegistrationResponseJSON
  const challenge = await takeStaffChallenge(work.tx, work.now, answer, 'add_key')
  if (!challenge || challenge.staffId !== by.id) throw new DeskError('passkey_invalid')
  await keepNewKey(work, by.id, { keyName, answer, challenge: challenge.text, site })
  context.log.warn({ staff: by.id }, 'a member of staff added a passkey')
}

export async function keepNewKey(
  { tx, now }: Work,
  staffId: string,
  { keyName, answer, challenge, site }: { keyName: string; answer: RegistrationResponseJSON; challenge: string; site: Site }
): Promise<string> {
  const key = await readNewKey(answer, challenge, site)
  if (!key) throw new DeskError('passkey_invalid')
  // One at a time for a person, so that two at once do not pass the limit.
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.id, staffId)).for('update')
  if ((await keysOf(tx, staffId)).length >= MOST_KEYS) throw new DeskError('too_many_keys')
  const [added] = await tx
    .insert(staffKeys)
    .values({ ...key, staffId, name: keyName, origin: site.origin, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: staffKeys.id })
  if (!added) throw new DeskError('passkey_invalid')
  return added.id
}

/** Removes a passkey and ends its sessions. Throws `not_found`, `last_key`. */
export async function removeStaffKey(work: Work, by: Staff, id: string): Promise<void> {
  const { tx, now } = work
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.id, by.id)).for('update')
  const keys = await keysOf(tx, by.id)
  if (!keys.some((key) => key.id === id)) throw new DeskError('not_found')
  if (keys.length === 1) throw new DeskError('last_key')
  await tx.update(staffKeys).set({ removedAt: now }).where(eq(staffKeys.id, id))
  await endSessionsOf(work, by.id, id)
}

/** The passkeys of everybody who was not stopped, or of one of them by e-mail, as the signer's list has them. The sandbox has no list of its own. */
export async function keysForSigner(
  db: Executor,
  email?: string
): Promise<{ person: string; key: string; publicKey: string; origin: string }[]> {
  const rows = await db
    .select({ key: staffKeys, email: staff.email })
    .from(staffKeys)
    .innerJoin(staff, eq(staff.id, staffKeys.staffId))
    .where(and(isNull(staffKeys.removedAt), isNull(staff.stoppedAt), email === undefined ? undefined : eq(staff.email, email)))
  return rows.map(({ key, email }) => ({ person: email, key: key.id, publicKey: key.publicKey, origin: key.origin }))
}
