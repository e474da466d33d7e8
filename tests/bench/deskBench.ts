/** What operators look at costs the same, however many customers and lines there are. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import type { Staff } from '#lib/server/staff/index.ts'
import { interleave, operationsPerSecond, type Row } from './measure.ts'

const FEW = { customers: 1000, lines: 1000 }
const MANY = { customers: 100_000, lines: 1_000_000 }

/** Customers, each with a withdrawal and its address; lines spread over them; what staff did. */
async function fill(url: string, { customers, lines }: typeof FEW) {
  const connection = await openPostgres(url, { poolSize: 2, onLost: () => undefined, patient: true })
  const { db } = connection
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`
      insert into users (id, email, password_hash, phone, referral_code, created_at, updated_at)
      select gen_random_uuid(), 'c' || n || '@example.com', '', '', 'R' || n, now() - n * interval '1 minute', now() from generate_series(1, ${customers}::int) n`)
    await tx.execute(sql`
      insert into accounts (owner_id, currency, kind, balance) select id, 'USDC', 'spot', 1000 from users
      union all values ('00000000-0000-0000-0000-000000000000'::uuid, 'USDC', 'treasury', 0)`)
    await tx.execute(sql`
      insert into withdrawal_addresses (user_id, chain, address, created_at) select id, 'ethereum', '0x' || replace(id::text, '-', ''), created_at from users`)
    await tx.execute(sql`
      insert into withdrawals (id, user_id, chain, currency, amount, fee, address_id, receiver, from_spot, from_funding, usd_cents, euro_cents, state, requested_at)
      select gen_random_uuid(), a.user_id, 'ethereum', 'USDC', 10, 3, a.id, a.address, 10, 0, 600000, 600000,
        case when a.id % (${customers}::int / 100) = 0 then 'review' else 'confirmed' end, a.created_at from withdrawal_addresses a`)
    await tx.execute(sql`
      with made as (
        insert into ledger_transactions (reason, source_type, source_id, reference, actor, created_at)
        select 'adjustment', 'adjustment', n::text, 'desk:' || n, 'system:bench', now() from generate_series(1, ${lines}::int) n returning id
      ), mine as (select id, row_number() over (order by id) as n from accounts where kind = 'spot')
      insert into postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
      select made.id, (select id from accounts where kind = 'treasury' and currency = 'USDC' order by id limit 1), mine.id, 'USDC', 1, 0, 0
      from (select id, row_number() over (order by id) as n from made) made join mine on mine.n = 1 + made.n % ${customers}::int`)
    await tx.execute(sql`
      insert into staff_audit (id, at, actor, act, subject, why, details, previous, hash)
      select n, now(), 'system:bench', 'test', 'customer:' || n, '', '{}', '', n::text from generate_series(1, ${customers}::int) n`)
  })
  await db.execute(sql`vacuum analyze`)
  return connection
}

export async function benchDesk([few = '', many = '']: string[]): Promise<Row[]> {
  const sides = await Promise.all(
    [
      { url: few, size: FEW },
      { url: many, size: MANY }
    ].map(async ({ url, size }) => {
      const connection = await fill(url, size)
      const app = await compose(readConfig({ LOG_LEVEL: 'silent', ROLE: 'desk' }), { connection, recurring: false })
      const { rows } = (await connection.db.execute(
        sql`select w.id, w.user_id as "userId", w.receiver from withdrawals w where state = 'review' order by requested_at desc limit 1`
      )) as unknown as { rows: { id: string; userId: string; receiver: string }[] }
      return { app, ...rows[0] }
    })
  )
  const staff: Staff = {
    id: randomUUID(),
    name: '',
    email: '',
    roles: ['compliance'],
    rights: ['see_queues', 'read_audit'],
    sessionId: '',
    expiresAt: new Date()
  }
  type Side = (typeof sides)[number]
  const looks: [string, (side: Side) => Promise<unknown>][] = [
    ['the frame of every page', ({ app }) => app.desk.ask(staff, 'getQueues')],
    ['withdrawals to approve', ({ app }) => app.desk.ask(staff, 'listWithdrawals', { query: { filter: 'waiting' } })],
    ['all withdrawals', ({ app }) => app.desk.ask(staff, 'listWithdrawals', { query: { filter: 'all' } })],
    ['one withdrawal', ({ app, id = '' }) => app.desk.ask(staff, 'getWithdrawal', { params: { id } })],
    ['a customer found by e-mail', ({ app }) => app.desk.ask(staff, 'findCustomers', { query: { q: 'c500@example.com' } })],
    ['a customer found by address', ({ app, receiver = '' }) => app.desk.ask(staff, 'findCustomers', { query: { q: receiver } })],
    ['a customer', ({ app, userId = '' }) => app.desk.ask(staff, 'getCustomer', { params: { id: userId } })],
    ['the audit log', ({ app }) => app.desk.ask(staff, 'listAudit')]
  ]
  const rows: Row[] = []
  for (const [what, run] of looks) {
    const [ofFew = 0, ofMany = 0] = await interleave(
      sides.map((side, at) => ({ name: String(at), run: () => operationsPerSecond(() => run(side), 1, 0.3) }))
    )
    const times = ofFew / ofMany
    const name = `desk, ${what}: time with 100,000 customers and 1,000,000 lines × with 1,000 (${ofFew.toFixed(0)} a second)`
    rows.push({ what: name, value: times.toFixed(2), wanted: '≤ 2', holds: times <= 2 })
  }
  for (const { app } of sides) await app.close()
  return rows
}
