/** Who is signed in at the desk. */
import type { Right, StaffRole } from '#lib/domain/staff/rights.ts'
import type { Actor } from '../platform/actor.ts'

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
