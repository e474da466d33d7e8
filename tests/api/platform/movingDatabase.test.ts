/** A database that dies, moves or loses its standby while it is asked to commit: nothing is lost, nothing is done twice, nobody is misled. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { isLost, isOutcomeUnknown, isUnreachable } from '#lib/server/platform/db/faults.ts'
import { reads } from '#lib/server/platform/db/outcome.ts'
import { once } from '#lib/server/platform/idempotency.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { freshDatabase } from '#support/databases.ts'
import { type Fault, type MovingDatabase, startMovingDatabase } from '#support/movingDatabase.ts'
import { type Customer, createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'
const MOVE = /from wallet_move\(/
const COMMIT = /^commit/
/** After these the change is made, and the answer is missing. */
const UNANSWERED: Fault[] = ['cut after', 'silent', 'shut down after', 'not replicated']

describe.skipIf(!isPostgres)('a database that moves', () => {
  let database: MovingDatabase
  let direct: string
  let test: TestApp
  let customer: Customer
  beforeAll(async () => {
    direct = await freshDatabase(inject('postgresUrl'))
    database = await startMovingDatabase(direct)
    const connection = await openPostgres(database.url, { poolSize: 10, onLost: () => undefined })
    // Without a worker, whose statements a fault might meet instead.
    test = await createTestApp({ connection, env: { ROLE: 'web' } })
    customer = await test.customer()
    const destination = customerAccount(customer.userId, 'spot')
    await test.adjust([
      { source: house('treasury'), destination, currency: 'CPC', amount: 1000n },
      { source: house('treasury'), destination: customerAccount(customer.userId, 'reward'), currency: 'CPC', amount: 1000n }
    ])
  })
  afterAll(async () => {
    expect((await test.verifyLedger()).problems).toEqual([])
    await test.close()
    await database.close()
  })

  const move = (from: 'spot' | 'reward', key?: string) =>
    test.send('POST', `/users/balance/transfer-from-${from}-to-${from === 'spot' ? 'funding' : 'spot'}`, {
      token: customer.token,
      body: { currency: 'CPC', amount: '10' },
      ...(key && { headers: { 'idempotency-key': key } })
    })
  const fundingNow = async () => (await test.ask(customer, 'getBalance')).CPC.wallet.fundingBalance.total
  const spotNow = async () => BigInt((await test.ask(customer, 'getBalance')).CPC.wallet.spotBalance)

  it.each(UNANSWERED)('says that the outcome is unknown where the answer to a booking is missing: %s', async (fault) => {
    const key = randomUUID()
    const before = BigInt(await fundingNow())
    const happened = database.next(fault, MOVE)
    const first = await move('spot', key)
    await happened
    expect([first.status, first.body.code, first.headers.get('retry-after')]).toEqual([503, 'outcome_unknown', '5'])
    expect(first.body.lookAt).toBeUndefined()
    const again = await move('spot', key)
    expect(again.status).toBe(200)
    expect(BigInt(await fundingNow()) - before).toBe(10n)
  })

  it.each(UNANSWERED.filter((fault) => fault !== 'silent'))('and where the answer to a COMMIT is missing: %s', async (fault) => {
    const key = randomUUID()
    const before = await spotNow()
    const happened = database.next(fault, COMMIT)
    const first = await move('reward', key)
    await happened
    expect([first.status, first.body.code]).toEqual([503, 'outcome_unknown'])
    expect((await move('reward', key)).status).toBe(200)
    expect((await spotNow()) - before).toBe(10n)
  })

  it('an unsent commit is unknown too, and asking again carries it out', async () => {
    const key = randomUUID()
    const before = await spotNow()
    void database.next('cut before', COMMIT)
    expect((await move('reward', key)).body.code).toBe('outcome_unknown')
    expect(await spotNow()).toBe(before)
    expect((await move('reward', key)).status).toBe(200)
    expect((await spotNow()) - before).toBe(10n)
  })

  it('what was done before the fault is not called a failure', async () => {
    const { email } = customer
    const headers = { cookie: customer.browser }
    // The statement after the commit gives back the uses of a limit.
    const happened = database.next('cut before', /update rate_limits set count = greatest/)
    const { status } = await test.send('POST', '/users/signin', { body: { email, password: PASSWORD }, headers })
    await happened
    expect(status).toBe(200)
  })

  it('a repeat commits as a change does: it says "done" only when the standby has the first one', async () => {
    const key = randomUUID()
    const { context } = test.app
    const ask = () => once(context, { kind: 'system', id: 'test' }, { key, call: 'x', body: {} }, async () => 'done')
    await ask()
    const client = new pg.Client(direct)
    await client.connect()
    const wasGivenAnId = async (text: string, values: unknown[]) => {
      await client.query('begin')
      await client.query(text, values)
      const { rows } = await client.query('select pg_current_xact_id_if_assigned() is not null as given')
      await client.query('commit')
      return rows[0].given
    }
    const { rows } = await client.query('select actor, request_hash from idempotency_keys where key = $1', [key])
    const { actor, request_hash: hash } = rows[0]
    expect(await wasGivenAnId('select * from idempotency_keys where key = $1', [key])).toBe(false)
    expect(await wasGivenAnId('select * from idempotency_look($1, $2, $3)', [[actor], [key], [hash]])).toBe(true)
    expect(await wasGivenAnId('select * from idempotency_take($1, $2, $3, now())', [actor, key, hash])).toBe(true)
    const before = await client.query('select pg_current_xact_id()::text::bigint as id')
    expect(await ask()).toBe('done')
    const after = await client.query('select pg_current_xact_id()::text::bigint as id')
    expect(Number(after.rows[0].id) - Number(before.rows[0].id)).toBeGreaterThan(1)
    await client.end()
  })

  it('names where to look for a call without a key', async () => {
    void database.next('cut after', MOVE)
    const { body } = await move('spot')
    expect([body.code, body.lookAt]).toEqual(['outcome_unknown', 'GET /v1/users/balance/statement'])
  })

  it('a statement before the commit has changed nothing: that is a failure', async () => {
    const before = await spotNow()
    void database.next('cut after', /insert into idempotency_keys/)
    const { status, body } = await move('reward', randomUUID())
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(await spotNow()).toBe(before)
  })

  it('a look that got no answer is a failure, not an unknown outcome', async () => {
    void database.next('cut after', /select/)
    const { status, body } = await test.send('GET', '/users/balance', { token: customer.token })
    expect([status, body.code]).toEqual([503, 'unavailable'])
  })

  it.each(['read only', 'shut down after'] as const)('uses no connection again after one was lost: %s', async (fault) => {
    const run = (text: string) => test.app.context.db.execute(sql.raw(text))
    await Promise.all(Array.from({ length: 8 }, () => run('select pg_sleep(0.05)')))
    void database.next(fault, /update idempotency_keys set key = key/)
    const failed = await run('update idempotency_keys set key = key where false').catch((error: unknown) => error)
    expect(isUnreachable(failed)).toBe(true)
    expect(isOutcomeUnknown(failed)).toBe(fault !== 'read only')
    const before = database.opened()
    await Promise.all(Array.from({ length: 4 }, () => run('select pg_sleep(0.05)')))
    expect(database.opened() - before).toBe(4)
  })

  it('a transaction that a standby refused is a failure, and its connection is closed', async () => {
    void database.next('read only', /insert into idempotency_keys/)
    const { status, body } = await move('reward', randomUUID())
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect((await move('reward', randomUUID())).status).toBe(200)
  })

  it('a job whose end is unknown is done once', async () => {
    const runs: string[] = []
    const { context } = test.app
    const { startWorker } = await import('#lib/server/platform/jobs/worker.ts')
    const worker = await startWorker(context, [
      {
        name: 'test_move',
        run: async () => {
          runs.push('ran')
          await transact(context, ({ tx }) =>
            tx.execute(
              sql`insert into idempotency_keys (actor, key, request_hash, created_at) values ('job', 'once', 'x', now()) on conflict do nothing`
            )
          )
        }
      } as never
    ])
    void database.next('cut after', COMMIT)
    await transact(context, ({ enqueue }) => enqueue({ kind: 'test_move', payload: {} } as never)).catch(() => undefined)
    void database.next('cut after', COMMIT)
    await worker.flush()
    test.pass(3600)
    await worker.flush()
    await worker.stop()
    const left = await context.db.execute(sql`select kind, tries from jobs where kind = 'test_move'`)
    expect((left as unknown as { rows: unknown[] }).rows).toEqual([])
    expect(runs.length).toBe(2)
  })
})

