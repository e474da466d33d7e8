/** What callers hear while the database is slow, takes no writes, or changes under a page. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { statementOnce } from '#lib/server/platform/db/builtOnce.ts'
import { type Executor, openPostgres } from '#lib/server/platform/db/client.ts'
import { isGivenUp } from '#lib/server/platform/db/faults.ts'
import { reading } from '#lib/server/platform/db/pageReads.ts'
import { freshDatabase } from '#support/databases.ts'
import { createTestApp } from '#support/testApp.ts'

const POOL = 10
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const onPostgres = it.skipIf(process.env.ENGINE !== 'postgres')

async function opened() {
  const url = await freshDatabase(inject('postgresUrl'))
  const connection = await openPostgres(url, { poolSize: POOL, onLost: () => undefined })
  const other = new pg.Client(url)
  await other.connect()
  cleanups.push(() => connection.close())
  cleanups.push(() => other.end())
  return { url, connection, other }
}

const counting = statementOnce(
  'counting_sessions',
  () => sql`select count(*)::int as n from sessions where id::text <> ${sql.placeholder('x')}`
)

onPostgres.each(['quick', 'page'])(
  'a statement that waits too long is given up, with all that wait for its plan (%s)',
  async (way) => {
    const { connection, other } = await opened()
    await other.query('begin')
    await other.query('lock table sessions in access exclusive mode')
    const { quickDb, db } = connection
    const ask = (x: number) =>
      way === 'quick' ? counting(quickDb, { x: String(x) }) : reading(() => counting(db, { x: String(x) }))
    const answers = await Promise.allSettled([1, 2, 3, 4].map(ask))
    await other.query('rollback')
    expect(answers.map((answer) => answer.status === 'rejected' && isGivenUp(answer.reason))).toEqual([true, true, true, true])
  }
)

/** Asks more pairs of questions at the same moment than the connections of a database keep plans of. */
async function askManyPairs(db: Executor): Promise<void> {
  const questions = Array.from(
    { length: 22 },
    (_, index) => () => db.execute(sql`select ${index}::int as ${sql.raw(`n${index}`)}`)
  )
  for (const one of questions) await reading(one)
  for (const [index, one] of questions.entries())
    for (const other of questions.slice(index + 1)) await reading(() => Promise.all([one(), other()]))
}

onPostgres('a column that changes its type under a page leaves no promise that nobody holds', async () => {
  // What another database of this process is asked changes nothing.
  await askManyPairs((await opened()).connection.db)
  const { connection, other } = await opened()
  const { db } = connection
  for (const text of [
    'create table good (id int, name text)',
    'create table changing (id int, figure text)',
    "insert into good values (1, 'a')",
    "insert into changing values (1, '9')"
  ])
    await other.query(text)
  const good = () => db.execute(sql`select name from good where id = ${1}`)
  const changing = () => db.execute(sql`select figure from changing where id = ${1}`)
  const both = () => reading(() => Promise.allSettled([good(), changing()]))
  const unheld: unknown[] = []
  const keep = (error: unknown) => unheld.push(error)
  process.on('unhandledRejection', keep)
  cleanups.push(() => process.off('unhandledRejection', keep))
  // Nothing is free in the pool, which would answer what failed together. First, because a page's connection that is idle for long is closed.
  const end = Promise.withResolvers<void>()
  let holding = 0
  const busy = Array.from({ length: POOL }, () =>
    db.transaction(async (tx: Executor) => {
      await tx.execute(sql`select 1`)
      holding += 1
      await end.promise
    })
  )
  await vi.waitUntil(() => holding === POOL, { timeout: 20_000 })
  for (let asked = 0; asked < 3; asked += 1)
    expect((await both()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await other.query('alter table changing alter figure type integer using figure::integer')
  const answers = await both()
  await pause(300)
  end.resolve()
  await Promise.all(busy)
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(unheld).toEqual([])
  expect((await both()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

onPostgres('calls that change nothing answer while the database takes no writes', async () => {
  const { url, connection, other } = await opened()
  const test = await createTestApp({ env: { ROLE: 'web' }, connection })
  const { token } = await test.customer()
  const paths = ['/users/balance', '/users/profile', '/users/activity', '/orders/combo']
  for (const path of paths) expect((await test.send('GET', path, { token })).status, path).toBe(200)
  const name = new URL(url).pathname.slice(1)
  await other.query(`alter database "${name}" set default_transaction_read_only = on`)
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )
  await pause(500)
  for (const path of paths) expect((await test.send('GET', path, { token })).status, path).toBe(200)
  expect((await test.send('GET', '/users/activity', { token: 'no.such.token' })).status).toBe(401)
})
