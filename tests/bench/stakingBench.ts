/** Staking: paying 100,000 rewards that are due at once, compared with single ledger transfers, and the memory it takes. */
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { compose } from '#lib/server/app/compose.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { fillFund, payDue } from '#lib/server/staking/index.ts'
import { operationsPerSecond, type Row, ratioRow } from './measure.ts'

const CUSTOMERS = 1000
const STAKES = 100_000
const MIB = 1024 ** 2
const SAMPLE_MS = 3000

async function prepare(url: string) {
  const connection = await openPostgres(url, { poolSize: 4, onLost: () => undefined, patient: true })
  const config = readConfig({ ROLE: 'web', LOG_LEVEL: 'silent', LIMIT_SCALE: '1000' })
  const app = await compose(config, { connection, recurring: false })
  const { db } = connection
  await db.execute(sql`
    insert into users (email, password_hash, phone, referral_code, created_at, updated_at)
    select n || '@example.com', '', '', 'bench-' || n, now(), now() from generate_series(1, ${CUSTOMERS}::int) n`)
  // Nothing here reads the orders, so only their required columns are filled.
  await db.execute(sql`
    insert into orders
    select made.* from users u
    cross join generate_series(1, ${STAKES / CUSTOMERS}::int) n
    cross join lateral jsonb_populate_record(null::orders, (
      select jsonb_object_agg(c.column_name, case
        when c.data_type like 'timestamp%' then to_jsonb(now()) when c.data_type in ('text') then '"x"' else '1' end)
      from information_schema.columns c where c.table_name = 'orders' and c.is_nullable = 'NO'
    ) || jsonb_build_object('id', u.referral_code || '-' || n, 'user_id', u.id, 'status', 2, 'staking_months', 12)) made
    where u.referral_code like 'bench-%'`)
  await db.execute(sql`
    insert into payouts (order_id, kind, number, user_id, currency, units, due_at)
    select id, 'reward', 1, user_id, 'PTC', 49999999, now() - interval '1 day' from orders`)
  await db.execute(sql`analyze`)
  await fillFund(app.context, {
    currency: 'PTC',
    units: 10n ** 18n,
    reference: randomUUID(),
    actor: { kind: 'system', id: 'bench' }
  })
  return { app, db }
}

/** Bytes of the heap in use after garbage collection. */
function inUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

export async function benchStaking(url: string): Promise<Row[]> {
  const { app, db } = await prepare(url)
  const customer = customerAccount(randomUUID(), 'reward')
  const transfer = () =>
    post(db, {
      reason: 'adjustment',
      source: { type: 'adjustment', id: 'bench' },
      reference: randomUUID(),
      actor: { kind: 'system', id: 'bench' },
      transfers: [{ source: house('treasury'), destination: customer, currency: 'PTC', amount: 1n }],
      at: new Date()
    })
  const before = await operationsPerSecond(transfer, 1)
  let most = 0
  const start = inUse()
  const watch = setInterval(() => {
    most = Math.max(most, inUse() - start)
  }, SAMPLE_MS)
  const began = performance.now()
  const paid = await payDue(app.context)
  const seconds = (performance.now() - began) / 1000
  clearInterval(watch)
  if (paid !== STAKES) throw new Error(`${paid} payouts were made instead of ${STAKES}`)
  const after = await operationsPerSecond(transfer, 1)
  await app.close()
  const grown = most / MIB
  return [
    {
      what: `staking rewards paid a second, ${STAKES.toLocaleString('en')} due at once`,
      value: (paid / seconds).toFixed(0),
      wanted: '',
      holds: undefined
    },
    ratioRow('the same against one ledger transfer after the other', paid / seconds / ((before + after) / 2), 2),
    {
      what: 'memory in use while they are paid, at most',
      value: `${grown.toFixed(0)} MiB`,
      wanted: '≤ 64 MiB',
      holds: grown <= 64
    }
  ]
}
