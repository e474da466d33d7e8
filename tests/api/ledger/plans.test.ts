/** Bookings find their rows by index, also with plans that were made while the tables were small. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { customerAccount, house, post, postMany } from '#lib/server/ledger/index.ts'
import { type Database, openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { createTestApp } from '#support/testApp.ts'

/** PostgreSQL keeps a plan when a statement has been run five times. */
const UNTIL_PLANNED = 7
const LATER = 2000
const AT_ONCE = 500

it.skipIf(process.env.ENGINE !== 'postgres')('reads no table as a whole for a booking, a move or a purchase', async () => {
  const connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 2, onLost: () => undefined })
  const test = await createTestApp({ connection })
  const { fund, listed } = p2pOf(test)
  const [maker, taker] = [await test.customer({ verified: true }), await test.customer({ verified: true })]
  await fund(maker, 'CPC', 100_000n * COIN)
  await fund(taker, 'USDC', 100_000n * DOLLAR)
  const order = await listed(maker, { amount: 100_000n * COIN })
  const give = (owner: string) => ({
    reason: 'adjustment' as const,
    source: { type: 'adjustment' as const, id: 'test' },
    reference: randomUUID(),
    actor: { kind: 'system' as const, id: 'test' },
    transfers: [{ source: house('treasury'), destination: customerAccount(owner, 'spot'), currency: 'CPC', amount: COIN }],
    at: new Date()
  })

  await connection.db.transaction(async (tx) => {
    const db = tx as unknown as Database
    const calls: Record<string, () => Promise<unknown>> = {
      'a booking': () => post(db, give(taker.userId)),
      'many bookings': () => postMany(db, [give(taker.userId), give(maker.userId)]),
      'a move': () =>
        tx.execute(sql`
          select balance from wallet_move('customer:test', ${randomUUID()}, 'hash', ${taker.userId}::uuid, 'spot', 'funding', 'CPC', 1,
            ${randomUUID()}, '{}', now())`),
      'many moves': () =>
        tx.execute(sql`
          select balance from wallet_move_many(array['customer:test'], array[${randomUUID()}], array['hash'], array[${taker.userId}::uuid],
            array['spot'], array['funding'], array['CPC'], array[1], array[${randomUUID()}], array['{}'::jsonb], now())`),
      'a purchase': async () => {
        const [found] = rowsOf<{ refusal: string | null }>(
          await tx.execute(sql`
            select refusal from p2p_fill(gen_random_uuid(), ${taker.userId}::uuid, 'customer:test',
              (select id from sessions where user_id = ${taker.userId} limit 1), '-infinity', ${order}::uuid, ${10n * COIN},
              0.05, 0.01, 1e20, '', now())`)
        )
        expect(['trader', null]).toContain(found?.refusal)
      }
    }
    /** Rows that were read in scans of whole tables in this transaction, of each table. */
    const scanned = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        rowsOf<{ table: string; rows: string }>(
          await tx.execute(sql`select relname as "table", seq_tup_read::text as rows from pg_stat_xact_user_tables`)
        ).map(({ table, rows }) => [table, Number(rows)])
      )
    await tx.execute(
      sql`insert into p2p_traders (user_id, public_id, nickname, created_at) values (${taker.userId}, gen_random_uuid(), 'taker', now())`
    )
    for (const call of Object.values(calls)) for (let done = 0; done < UNTIL_PLANNED; done += 1) await call()
    for (let done = 0; done < LATER; done += AT_ONCE)
      await postMany(
        db,
        Array.from({ length: AT_ONCE }, () => give(randomUUID()))
      )
    const found: string[] = []
    for (const [name, call] of Object.entries(calls)) {
      const before = await scanned()
      await call()
      for (const [table, rows] of Object.entries(await scanned()))
        if (rows > (before[table] ?? 0)) found.push(`${name} read ${rows - (before[table] ?? 0)} rows of ${table}`)
    }
    expect(found).toEqual([])
  })
  await test.close()
})
