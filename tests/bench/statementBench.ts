/** A page of a statement costs the same, however many lines the account has. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { customerAccount, house, post, readStatement } from '#lib/server/ledger/index.ts'
import type { Customer } from '#lib/server/platform/actor.ts'
import type { Context } from '#lib/server/platform/context.ts'
import { type Database, openPostgres } from '#lib/server/platform/db/client.ts'
import { interleave, operationsPerSecond, type Row } from './measure.ts'

const SHORT = 1000
const LONG = 1_000_000
const PAGE = 20

/** Adds an account with `lines` lines, all at once, as `ledger_post` would write them one by one. */
async function fill(db: Database, owner: string, lines: number): Promise<void> {
  await post(db, {
    reason: 'adjustment',
    source: { type: 'adjustment', id: owner },
    reference: `fund:${owner}`,
    actor: { kind: 'system', id: 'bench' },
    transfers: [{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: 1n }],
    at: new Date()
  })
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`
      with made as (
        insert into ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
        select 'adjustment', 'adjustment', ${owner} || n, ${owner} || ':' || n, 'system:bench', now()
        from generate_series(1, ${lines}::int) n returning id
      ), ids as (select id, row_number() over (order by id) as n from made)
      insert into postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
      select ids.id, h.id, c.id, 'CPC', 1, -1 - ids.n, 1 + ids.n
      from ids
      join accounts c on c.owner_id = ${owner} and c.kind = 'spot'
      cross join lateral (select id from accounts where kind = 'treasury' and currency = 'CPC' order by id limit 1) h
      order by ids.id`)
    await tx.execute(sql`update accounts set balance = 1 + ${lines} where owner_id = ${owner}`)
  })
}

export async function benchStatement(url: string): Promise<Row[]> {
  const { db, close } = await openPostgres(url, { poolSize: 2, onLost: () => undefined, patient: true })
  const [short, long] = [randomUUID(), randomUUID()]
  await fill(db, short, SHORT)
  await fill(db, long, LONG)
  await db.execute(sql`vacuum analyze`)
  const read = (userId: string) => () =>
    readStatement({ db } as Context, { userId } as Customer, { currency: 'CPC', account: 'total', limit: PAGE })
  const [ofShort = 0, ofLong = 0] = await interleave([
    { name: 'short', run: () => operationsPerSecond(read(short), 1, 1) },
    { name: 'long', run: () => operationsPerSecond(read(long), 1, 1) }
  ])
  await close()
  const ratio = ofShort / ofLong
  return [
    { what: `statement pages a second, ${SHORT} lines`, value: ofShort.toFixed(0), wanted: '', holds: undefined },
    {
      what: 'statement page of a 1,000,000-line account against one of 1,000 lines',
      value: ratio.toFixed(2),
      wanted: '≤ 1.5',
      holds: ratio <= 1.5
    }
  ]
}
