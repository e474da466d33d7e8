/** Where a customer's coins came from last. */
import { sql } from 'drizzle-orm'
import type { LedgerReason } from '#lib/domain/ledger/reasons.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { ofAccount } from './accountLines.ts'

type Owner = { userId: string; currency: string }
export type Origin = { reason: LedgerReason; at: Date }

/** Of the newest lines into `spot` and `funding`, these say where coins come from; the others move them or give them back. */
const SOURCES: LedgerReason[] = ['deposit_credited', 'p2p_traded', 'order_completed', 'suspense_decided']
const LOOKED_AT = 8

const keyOf = ({ userId, currency }: Owner) => `${userId} ${currency}`

/** By customer and currency, the newest of the last few lines that brought coins in. */
export async function lastOrigins(db: Executor, owners: Owner[]): Promise<(owner: Owner) => Origin | undefined> {
  if (owners.length === 0) return () => undefined
  const asked = JSON.stringify(owners.map(({ userId, currency }) => ({ userId, currency })))
  const answer = await db.execute(sql`
    select distinct on (a.owner_id, a.currency) a.owner_id::text as "userId", a.currency, t.reason, t.created_at as at
    from (select distinct "userId", currency from jsonb_to_recordset(${asked}::jsonb) as o("userId" uuid, currency text)) o
    join accounts a on a.owner_id = o."userId" and a.currency = o.currency and a.kind in ('spot', 'funding')
    cross join lateral (
      select p.id, p.transaction_id from postings p
      ${ofAccount({ own: 'destination', account: 'a.id', order: 'desc' })} limit ${LOOKED_AT}
    ) p
    join ledger_transactions t on t.id = p.transaction_id
    where t.reason in (${sql.join(
      SOURCES.map((reason) => sql`${reason}`),
      sql`, `
    )})
    order by a.owner_id, a.currency, p.id desc`)
  const rows = rowsOf<Owner & { reason: LedgerReason; at: string | Date }>(answer)
  const found = new Map(rows.map(({ reason, at, ...owner }) => [keyOf(owner), { reason, at: new Date(at) }]))
  return (owner) => found.get(keyOf(owner))
}
