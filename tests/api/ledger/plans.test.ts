/** Bookings find their rows by index, also with plans that were made while the tables were small. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { customerAccount, house, post, postMany } from '#lib/server/ledger/index.ts'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { createTestApp } from '#support/testApp.ts'

/** PostgreSQL keeps a plan when a statement has been run five times. */
const UNTIL_PLANNED = 7
const LATER = 2000
const AT_ONCE = 500
/** Rows of a table or an index: a call changes a handful of accounts, whose older versions are read too. */
const MOST_READ = 100

it.skipIf(process.env.ENGINE !== 'postgres').for([
  ['without statistics', undefined],
  ['with statistics of a few rows', 'analyze']
] as const)('reads a few rows for a booking, a move or a purchase, by plans made %s', async ([, analyze]) => {
  const connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 1, onLost: () => undefined })
  const test = await createTestApp({ connection })
  const { fund, listed } = p2pOf(test)
  const [maker, taker, second, other] = [
    await test.customer(),
    await test.customer(),
    await test.customer(),
    await test.customer()
  ]
  await fund(maker, 'CPC', 100_000n * COIN)
  for (const buyer of [taker, second]) {
    await fund(buyer, 'USDC', 100_000n * DOLLAR)
    await fund(buyer, 'CPC', COIN)
  }
  await fund(maker, 'USDC', DOLLAR)
  await fund(other, 'CPC', 10n * COIN)
  await listed(other, { amount: 10n * COIN })
  const order = await listed(maker, { amount: 100_000n * COIN })
  const give = (owner: string) => ({
    reason: 'adjustment' as const,
    source: { type: 'adjustment' as const, id: 'test' },
    reference: randomUUID(),
    actor: { kind: 'system' as const, id: 'test' },
    transfers: [{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: COIN }],
    at: new Date()
  })

  const { db } = connection
  const calls: Record<string, () => Promise<unknown>> = {
    'a booking': () => post(db, give(taker.userId)),
    'many bookings': () => postMany(db, [give(taker.userId), give(maker.userId)]),
    'a move': () =>
      db.execute(sql`
        select balance from wallet_move('customer:test', ${randomUUID()}, 'hash', ${taker.userId}::uuid, 'spot', 'funding', 'CPC', 1,
          ${randomUUID()}, '{}', now())`),
    'many moves': () =>
      db.execute(sql`
        select balance from wallet_move_many(array['customer:test'], array[${randomUUID()}], array['hash'], array[${taker.userId}::uuid],
          array['spot'], array['funding'], array['CPC'], array[1], array[${randomUUID()}], array['{}'::jsonb], now())`),
    'a purchase': async () => {
      const [found] = rowsOf<{ refusal: string | null }>(
        await db.execute(sql`
          select refusal from p2p_fill(gen_random_uuid(), ${taker.userId}::uuid, 'customer:test',
            (select id from sessions where user_id = ${taker.userId} limit 1), '-infinity', ${order}::uuid, ${10n * COIN}, 0.05, 0.01,
            1e20, '', now())`)
      )
      expect(found?.refusal).toBe(null)
    },
    'many purchases': async () => {
      const takers = `{${taker.userId},${second.userId}}`
      const made = await db.execute(sql`
        select answer from p2p_fill_many(array[gen_random_uuid(), gen_random_uuid()], ${takers}::uuid[], '{a,b}',
          array[${randomUUID()}, ${randomUUID()}], '{c,d}',
          (select array_agg((select id from sessions where user_id = t.id limit 1)) from unnest(${takers}::uuid[]) as t(id)),
          array[${order}, ${order}]::uuid[], array[${10n * COIN}, ${10n * COIN}]::numeric[], '{0.05,0.05}', '{1e20,1e20}', 0.01, '-infinity', now())`)
      expect(rowsOf(made)).toHaveLength(2)
    }
  }
  /** Rows that were read so far: in scans of whole tables, and from indexes. */
  const rowsRead = async (): Promise<Record<string, number>> => {
    await db.execute(sql`select pg_stat_force_next_flush()`)
    return Object.fromEntries(
      rowsOf<{ of: string; rows: string }>(
        await db.execute(sql`
          select relname as of, seq_tup_read::text as rows from pg_stat_user_tables
          union all select indexrelname, idx_tup_read::text from pg_stat_user_indexes`)
      ).map(({ of, rows }) => [of, Number(rows)])
    )
  }
  for (const { userId } of [taker, second])
    await db.execute(
      sql`insert into p2p_traders (user_id, public_id, nickname, created_at) values (${userId}, gen_random_uuid(), ${userId}, now())`
    )
  if (analyze) await db.execute(sql.raw(analyze))
  for (const call of Object.values(calls)) for (let done = 0; done < UNTIL_PLANNED; done += 1) await call()
  for (let done = 0; done < LATER; done += AT_ONCE)
    await postMany(
      db,
      Array.from({ length: AT_ONCE }, () => give(randomUUID()))
    )
  // Of somebody who has no part in the calls.
  await db.execute(sql`
    insert into p2p_orders
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
    from p2p_orders o, generate_series(1, ${LATER}) where o.maker_id = ${other.userId}`)
  // Orders of the buyer that are over.
  await db.execute(sql`
    insert into p2p_orders
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'maker_id', ${taker.userId}::uuid, 'status', 'CANCELLED'))).*
    from p2p_orders o where o.maker_id = ${other.userId}`)
  await db.execute(sql`
    insert into p2p_trades (id, order_id, maker_id, taker_id, amount, gross, fee, difference, traded_at)
    select gen_random_uuid(), id, maker_id, ${maker.userId}, 1, 1, 0, 0, now() from p2p_orders where maker_id = ${other.userId}`)
  await db.execute(sql`
    insert into withdrawal_holds (user_id, reason, source_type, source_id, created_at)
    select ${other.userId}, 'staff', 'test', n::text, now() from generate_series(1, ${LATER}) n`)
  const found: string[] = []
  for (const [name, call] of Object.entries(calls)) {
    const before = await rowsRead()
    await call()
    for (const [of, rows] of Object.entries(await rowsRead())) {
      const read = rows - (before[of] ?? 0)
      if (read > MOST_READ) found.push(`${name} read ${read} rows of ${of}`)
    }
  }
  expect(found).toEqual([])
  await test.close()
})
