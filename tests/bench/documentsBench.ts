/**
 * Documents and long lists of stakes: a statement of ten thousand lines made in a separate process with little memory, and the calls
 * of the staking page for a customer with ten thousand stakes, compared with a hundred.
 */
import { spawn } from 'node:child_process'
import { sql } from 'drizzle-orm'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { type Database, openPostgres } from '#lib/server/platform/db/client.ts'
import { interleave, operationsPerSecond, type Row } from './measure.ts'

const LINES = 10_000
/** Heap limit of the process that makes the statement. */
const HEAP_MIB = 192
const MANY = 10_000
const FEW = 100

async function addCustomer(db: Database, name: string): Promise<string> {
  const answer = await db.execute(sql`
    insert into users (email, password_hash, phone, referral_code, created_at, updated_at)
    values (${`${name}@example.com`}, '', '', ${name}, now(), now()) returning id`)
  return (answer as unknown as { rows: { id: string }[] }).rows[0]?.id ?? ''
}

/** Stakes of a customer, bought one per hour, each with four quarterly rewards and the return of its principal. */
async function addStakes(db: Database, userId: string, count: number): Promise<void> {
  await db.execute(sql`
    insert into orders
    select made.* from generate_series(1, ${count}::int) n
    cross join lateral jsonb_populate_record(null::orders, (
      select jsonb_object_agg(c.column_name, case
        when c.data_type like 'timestamp%' then to_jsonb(now() - n * interval '1 hour') when c.data_type in ('text') then '"x"' else '1' end)
      from information_schema.columns c where c.table_name = 'orders' and c.is_nullable = 'NO'
    ) || jsonb_build_object('id', ${`${userId.slice(0, 8)}-`}::text || n, 'user_id', ${userId}::uuid, 'status', 2, 'config_id', 83, 'staking_months', 12,
      'fiat_cents', 100000 + n)) made`)
  await db.execute(sql`
    insert into stakes (order_id, user_id, currency, units, months, rate_hundredths, starts_at, ends_at)
    select id, user_id, 'PTC', 111111111111111, 12, 1200, created_at, created_at + interval '1 year' from orders where user_id = ${userId}`)
  await db.execute(sql`
    insert into payouts (order_id, kind, number, user_id, currency, units, due_at)
    select order_id, case when n < 5 then 'reward' else 'principal' end, case when n < 5 then n else 1 end, user_id, currency, 3333333,
      starts_at + least(n, 4) * interval '3 months' from stakes cross join generate_series(1, 5) n where user_id = ${userId}`)
}

export async function benchDocuments(url: string): Promise<Row[]> {
  const connection = await openPostgres(url, { poolSize: 4, onLost: () => undefined, patient: true })
  const config = readConfig({ ROLE: 'web', LOG_LEVEL: 'silent', LIMIT_SCALE: '1000' })
  const app = await compose(config, { connection, recurring: false })
  const { db } = connection
  const [many, few] = [await addCustomer(db, 'many'), await addCustomer(db, 'few')]
  await addStakes(db, many, MANY)
  await addStakes(db, few, FEW)
  await db.execute(sql`analyze`)
  const page = (userId: string) => async () => {
    const caller = { customer: { userId, email: 'x@example.com' }, browser: undefined } as never
    await Promise.all([
      app.ask(caller, 'getStakingTotal'),
      app.ask(caller, 'getStakingSummary'),
      app.ask(caller, 'listStakes', { query: { sort: 'amount' } })
    ])
  }
  const [fast = 0, slow = 0] = await interleave([
    { name: 'few', run: () => operationsPerSecond(page(few), 4) },
    { name: 'many', run: () => operationsPerSecond(page(many), 4) }
  ])
  const statement = await makeStatement(url)
  await app.close()
  const ratio = fast / slow
  return [
    {
      what: `staking page of ${MANY.toLocaleString('en')} stakes against ${FEW}, time of its calls`,
      value: ratio.toFixed(2),
      wanted: '≤ 1.5',
      holds: ratio <= 1.5
    },
    {
      what: `statement of ${LINES.toLocaleString('en')} lines, in a process with ${HEAP_MIB} MiB for objects`,
      value: `${statement.seconds.toFixed(1)} s, ${(statement.bytes / 1e6).toFixed(1)} MB, ${statement.rssMib.toFixed(0)} MiB at most`,
      wanted: '',
      holds: statement.lines === LINES
    }
  ]
}

type Made = { seconds: number; bytes: number; rssMib: number; lines: number }

function makeStatement(url: string): Promise<Made> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MIB}`, 'tests/bench/statementMaker.ts', url, String(LINES)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' }
    }
  )
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`The statement was not made: ${code}`))
    )
  })
}
