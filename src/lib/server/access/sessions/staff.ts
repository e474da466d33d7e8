/** A customer's sessions as staff see them: the device and the beginning of the network address. */
import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../../platform/db/client.ts'
import type { SignInMethod } from '../schema.ts'
import { describeDevice } from './device.ts'

export type SeenSession = {
  id: string
  device: string
  network: string
  method: SignInMethod
  createdAt: Date
  lastSeenAt: Date
  endedAt: Date | null
  isOpen: boolean
  /** No earlier session that is kept (90 days) had this device and network. */
  isFirst: boolean
}
type Row = {
  id: string
  user_agent: string
  network: string
  method: SignInMethod
  created_at: string | Date
  last_seen_at: string | Date
  expires_at: string | Date
  ended_at: string | Date | null
}

/** The newest fifty, open or over. */
export async function sessionsOf(db: Executor, userId: string, now: Date): Promise<SeenSession[]> {
  const rows = rowsOf<Row>(await db.execute(sql`select * from access_sessions(${userId}::uuid)`))
  const places = rows.map(({ user_agent, network }) => `${describeDevice(user_agent)} ${network}`)
  return rows.map((row, at) => ({
    id: row.id,
    device: describeDevice(row.user_agent),
    network: row.network,
    method: row.method,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    isOpen: row.ended_at === null && new Date(row.expires_at) > now,
    isFirst: !places.slice(at + 1).includes(places[at] ?? '')
  }))
}
