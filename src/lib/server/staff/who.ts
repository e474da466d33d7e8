/** Who is signed in at the desk, and whether they still may do what they began. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Right, rightsOf, type StaffRole } from '#lib/domain/staff/rights.ts'
import type { Actor } from '../platform/actor.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError } from './failure.ts'
import { staff, staffSessions } from './schema.ts'

/** A member of staff in one session. Read anew for every call, so that a change of rights counts at once. */
export type Staff = {
  id: string
  name: string
  email: string
  roles: StaffRole[]
  rights: Right[]
  sessionId: string
  expiresAt: Date
}

export const staffActor = ({ id }: Pick<Staff, 'id'>): Actor => ({ kind: 'staff', id })

/** Throws `right_missing`. By the rights as they were read for this call; `requireStill` asks again inside a decision. */
export function requireRight(by: Pick<Staff, 'rights'>, right: Right | 'none'): void {
  if (right !== 'none' && !by.rights.includes(right)) throw new DeskError('right_missing')
}

const PEOPLE_LOCK = 727_003

/**
 * The first lock of every decision: `decide` lets decisions go on side by side, `change` of people waits for all that are under way, and they
 * for it. So nobody decides anything once a stop or a change of their roles is committed.
 */
export async function lockPeople({ tx }: Work, what: 'decide' | 'change'): Promise<void> {
  if (what === 'change') await tx.execute(sql`select pg_advisory_xact_lock(${PEOPLE_LOCK})`)
  else await tx.execute(sql`select pg_advisory_xact_lock_shared(${PEOPLE_LOCK})`)
}

/** Throws `signed_out` or `right_missing` if the person was stopped, lost the right or was signed out since the call began. */
export async function requireStill(
  { tx }: Work,
  { id, sessionId }: Pick<Staff, 'id' | 'sessionId'>,
  right: Right | 'none'
): Promise<void> {
  const [person] = await tx
    .select({ roles: staff.roles })
    .from(staff)
    .innerJoin(
      staffSessions,
      and(eq(staffSessions.id, sessionId), eq(staffSessions.staffId, staff.id), isNull(staffSessions.endedAt))
    )
    .where(and(eq(staff.id, id), isNull(staff.stoppedAt)))
  if (!person) throw new DeskError('signed_out')
  if (right !== 'none' && !rightsOf(person.roles).includes(right)) throw new DeskError('right_missing')
}

/** Throws `approver_of_compliance` if the act asks for a role that this person does not have now. */
export async function requireRole({ tx }: Work, { id }: Pick<Staff, 'id'>, role: StaffRole | undefined): Promise<void> {
  if (!role) return
  const [person] = await tx.select({ roles: staff.roles }).from(staff).where(eq(staff.id, id))
  if (!person?.roles.includes(role)) throw new DeskError('approver_of_compliance')
}

/** True if this person was not stopped and has the right now. */
export async function mayStill(db: Executor, id: string, right: Right): Promise<boolean> {
  return (await thoseWhoMay(db, [id], right)).has(id)
}

/** Those of these persons who were not stopped and have the right now. */
export async function thoseWhoMay(db: Executor, ids: string[], right: Right): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: staff.id, roles: staff.roles })
    .from(staff)
    .where(and(inArray(staff.id, ids), isNull(staff.stoppedAt)))
  return new Set(rows.filter(({ roles }) => rightsOf(roles).includes(right)).map(({ id }) => id))
}