it.each([
  ['select "id" from "users" where "id" = $1', true],
  ['select count(*), coalesce(max("a"), 0) from "t" where exists (select 1 from "u") and "x" in ($1)', true],
  ['select ledger_post($1)', false],
  ['select balance, refused from wallet_move($1)', false],
  ['select 1, ledger_post($1)', false],
  ['select case when true then ledger_post($1) end', false],
  ['select * from "t" where f($1)', false],
  ['select a into b from c', false],
  ['with x as (insert into t values (1)) select 1', false],
  ['update "t" set "a" = 1', false]
])('%s reads: %s', (text, isRead) => {
  expect(reads(text)).toBe(isRead)
})

it.each(['ENETUNREACH', 'ECONNABORTED', 'EPIPE', 'EBADF', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
  'any error that is not the server’s own loses the connection: %s',
  (code) => {
    expect(isLost(Object.assign(new Error('broken'), { code }))).toBe(true)
    expect(isLost(Object.assign(new Error('duplicate key'), { code: '23505', severity: 'ERROR' }))).toBe(false)
  }
)

describe.skipIf(!isPostgres)('a server that takes no writes', () => {
  it('is not used, neither for changes nor for listening', async () => {
    const url = await freshDatabase(inject('postgresUrl'))
    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = on`)
    const connection = await openPostgres(url, { poolSize: 2, onLost: () => undefined })
    for (const db of [connection.db, connection.quickDb]) {
      const refused = await db.execute(sql`select 1`).catch((error: unknown) => error)
      expect(isUnreachable(refused)).toBe(true)
    }
    await admin.query(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = off`)
    for (const db of [connection.db, connection.quickDb]) await db.execute(sql`select 1`)
    await connection.close()
    await admin.end()
  })
})

it.skipIf(!isPostgres)('listens on another connection where the database falls silent before the first one listens', async () => {
  const direct = await freshDatabase(inject('postgresUrl'))
  const database = await startMovingDatabase(direct)
  const connection = await openPostgres(database.url, { poolSize: 1, onLost: () => undefined })
  const happened = database.next('silent', /^listen /)
  const heard = Promise.withResolvers<void>()
  const stop = await connection.listen?.('changes', heard.resolve)
  await happened
  await connection.db.execute(sql`notify changes`)
  await heard.promise
  await stop?.()
  await connection.close()
  await database.close()
})
