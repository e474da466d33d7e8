import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { settleStock } from '#lib/server/ledger/index.ts'
import {
  type Connection,
  migrateEmbedded,
  migratePostgres,
  openEmbedded,
  openPostgres,
  rowsOf
} from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { dumpOf, earlierMigrations } from '#support/oldDatabase.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const MIGRATIONS_THEN = 5
const cleanups: (() => unknown)[] = []

/** Sets the sequences past the ids of the dump's rows. */
const SEQUENCES = ['accounts', 'ledger_transactions', 'postings', 'payments', 'outbox'].map(
  (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select coalesce(max(id), 1) from ${table}))`
)
const FILL = ['set session_replication_role = replica', ...dumpOf('0.1.0'), ...SEQUENCES, 'set session_replication_role = origin']

async function filledPostgres(): Promise<Connection> {
  const url = await freshDatabase(inject('postgresUrl'), { empty: true })
  const { folder, remove } = earlierMigrations(MIGRATIONS_THEN)
  await migratePostgres(url, folder)
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of FILL) await client.query(statement)
  await client.end()
  remove()
  await migratePostgres(url)
  return openPostgres(url, { poolSize: 4, onLost: () => undefined })
}

async function filledEmbedded(): Promise<Connection> {
  const data = mkdtempSync(join(tmpdir(), 'wallet-old-'))
  cleanups.push(() => rmSync(data, { recursive: true, force: true }))
  const { folder, remove } = earlierMigrations(MIGRATIONS_THEN)
  const client = await PGlite.create(join(data, 'pglite'))
  await migrateEmbedded(client, folder)
  for (const statement of FILL) await client.exec(statement)
  await client.close()
  remove()
  return openEmbedded(data)
}

let test: TestApp
beforeAll(async () => {
  const connection = await (process.env.ENGINE === 'postgres' ? filledPostgres() : filledEmbedded())
  test = await createTestApp({ connection })
})
afterAll(async () => {
  await test.close()
  for (const cleanup of cleanups) await cleanup()
})

const all = async <Row>(text: string) => rowsOf<Row>(await test.app.context.db.execute(sql.raw(text)))

describe('a database that version 0.1.0 filled', () => {
  it('migrates, and the books are right', async () => {
    // The worker does it when it starts: that version sold tokens without noting whether there are coins.
    await settleStock(test.app.context)
    const { accounts: _, ...books } = await test.verifyLedger()
    // The house has an account for each connection that booked, so accounts are counted by what they are.
    const [counted] = await all<{ count: number }>(
      'select count(distinct (owner_id, currency, kind))::int as count from accounts'
    )
    expect(counted?.count).toBe(17)
    expect(books).toEqual({ transactions: 12, postings: 21, currencies: 4, problems: [] })
  })

  it('says of every booking what it belongs to and who caused it', async () => {
    const bookings = await all<{ source_type: string; actor: string; count: number }>(
      "select source_type, split_part(actor, ':', 1) as actor, count(*)::int as count from ledger_transactions group by 1, 2 order by 1, 2"
    )
    // Two of that version, and the settled stock of two tokens.
    expect(bookings).toEqual([
      { source_type: 'adjustment', actor: 'system', count: 4 },
      { source_type: 'move', actor: 'customer', count: 2 },
      { source_type: 'order', actor: 'system', count: 3 },
      { source_type: 'payment', actor: 'system', count: 3 }
    ])
  })

  it('keeps its lock, its holders of keys, and the days of its payments and stakes', async () => {
    expect(await all('select email from users where locked_at is not null')).toEqual([{ email: 'eve@example.com' }])
    expect(await all("select distinct split_part(actor, ':', 1) as kind from idempotency_keys")).toEqual([{ kind: 'customer' }])
    expect(await all('select count(*)::int as n from payments where booked_on is null')).toEqual([{ n: 0 }])
    expect(
      await all('select count(*)::int as n from orders where staking_months > 0 and status = 2 and stake_starts_at is null')
    ).toEqual([{ n: 0 }])
  })

  it('sends the mails that waited, and its customers go on as before', async () => {
    test.pass(7200)
    expect((await test.mailsTo('new@example.com')).map(({ subject }) => subject).join()).toContain('is your verification code')
    const answer = await test.send('POST', '/users/signin', {
      body: { email: 'bob@example.com', password: 'correct horse battery' }
    })
    expect(answer.status).toBe(200)
    const { token } = answer.body.data
    const { CPC } = (await test.send('GET', '/users/balance', { token })).body.data
    expect(CPC.wallet.fundingBalance.frozen_balance).toBe('10000000000')
    const moved = await test.send('POST', '/users/balance/transfer-from-funding-to-spot', {
      token,
      body: { currency: 'CPC', amount: '1' }
    })
    expect(moved.status).toBe(200)
    expect((await test.verifyLedger()).problems).toEqual([])
  })
})
