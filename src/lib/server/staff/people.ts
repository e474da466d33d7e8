/** Members of staff: invited, given other roles, stopped. Each of the first two needs two admins. */
import { randomUUID } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { areRolesRight, type StaffRole } from '#lib/domain/staff/rights.ts'
import { INVITATION_SECONDS } from '#lib/domain/staff/sessions.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import type { OperatorKey } from '../platform/ed25519.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { newKeyOptions, type Site } from '../platform/webauthn.ts'
import { keepEntry } from './audit.ts'
import { DeskError } from './failure.ts'
import { DESK_NAME, keepNewKey, keepStaffChallenge, takeStaffChallenge } from './keys.ts'
import { staff, staffInvitations, staffKeys } from './schema.ts'
import { endSessionsOf, type Opened, openStaffSession } from './sessions.ts'
import { lockPeople, mayStill, staffActor } from './who.ts'

export type Person = typeof staff.$inferSelect
export type Invitation = typeof staffInvitations.$inferSelect
export type Invited = { name: string; email: string; roles: StaffRole[] }

/** All members of staff, and how many passkeys each has. */
export async function listStaff(db: Executor): Promise<(Person & { keys: number })[]> {
  const keys = db
    .select({ staffId: staffKeys.staffId, count: sql<number>`count(*)::int`.as('count') })
    .from(staffKeys)
    .where(isNull(staffKeys.removedAt))
    .groupBy(staffKeys.staffId)
    .as('keys')
  const rows = await db
    .select({ person: staff, keys: keys.count })
    .from(staff)
    .leftJoin(keys, eq(keys.staffId, staff.id))
    .orderBy(asc(staff.name))
  return rows.map(({ person, keys }) => ({ ...person, keys: keys ?? 0 }))
}

/** Where alarms are mailed: to everybody who is on call, or to all admins while nobody is. */
export async function onCallAddresses(db: Executor): Promise<string[]> {
  const rows = await db.select().from(staff).where(isNull(staff.stoppedAt)).orderBy(asc(staff.name))
  const called = rows.filter(({ onCallSince }) => onCallSince !== null)
  return (called.length > 0 ? called : rows.filter(({ roles }) => roles.includes('admin'))).map(({ email }) => email)
}

/** Puts a person on call, or takes them off. */
export async function setOnCall({ tx, now }: Work, id: string, isOnCall: boolean): Promise<void> {
  await tx
    .update(staff)
    .set({ onCallSince: isOnCall ? now : null })
    .where(eq(staff.id, id))
}

/** Names by id, for lists. */
export async function namesOf(db: Executor): Promise<Map<string, string>> {
  const rows = await db.select({ id: staff.id, name: staff.name }).from(staff)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function findPerson(db: Executor, id: string): Promise<Person | undefined> {
  const [row] = await db.select().from(staff).where(eq(staff.id, id))
  return row
}

const OPEN = (now: Date) => and(isNull(staffInvitations.acceptedAt), gt(staffInvitations.expiresAt, now))

export function openInvitations({ db, clock }: Context): Promise<Invitation[]> {
  return db.select().from(staffInvitations).where(OPEN(clock())).orderBy(desc(staffInvitations.createdAt))
}

/** One spelling of a name and an address, so that nobody is two persons by a space or a letter that is not seen. */
function spelled({ name, email, roles }: Invited): Invited {
  const plain = name.normalize('NFKC').replace(/\s+/g, ' ').trim()
  if (/[\p{Cc}\p{Cf}]/u.test(plain))
    throw new DeskError('invalid_fields', { fields: { name: 'The name has characters that are not shown.' } })
  const address = email.normalize('NFKC').trim().toLowerCase()
  if (!/^[!-~]+$/.test(address))
    throw new DeskError('invalid_fields', { fields: { email: 'Only letters without accents, digits and signs.' } })
  return { name: plain, email: address, roles }
}

/** Throws `person_exists`: a person is one name and one e-mail, so that nobody counts as two. */
async function requireNew({ tx, now }: Work, { name, email }: Invited): Promise<void> {
  const same = (table: typeof staff | typeof staffInvitations) =>
    or(sql`lower(${table.name}) = lower(${name})`, sql`lower(${table.email}) = ${email}`)
  const [person] = await tx.select({ id: staff.id }).from(staff).where(same(staff)).limit(1)
  const [invited] = await tx
    .select({ id: staffInvitations.id })
    .from(staffInvitations)
    .where(and(OPEN(now), same(staffInvitations)))
    .limit(1)
  if (person || invited) throw new DeskError('person_exists')
}

function requireRoles(roles: StaffRole[]): void {
  if (!areRolesRight(roles))
    throw new DeskError('invalid_fields', {
      fields: { roles: 'An admin moves no money and sees no personal data, so it has no other role.' }
    })
}

/** Keeps an invitation and returns it with the token of its link. `by`: undefined for the command. */
export async function invite(
  work: Work,
  asked: Invited,
  { by, approvedBy, isOverride = false }: { by: string | undefined; approvedBy?: string; isOverride?: boolean }
): Promise<{ token: string; email: string }> {
  const { tx, now } = work
  const invited = spelled(asked)
  requireRoles(invited.roles)
  // Two invitations of one person at once: the second waits, and sees the first.
  await lockPeople(work, 'change')
  await requireNew(work, invited)
  const token = randomToken()
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + INVITATION_SECONDS * 1000)
  await tx.insert(staffInvitations).values({
    id,
    tokenHash: hashToken(token),
    ...invited,
    invitedBy: by ?? null,
    approvedBy: approvedBy ?? null,
    isOverride,
    createdAt: now,
    expiresAt
  })
  return { token, email: invited.email }
}

