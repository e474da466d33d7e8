/** Looks a session up, by page cookie or by access token. */

import { sql } from 'drizzle-orm'
import type { Customer } from '../../platform/actor.ts'
import { batchOnce } from '../../platform/batch.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken } from '../../platform/crypto.ts'
import { statementOnce } from '../../platform/db/builtOnce.ts'
import type { Database } from '../../platform/db/client.ts'
import { isReadOnly } from '../../platform/db/faults.ts'
import { lookTwice } from '../../platform/db/pageReads.ts'
import { asCounted, type Counted, databaseFor, type Limit, refuseExceeded, sharesOf } from '../../platform/limits.ts'
import { tryAgain } from '../../platform/transaction.ts'
import { sessionReads } from './reads.ts'
import { readAccessToken } from './tokens.ts'

function unexpired(context: Context, row: Customer | undefined): Customer | undefined {
  return row && row.expiresAt > context.clock() ? row : undefined
}

/** A session that has just been opened is not on a standby yet. */
const findTwice = (find: () => Promise<Customer[]>) =>
  lookTwice(find, (found) => 'value' in found && found.value.length === 0).then(([row]) => row)

/** The customer of a page cookie; `undefined` for a forged, expired or ended one. */
export async function findByCookie(context: Context, cookie: string): Promise<Customer | undefined> {
  const hash = hashToken(cookie)
  return unexpired(context, await findTwice(() => sessionReads(context.db).byCookie.execute({ hash })))
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
    return unexpired(context, await findTwice(() => sessionReads(context.db).byId.execute({ id: claims.sessionId })))
  }
  const row = await findAndCount(context, claims.sessionId, limits)
  if (!row) return undefined
  const { counted, ...customer } = row
  await refuseExceeded(context, limits, counted)
  return unexpired(context, customer)
}

type Found = Omit<Customer, 'expiresAt' | 'provedAt' | 'lockedAt'> & {
  n: number
  expiresAt: string
  provedAt: string | null
  lockedAt: string | null
  /** Of all calls of the statement, in its first row. */
  counted: Counted
}
type Who = { sessionId: string; limits: Limit[] }
type Seen = (Customer & { counted: Counted }) | undefined

/**
 * Calls whose limits may be forgotten share a statement if they come at the same moment. Nothing is counted where the session has ended. While the
 * database takes no writes, such limits are not counted, as in `countAgainst`: nothing can be changed, and reads still answer.
 */
async function findAndCount(context: Context, sessionId: string, limits: Limit[]): Promise<Seen> {
  const asked = { sessionId, limits }
  const db = databaseFor(context, limits)
  if (db !== context.quickDb) return (await findAll(context, db, [asked]))[0]
  try {
    return await quickly(context).add(asked)
  } catch (error) {
    if (!isReadOnly(error)) throw error
    const customer = await findTwice(() => sessionReads(context.db).byId.execute({ id: sessionId }))
    return customer && { ...customer, counted: null }
  }
}

const quickly = batchOnce((context: Context) => ({
  run: (all: Who[]) => findAll(context, context.quickDb, all),
  lanes: 4,
  most: 64
}))

const sessionsAndLimits = statementOnce<Found>('sessions_and_limits', () => {
  const [ids, at, limits] = [sql.placeholder('ids'), sql.placeholder('at'), sql.placeholder('limits')]
  return sql`
    with live as materialized (
      select x.n::integer as n, u.id as "userId", u.email, s.id as "sessionId", s.expires_at as "expiresAt", s.proved_at as "provedAt",
        u.locked_at as "lockedAt", u.display_currency as "displayCurrency", u.time_zone as "timeZone"
      from unnest(${ids}::uuid[]) with ordinality as x(id, n)
      join sessions s on s.id = x.id and s.ended_at is null and s.expires_at > ${at}::timestamptz
      join users u on u.id = s.user_id
    ), counted as materialized (
      select limits_count(coalesce((
        select jsonb_agg(l.value) from live cross join lateral jsonb_array_elements(${limits}::jsonb -> (live.n - 1)) as l
      ), '[]'), ${at}::timestamptz) as counted
    )
    select live.*, case when live.n = (select min(n) from live) then counted.counted end as counted
    from live cross join counted order by live.n`
})

async function findAll(context: Context, db: Database, all: Who[]): Promise<Seen[]> {
  const values = {
    ids: `{${all.map(({ sessionId }) => sessionId).join()}}`,
    at: context.clock().toISOString(),
    limits: JSON.stringify(all.map((one) => asCounted(one.limits)))
  }
  const rows = await tryAgain(() => sessionsAndLimits(db, values))
  const counted = rows[0]?.counted ?? null
  const live = rows.map(({ n }) => all[n - 1]?.limits ?? [])
  const shares = sharesOf(context, counted, live)
  const moment = (text: string | null) => text && new Date(text)
  const seen = new Map(
    rows.map(({ n, counted: _, ...row }, index) => [
      n,
      {
        ...row,
        expiresAt: new Date(row.expiresAt),
        provedAt: moment(row.provedAt) || null,
        lockedAt: moment(row.lockedAt) || null,
        counted: shares[index] ?? null
      }
    ])
  )
  return all.map((_, index) => seen.get(index + 1))
}
