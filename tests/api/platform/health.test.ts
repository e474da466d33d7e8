/** Silence is a fault: what stops without an error is found, logged once, and forgotten when it goes on. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#lib/server/app/config.ts'
import { verifyAuditLog, verifyBooks } from '#lib/server/app/daily.ts'
import { type Fault, faultsOf, healthJobs, watchHealth } from '#lib/server/app/health.ts'
import { stopChain } from '#lib/server/chains/index.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { signHead } from '#lib/server/staff/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { chainsOf } from '#support/chains.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let errors: unknown[]
beforeEach(async () => {
  test = await createTestApp()
  errors = []
})
afterEach(() => test.close())

const context = () =>
  ({ ...test.app.context, log: { ...test.app.context.log, error: (...words: unknown[]) => errors.push(words) } }) as never
const { owedMost } = readConfig({}).withdrawals
const faults = async () => (await faultsOf(test.app.context, owedMost)).map(({ name }: Fault) => name)
const execute = (text: string) => test.app.context.db.execute(sql.raw(text))

describe('what is silent', () => {
  it('is nothing in a new installation', async () => {
    expect(await faults()).toEqual([])
  })

  it.each(['worker', 'signer'])('is a %s without a heartbeat for five minutes', async (role) => {
    await healthJobs(test.app.context, owedMost, { signerKey: '', link: '' })
      .find(({ name }) => name === `heartbeat_${role}`)
      ?.run({}, undefined as never)
    test.pass(300)
    expect(await faults()).toEqual([])
    test.pass(1)
    expect(await faults()).toEqual([`role:${role}`])
  })

  it.each([
    ['bitcoin', 3600],
    ['ethereum', 72],
    ['cpc', 360]
  ] as const)(
    'is a node of %s without a new block for six intervals, unless an operator has stopped the chain',
    async (chain, seconds) => {
      await chainsOf(test).follow(chain)
      test.pass(seconds)
      expect(await faults()).toEqual([])
      test.pass(1)
      expect(await faults()).toEqual([`blocks:${chain}`])
      await stopChain(test.app.context, chain, { actor: { kind: 'staff', id: 'grace' }, why: 'Maintenance' })
      expect(await faults()).toEqual([])
    }
  )

  it('is a signer that signs no head of the audit log, and a log that is broken until it is right', async () => {
    const { headSigner } = test.app.chains
    if (!headSigner) throw new Error('The test has the seed')
    await execute(`select staff_audit_append('${test.app.context.clock().toISOString()}', 'system:test', 'test', 'x', 'x', '{}')`)
    test.pass(20 * 60)
    expect(await faults()).toEqual([])
    test.pass(1)
    expect(await faults()).toEqual(['audit_head'])
    await signHead(test.app.context, headSigner)
    expect(await faults()).toEqual([])
    const verify = () => verifyAuditLog(context(), headSigner.publicKey)
    await verify()
    expect(await faults()).toEqual([])
    await behindTheBack(test.app.context.db, sql`update staff_audit set why = 'y' where id = 1`)
    await verify()
    await verify()
    expect(errors.filter((words) => String(words).includes('audit log is BROKEN'))).toHaveLength(1)
    expect(await faults()).toEqual(['audit'])
    await behindTheBack(test.app.context.db, sql`update staff_audit set why = 'x' where id = 1`)
    await verify()
    expect(await faults()).toEqual([])
  })

  it('is a comparison of coins and books that has not been possible for three hours', async () => {
    await execute(`insert into heartbeats values ('custody:cpc', '${test.app.context.clock().toISOString()}')`)
    test.pass(3 * 3600 + 1)
    expect(await faults()).toEqual(['custody:cpc'])
  })

  it('is a recurring job that failed five times in a row', async () => {
    const job = (tries: number) =>
      execute(
        `insert into jobs (kind, key, payload, run_at, tries, created_at, last_error) values ('bank', 'bank', '{}', now(), ${tries}, now(), 'no folder')
         on conflict (key) do update set tries = excluded.tries`
      )
    await job(4)
    expect(await faults()).toEqual([])
    await job(5)
    expect(await faultsOf(test.app.context, owedMost)).toEqual([
      { name: 'job:bank', says: 'the job bank has failed 5 times in a row: no folder' }
    ])
  })
})

it('the fund of fees below zero is a fault', async () => {
  const { userId } = await test.customer()
  await test.adjust([{ source: house('fees'), destination: customerAccount(userId, 'spot'), currency: 'ETH', amount: 1n }])
  expect(await faults()).toEqual(['fees:ETH'])
})

it('a fault is logged once, and again when it comes back', async () => {
  const { userId } = await test.customer()
  const move = (from: 'fees' | 'spot') => {
    const [fees, spot] = [house('fees'), customerAccount(userId, 'spot')]
    return test.adjust([
      { source: from === 'fees' ? fees : spot, destination: from === 'fees' ? spot : fees, currency: 'ETH', amount: 1n }
    ])
  }
  await move('fees')
  for (const _ of [1, 2, 3]) await watchHealth(context(), owedMost)
  expect(errors).toEqual([[{ fault: 'fees:ETH' }, 'the fund of fees is below zero: -0.000000000000000001 ETH']])
  await move('spot')
  await watchHealth(context(), owedMost)
  await move('fees')
  await watchHealth(context(), owedMost)
  expect(errors).toHaveLength(2)
})

it('books that are wrong are a fault once the daily check has found it, until they are right', async () => {
  const { userId } = await test.customer()
  await test.adjust([{ source: house('treasury'), destination: customerAccount(userId, 'spot'), currency: 'CPC', amount: 5n }])
  await verifyBooks(context())
  expect(await faults()).toEqual([])
  const change = (by: number) =>
    behindTheBack(
      test.app.context.db,
      sql`update accounts set balance = balance + ${by} where owner_id = ${userId} and kind = 'spot'`
    )
  await change(1)
  await verifyBooks(context())
  await verifyBooks(context())
  expect(await faults()).toEqual(['ledger'])
  expect(errors).toHaveLength(1)
  await watchHealth(context(), owedMost)
  expect(await faults(), 'kept by the other check').toEqual(['ledger'])
  await change(-1)
  await verifyBooks(context())
  expect(await faults()).toEqual([])
})