const FIRST_ADMINS = 2

/**
 * Invites an admin by the command line. The first two come in this way; later only the owner of the tables may, which is logged and stays
 * red at the desk for 30 days. Throws a DeskError, or `refused` with the reason.
 */
export function inviteFirst(
  context: Context,
  invited: Omit<Invited, 'roles'>
): Promise<{ token: string; isOverride: boolean } | 'refused'> {
  return transact(context, async (work) => {
    const { tx } = work
    await lockPeople(work, 'change')
    const people = await tx.select({ id: staff.id }).from(staff)
    const open = await tx.select({ id: staffInvitations.id }).from(staffInvitations).where(OPEN(work.now))
    const isOverride = people.length + open.length >= FIRST_ADMINS
    if (isOverride && !(await isOwner(tx))) return 'refused'
    const { token } = await invite(work, { ...invited, roles: ['admin'] }, { by: undefined, isOverride })
    await keepEntry(work, {
      actor: systemActor('command'),
      act: isOverride ? 'invite_by_migrate_user' : 'invite_first_admin',
      subject: `invitation:${invited.email}`,
      why: '',
      details: { name: invited.name, email: invited.email }
    })
    if (isOverride)
      context.log.error({ email: invited.email }, 'an admin was invited by the command line, although the desk has its admins')
    return { token, isOverride }
  })
}

/** True for the user that migrates: it owns the tables. */
async function isOwner(db: Executor): Promise<boolean> {
  const { rows } = (await db.execute(
    sql`select pg_catalog.pg_get_userbyid(relowner) = current_user as owns from pg_catalog.pg_class where oid = 'staff'::regclass`
  )) as unknown as { rows: { owns: boolean }[] }
  return rows[0]?.owns === true
}

const RED_DAYS = 30

/** True while an invitation by the migrate user is younger than 30 days. */
export async function hasOverride({ db, clock }: Context): Promise<boolean> {
  const since = new Date(clock().getTime() - RED_DAYS * 86_400_000)
  const [row] = await db
    .select({ id: staffInvitations.id })
    .from(staffInvitations)
    .where(and(eq(staffInvitations.isOverride, true), gt(staffInvitations.createdAt, since)))
    .limit(1)
  return row !== undefined
}

/** Throws `invitation_invalid`. */
export async function findInvitation({ db, clock }: Context, token: string): Promise<Invitation> {
  const [row] = await db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.tokenHash, hashToken(token)), OPEN(clock())))
  if (!row) throw new DeskError('invitation_invalid')
  return row
}

/** Throws `invitation_invalid`. */
export async function invitationOptions(context: Context, token: string, site: Site) {
  const invitation = await findInvitation(context, token)
  const options = await newKeyOptions(site, {
    rpName: DESK_NAME,
    userId: invitation.id,
    userName: invitation.email,
    existing: []
  })
  await keepStaffChallenge(context, options.challenge, { purpose: 'invitation', invitationId: invitation.id })
  return { ...options }
}

