/** Looks a session up, by page cookie or by access token. */

import { sql } from 'drizzle-orm'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken } from '../../platform/crypto.ts'
import { runNamed } from '../../platform/db/named.ts'
import { asCounted, type Counted, databaseFor, type Limit, refuseExceeded } from '../../platform/limits.ts'
import { tryAgain } from '../../platform/transaction.ts'
import { sessionReads } from './reads.ts'
import { readAccessToken } from './tokens.ts'

function unexpired(context: Context, row: Customer | undefined): Customer | undefined {
  return row && row.expiresAt > context.clock() ? row : undefined
}

/** The customer of a page cookie; `undefined` for a forged, expired or ended one. */
export async function findByCookie(context: Context, cookie: string): Promise<Customer | undefined> {
  const [row] = await sessionReads(context.db).byCookie.execute({ hash: hashToken(cookie) })
  return unexpired(context, row)
}

/**
 * The customer of a bearer token; `undefined` for a forged or expired one, or of an ended session. One statement also counts against the
 * customer's limits; throws `too_many_requests`.
 */
export async function findByAccessToken(
  context: Context,
  token: string,
  limitsOf: (userId: string) => Limit[] = () => []
): Promise<Customer | undefined> {
  const claims = await readAccessToken(context, token)
  if (!claims) return undefined
  const limits = limitsOf(claims.userId)
  if (limits.length === 0) {
    const [row] = await sessionReads(context.db).byId.execute({ id: claims.sessionId })
    return unexpired(context, row)
  }
  const [row] = await findAndCount(context, claims.sessionId, limits)
  if (!row) return undefined
  const { counted, ...customer } = row
  await refuseExceeded(context, limits, counted)
  return customer
}

type Found = Omit<Customer, 'expiresAt' | 'provedAt' | 'lockedAt'> & {
  expiresAt: string
  provedAt: string | null
  lockedAt: string | null
  counted: Counted
}

/** Nothing is counted where the session has ended. */
async function findAndCount(context: Context, sessionId: string, limits: Limit[]) {
  const at = context.clock().toISOString()
  const statement = sql`
      select u.id as "userId", u.email, s.id as "sessionId", s.expires_at as "expiresAt", s.proved_at as "provedAt",
        u.locked_at as "lockedAt", u.display_currency as "displayCurrency", u.time_zone as "timeZone",
        limits_count(${asCounted(limits)}::jsonb, ${at}::timestamptz) as counted
      from sessions s join users u on u.id = s.user_id
      where s.id = ${sessionId}::uuid and s.ended_at is null and s.expires_at > ${at}::timestamptz`
  const rows = await tryAgain(() => runNamed<Found>(databaseFor(context, limits), 'session_and_limits', statement))
  const moment = (text: string | null) => text && new Date(text)
  return rows.map((row) => ({
    ...row,
    expiresAt: new Date(row.expiresAt),
    provedAt: moment(row.provedAt) || null,
    lockedAt: moment(row.lockedAt) || null
  }))
}
