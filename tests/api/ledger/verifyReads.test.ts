/** What a check of the books reads grows with the books, not with accounts times postings. */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { customerAccount, house, lastOrigins, verifyLedger } from '#lib/server/ledger/index.ts'
import { type Database, openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { createTestApp } from '#support/testApp.ts'

const QUIET = 300
const BUSY = 4000

it.skipIf(process.env.ENGINE !== 'postgres')('also where a few accounts have most of the lines', async () => {
  const connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 2, onLost: () => undefined })
  const test = await createTestApp({ connection })
  const gift = (userId: string, kind: 'spot' | 'funding') => ({
    source: house('treasury'),
    destination: customerAccount(userId, kind),
    currency: 'CPC',
    amount: 1000n
  })
  // Those who came first and did nothing since.
  const quiet = await Promise.all(Array.from({ length: QUIET }, () => test.customer()))
  await test.adjust(quiet.map(({ userId }) => gift(userId, 'spot')))
  const busy = await test.customer()
  for (let done = 0; done < BUSY; done += 500) await test.adjust(Array.from({ length: 500 }, () => gift(busy.userId, 'funding')))
  await connection.db.execute(sql`analyze`)
  const read = (work: (db: Database) => Promise<unknown>) =>
    connection.db.transaction(async (tx) => {
      const fetched = async () =>
        Number(
          rowsOf<{ rows: string }>(
            await tx.execute(sql`select idx_tup_fetch::text as rows from pg_stat_xact_user_tables where relname = 'postings'`)
          )[0]?.rows
        )
      const before = await fetched()
      await work(tx as unknown as Database)
      return (await fetched()) - before
    })
  const verified = await read(async (db) => expect((await verifyLedger(db, ledgerChecks)).problems).toEqual([]))
  expect(verified).toBeLessThan(5 * (QUIET + BUSY))
  const owners = quiet.slice(0, 20).map(({ userId }) => ({ userId, currency: 'CPC' }))
  expect(await read((db) => lastOrigins(db, owners))).toBeLessThan(500)
  await test.close()
})

it.skipIf(process.env.ENGINE !== 'postgres')('may take longer than a customer would wait', async () => {
  const connection = await openPostgres(await freshDatabase(inject('postgresUrl')), { poolSize: 2, onLost: () => undefined })
  const asked = [connection.db, connection.longDb].map((db) => db.execute(sql`select pg_sleep(5.2)`))
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await connection.close()
})