/** Makes the person of an invitation, with their first passkey, and signs them in. Throws `invitation_invalid`, `passkey_invalid`. */
export async function acceptInvitation(
  context: Context,
  { token, keyName, response, site }: { token: string; keyName: string; response: unknown; site: Site }
): Promise<Opened> {
  const answer = response as RegistrationResponseJSON
  const challenge = await takeStaffChallenge(context.db, context.clock(), answer, 'invitation')
  if (!challenge) throw new DeskError('passkey_invalid')
  return transact(context, async (work) => {
    const { tx, now } = work
    await lockPeople(work, 'change')
    const [invitation] = await tx
      .update(staffInvitations)
      .set({ acceptedAt: now })
      .where(and(eq(staffInvitations.tokenHash, hashToken(token)), OPEN(now)))
      .returning()
    if (!invitation || invitation.id !== challenge.invitationId) throw new DeskError('invitation_invalid')
    const { id, name, email, roles, invitedBy, approvedBy } = invitation
    // What its makers may not decide any more does not hold, either.
    for (const maker of [invitedBy, approvedBy])
      if (maker && !(await mayStill(tx, maker, 'invite_person'))) throw new DeskError('invitation_invalid')
    // The id of the invitation is the person's: their passkey was made for it.
    await tx.insert(staff).values({ id, name, email, roles, createdAt: now })
    await tx.update(staffInvitations).set({ staffId: id }).where(eq(staffInvitations.id, id))
    const keyId = await keepNewKey(work, id, { keyName, answer, challenge: challenge.text, site })
    const opened = await openStaffSession(work, id, keyId)
    await keepEntry(work, {
      actor: staffActor({ id }),
      act: 'join',
      subject: `staff:${id}`,
      why: '',
      details: { name, email, roles, key: keyName, invitedBy }
    })
    return opened
  })
}

async function lockPerson({ tx }: Work, id: string): Promise<Person> {
  const [person] = await tx.select().from(staff).where(eq(staff.id, id)).for('update')
  if (!person) throw new DeskError('not_found')
  if (person.stoppedAt) throw new DeskError('person_stopped')
  return person
}

/** Throws `last_admin` where fewer than these would be left. */
async function requireAdmins({ tx }: Work, least: number): Promise<void> {
  const rows = await tx
    .select({ id: staff.id })
    .from(staff)
    .where(and(isNull(staff.stoppedAt), sql`'admin' = any(${staff.roles})`))
  if (rows.length < least) throw new DeskError('last_admin')
}

/** Gives a person other roles and ends their sessions. Throws `not_found`, `person_stopped`, `last_admin`. Returns the person as before. */
export async function changeRoles(work: Work, id: string, roles: StaffRole[]): Promise<Person> {
  requireRoles(roles)
  await lockPeople(work, 'change')
  const person = await lockPerson(work, id)
  await work.tx.update(staff).set({ roles }).where(eq(staff.id, id))
  if (person.roles.includes('admin') && !roles.includes('admin')) await requireAdmins(work, FIRST_ADMINS)
  await endSessionsOf(work, id)
  return person
}

/**
 * Stops a person at once: their sessions end, and no passkey of theirs counts any more. One of two admins may stop the other, who may be a
 * thief; the migrate user then invites another one. Throws as `changeRoles`.
 */
export async function stopPerson(work: Work, id: string): Promise<Person> {
  await lockPeople(work, 'change')
  const person = await lockPerson(work, id)
  await work.tx.update(staff).set({ stoppedAt: work.now }).where(eq(staff.id, id))
  if (person.roles.includes('admin')) await requireAdmins(work, 1)
  await endSessionsOf(work, id)
  return person
}

/** Takes an open invitation back. Throws `not_found`. */
export async function withdrawInvitation(work: Work, id: string): Promise<Invitation> {
  const { tx, now } = work
  await lockPeople(work, 'change')
  const [invitation] = await tx
    .update(staffInvitations)
    .set({ expiresAt: now })
    .where(and(eq(staffInvitations.id, id), OPEN(now)))
    .returning()
  if (!invitation) throw new DeskError('not_found')
  return invitation
}

/** The person of an address; undefined if there is none. */
export async function findPersonByEmail(db: Executor, email: string): Promise<Person | undefined> {
  const [row] = await db.select().from(staff).where(eq(staff.email, email.toLowerCase()))
  return row
}

/** Those of these keys whose person was not stopped at the desk. */
export async function activeOperators(db: Executor, keys: OperatorKey[]): Promise<OperatorKey[]> {
  const stopped = await stoppedPersons(db)
  return keys.filter(({ name }) => !stopped.has(name.toLowerCase()))
}

/** The e-mails of everybody who was stopped and did not come back. */
export async function stoppedPersons(db: Executor): Promise<Set<string>> {
  const rows = await db.select({ email: staff.email, stoppedAt: staff.stoppedAt }).from(staff)
  const active = new Set(rows.filter(({ stoppedAt }) => stoppedAt === null).map(({ email }) => email))
  return new Set(rows.map(({ email }) => email).filter((email) => !active.has(email)))
}
