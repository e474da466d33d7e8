/** What operators look at costs the same, however many customers and lines there are. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { type Connection, openPostgres } from '#lib/server/platform/db/client.ts'
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
      ), mine as (select id, owner_id, row_number() over (order by id) as n from accounts where kind = 'spot'),
      looked_at as (select mine.n from withdrawals w join mine on mine.owner_id = w.user_id where w.state = 'review' order by w.requested_at desc limit 1)
      insert into postings (transaction_id, source_id, destination_id, currency, amount, source_balance, destination_balance)
      select made.id, case when made.n % 2 = 0 then treasury.id else mine.id end, case when made.n % 2 = 0 then mine.id else treasury.id end,
        'USDC', 1, 0, 0
      from (select id, row_number() over (order by id) as n from made) made
      cross join (select id from accounts where kind = 'treasury' and currency = 'USDC' order by id limit 1) treasury
      cross join looked_at
      -- The first hundred lines are those of the customer who is looked at, so that their page is as long in both databases.
      join mine on mine.n = case when made.n <= 100 then looked_at.n else 1 + made.n % ${customers}::int end`)
    await tx.execute(sql`
      insert into staff_audit (id, at, actor, act, subject, why, details, previous, hash)
      select n, now(), 'system:bench', 'test', 'customer:' || n, '', '{}', '', n::text from generate_series(1, ${customers}::int) n`)
  })
  await fillPayments(db, customers)
  await db.execute(sql`vacuum analyze`)
  return connection
}

/** An order of each customer with its payment; of a hundred of them the order is open, and the payment fits none. */
async function fillPayments(db: Connection['db'], customers: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`
      insert into orders (id, user_id, config_id, status, fiat_cents, fee_cents, total_cents, euro_value, euro_cents_to_pay, eur_per_usd,
        eur_per_usd_source, eur_per_usd_at, cpc_price_usd, price_source, price_at, cpc_units, ptc_units, staking_months, staking_rate_hundredths,
        created_at, updated_at)
      select 'RF' || lpad(n::text, 14, '0'), u.id, 19, case when n % (${customers}::int / 100) = 0 then 1 else 2 end, 100000, 4000, 104000, 920,
        95680 + n % 7, 0.92, 'x', now(), 0.05, 'x', now(), 1, 0, 0, 0, u.created_at, now()
      from (select id, created_at, row_number() over (order by created_at) as n from users) u`)
    await tx.execute(sql`
      insert into payments (direction, bank_entry_id, amount_cents, currency, remittance, payer_name, payer_iban, booked_on, value_on, told_on, outcome,
        order_id, received_at)
      select 'credit', 'E' || o.id, o.euro_cents_to_pay, 'EUR', o.id, 'Ada Lovelace', 'AT' || substr(o.id, 3), o.created_at::date, o.created_at::date,
        o.created_at::date, case when o.status = 1 then 'unknown_reference' else 'matched' end, case when o.status = 1 then null else o.id end, o.created_at
      from orders o`)
    await tx.execute(sql`
      insert into bank_day_sums (day, currency, in_cents) select booked_on, 'EUR', sum(amount_cents) from payments group by 1`)
    await tx.execute(sql`
      insert into bank_statements (cursor, iban, statement_id, opening_cents, closing_cents, closed_on, received_at)
      select 'c' || d, 'i', 's' || d, 0, 0, d::date, now() from generate_series(now() - interval '60 days', now(), interval '1 day') d`)
  })
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
      const { rows: apart } = (await connection.db.execute(
        sql`select id::text as "paymentId" from payments where outcome <> 'matched' order by id desc limit 1`
      )) as unknown as { rows: { paymentId: string }[] }
      return { app, ...rows[0], ...apart[0] }
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
    [
      'what explains a balance',
      ({ app, userId = '' }) => app.desk.ask(staff, 'explainBalance', { params: { id: userId, currency: 'USDC' } })
    ],
    ['payments that fit no order', ({ app }) => app.desk.ask(staff, 'listPayments')],
    ['all entries of the bank', ({ app }) => app.desk.ask(staff, 'listPayments', { query: { filter: 'all' } })],
    [
      'a payment and its candidates',
      ({ app, paymentId = '' }) => app.desk.ask(staff, 'getPayment', { params: { id: paymentId } })
    ],
    ['refunds', ({ app }) => app.desk.ask(staff, 'getRefunds')],
    ['days at the bank', ({ app }) => app.desk.ask(staff, 'listBankDays')],
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
