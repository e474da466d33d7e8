/**
 * What pages ask for finds its rows by index, however much is over: thousands of closed orders, paid stakes, ended withdrawals. PostgreSQL plans a page's
 * statement for any values, so the condition of an index must stand in its text.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { paymentsApart } from '#lib/server/payments/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { onePage, reading } from '#lib/server/platform/db/pageReads.ts'
import { queueOf, waitingSum } from '#lib/server/withdrawals/index.ts'
import { freshDatabase } from '#support/databases.ts'
import { COIN, p2pOf } from '#support/p2p.ts'
import { createTestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const OVER = 3000
const CUSTOMERS = 100
/** Each call is made twice; it reads a page of ten or twenty rows, and small tables as a whole. */
const MOST_READ = 400
/** PostgreSQL tells at most once a second what a connection has read. */
const TOLD_AFTER_MS = 1100

it.skipIf(process.env.ENGINE !== 'postgres')(
  'a page reads a few rows, however many orders, stakes and withdrawals are over',
  async () => {
    const connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 2, onLost: () => undefined })
    const test = await createTestApp({ connection })
    const { db } = connection
    const { context } = test.app
    const customer = await test.customer()
    const seller = await test.customer()
    const { body } = await test.send('POST', '/orders/combo', {
      token: customer.token,
      body: { comboConfigId: 83, bankAccountId: 1 }
    })
    await test.arrive({ remittance: body.data.id, amountCents: BigInt(body.data.euroToPay.replace('.', '')) })
    const { fund, listed } = p2pOf(test)
    await fund(seller, 'CPC', 10_000n * COIN)
    await listed(seller)
    const { ask, fund: fundSpot } = withdrawalsOf(test)
    await fundSpot(customer, 'ETH', units('ETH', 10))
    const asked = await ask(customer, 'ETH', units('ETH', 0.1))
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    await db.execute(sql`
    insert into orders
    select (jsonb_populate_record(o, jsonb_build_object('id', 'many-' || n, 'fiat_cents', 100000 + n * 7919 % 3000,
      'created_at', o.created_at - n * 7907 % 3000 * interval '1 hour'))).*
    from orders o cross join generate_series(1, ${OVER}::int) n where o.id = ${body.data.id}`)
    await db.execute(sql`
    insert into payments
    select (jsonb_populate_record(p, jsonb_build_object('id', 1000 + n, 'bank_entry_id', 'many-' || n, 'order_id', 'many-' || n))).*
    from payments p cross join generate_series(1, ${OVER}::int) n where p.order_id = ${body.data.id}`)
    await db.execute(sql`
    insert into p2p_orders
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'status', 'CANCELLED'))).*
    from p2p_orders o cross join generate_series(1, ${OVER}::int)`)
    await db.execute(sql`
    insert into users (email, password_hash, phone, referral_code, created_at, updated_at)
    select n || '@example.com', '', '', 'many-' || n, now(), now() from generate_series(1, ${CUSTOMERS}::int) n`)
    await db.execute(sql`
    insert into withdrawals
    select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'state', 'confirmed', 'user_id', u.id,
      'requested_at', w.requested_at - n * interval '1 hour'))).*
    from withdrawals w cross join generate_series(1, ${OVER}::int) n
    join users u on u.referral_code = 'many-' || (n % ${CUSTOMERS}::int + 1)`)
    await db.execute(sql`analyze`)
    // Both connections of the pool tell what they have read while they inserted: otherwise they would tell it during a call that is measured.
    await Promise.all([1, 2].map(() => db.execute(sql`select pg_stat_force_next_flush(), pg_sleep(0.2)`)))
    await pause(TOLD_AFTER_MS)
    /** Rows read so far, by table. */
    const rowsRead = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        rowsOf<{ of: string; rows: string }>(
          await db.execute(
            sql`select relname as of, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::text as rows from pg_stat_user_tables`
          )
        ).map(({ of, rows }) => [of, Number(rows)])
      )
    const staff =
      <T>(run: () => Promise<T>) =>
      () =>
        onePage(() => reading(run))
    const calls: Record<string, () => Promise<unknown>> = {
      'stakes by date': () => test.ask(customer, 'listStakes', { query: { sort: 'date' } }),
      'stakes by amount': () => test.ask(customer, 'listStakes', { query: { sort: 'amount' } }),
      'the book': () => test.ask(customer, 'listP2pOrders'),
      'the rules of trading': () => test.ask(seller, 'getP2pRules'),
      'the limits of withdrawals': () => test.ask(customer, 'getOwnLimit'),
      'withdrawals to approve': staff(() => queueOf(context, 'waiting', 10n ** 12n)),
      'withdrawals under way': staff(() => queueOf(context, 'underway', 10n ** 12n)),
      'what waits for approval': staff(() => waitingSum(db)),
      'payments that fit no order': staff(() => paymentsApart(db))
    }
    const found: string[] = []
    for (const [name, call] of Object.entries(calls)) {
      await call()
      await pause(TOLD_AFTER_MS)
      await call()
      const before = await rowsRead()
      await call()
      await pause(TOLD_AFTER_MS)
      await call()
      const after = await rowsRead()
      for (const [of, rows] of Object.entries(after)) {
        const read = rows - (before[of] ?? 0)
        if (read > MOST_READ) found.push(`${name} read ${read} rows of ${of}`)
      }
    }
    expect(found).toEqual([])
    await test.close()
  }
)

it.skipIf(process.env.ENGINE !== 'postgres')(
  'no statement of a call is compiled, or makes room for rows that it remembers',
  async () => {
    const { db, quickDb, close } = await openPostgres(inject('postgresUrl'), { poolSize: 2, onLost: () => undefined })
    const settings = sql`select current_setting('jit') as jit, current_setting('enable_memoize') as memoize`
    const asked = [
      () => db.execute(settings),
      () => quickDb.execute(settings),
      () => onePage(() => reading(() => db.execute(settings)))
    ]
    for (const ask of asked) expect(rowsOf(await ask())).toEqual([{ jit: 'off', memoize: 'off' }])
    await close()
  }
)
