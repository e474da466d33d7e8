/** Payments that no block takes, at the desk: orders signed by passkeys, which the signer checks by itself. */
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { broadcastDue, type ChainNode, NodeError, replaceStuck } from '#lib/server/chains/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const why = 'It has waited for hours'
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let desk: ReturnType<typeof deskOf>
let finn: Member
let fred: Member
let fay: Member
let customer: Customer
let id: string

beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
  desk = deskOf(test)
  const admins = await desk.admins()
  finn = await desk.member(admins, 'Finn', ['finance'])
  fred = await desk.member(admins, 'Fred', ['finance'])
  fay = await desk.member(admins, 'Fay', ['compliance'])
})
beforeEach(async () => {
  test.pass(24 * 3600)
  for (const one of [finn, fred, fay]) await desk.signIn(one)
  customer = await test.customer()
  await w.fund(customer, 'ETH', units('ETH', 0.5))
  id = await w.confirmed(customer, 'ETH', units('ETH', 0.1))
  await w.follow('ethereum')
  await signApproved(test.app.context, test.app.chains.withdrawals, await signing())
  const node = await test.app.ports.chainNode('ethereum')
  const refusing: ChainNode = { ...node, broadcast: () => Promise.reject(new NodeError('mempool min fee not met')) }
  await broadcastDue(test.app.context, refusing)
  test.pass(301)
  await w.fault('ethereum', { priceTimes: 100 })
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

async function signing() {
  const { signingOf } = test.app.chains
  if (!signingOf) throw new Error('The test has the seed')
  return signingOf('ethereum')
}
const list = async () => (await finn.call('listWithdrawals')).body.data.stuck
const order = (by: Member, kind: 'bumpPayment' | 'cancelPayment', most = '0.05') =>
  by.call(kind, { params: { id }, body: { most, why } })
async function attemptsNow(): Promise<number> {
  await replaceStuck(test.app.context, await signing())
  return countOf(sql`select count(*)::int as n from chain_attempts where send_id = ${id}`)
}
async function countOf(query: SQL): Promise<number> {
  const { rows } = (await test.app.context.db.execute(query)) as unknown as { rows: { n: number }[] }
  return rows[0]?.n ?? 0
}
const cancels = () => countOf(sql`select count(*)::int as n from chain_sends where purpose = 'cancel'`)
const finish = async () => {
  await w.fault('ethereum', { priceTimes: 1 })
  await w.carryOut('ETH')
}
const stateOf = async () => (await w.list(customer))[0]

describe('a payment that no block takes', () => {
  it('is shown with its attempts, its fee and the cap', async () => {
    expect(await list()).toEqual([
      expect.objectContaining({ id, purpose: 'withdrawal', currency: 'ETH', attempts: 1, mayOrder: true, orders: [] })
    ])
    await finish()
    expect(await list()).toEqual([])
  })

  it('pays more than our cap once two persons have ordered the same', async () => {
    expect((await order(fay, 'bumpPayment')).body.code).toBe('right_missing')
    expect((await order(finn, 'bumpPayment')).body.data.message).toContain('Another person')
    expect((await order(finn, 'bumpPayment')).body.code).toBe('approved_by_you')
    expect(await attemptsNow()).toBe(1)
    // Another fee is another order.
    expect((await order(fred, 'bumpPayment', '0.04')).body.data.message).toContain('Another person')
    expect(await attemptsNow()).toBe(1)
    expect((await order(fred, 'bumpPayment')).body.data.message).toContain('next run')
    expect((await list())[0].orders).toContainEqual(expect.objectContaining({ persons: 2, personsNeeded: 2, actor: 'Fred' }))
    expect(await attemptsNow()).toBe(2)
    await finish()
    expect(await stateOf()).toMatchObject({ state: 'confirmed' })
  })

  it('within the cap is bumped by one person at once', async () => {
    await w.fault('ethereum', { priceTimes: 1 })
    test.pass(-200)
    expect((await order(finn, 'bumpPayment', '0.0001')).body.data.message).toContain('next run')
    expect(await attemptsNow()).toBe(2)
    test.pass(200)
    await finish()
  })

  it('is taken back by two persons, and by no row alone', async () => {
    await order(finn, 'cancelPayment')
    // The same signature under another name is still one person.
    await behindTheBack(
      test.app.context.db,
      sql`insert into chain_orders (send_id, kind, most_fee, actor, why, passkey, ordered_at)
        select send_id, kind, most_fee, ${`staff:${fred.id}`}, why, passkey, ordered_at from chain_orders where send_id = ${id}`
    )
    await attemptsNow()
    expect(await cancels()).toBe(0)
    await behindTheBack(
      test.app.context.db,
      sql`delete from chain_orders where actor = ${`staff:${fred.id}`} and send_id = ${id}`
    )
    expect((await order(fred, 'cancelPayment')).status).toBe(200)
    await attemptsNow()
    expect(await cancels()).toBe(1)
    // Its place is taken: a higher fee for it would work against us, also once the order is over.
    test.pass(31 * 3600)
    await w.fault('ethereum', { priceTimes: 1 })
    expect(await attemptsNow()).toBe(1)
    await broadcastDue(test.app.context, await test.app.ports.chainNode('ethereum'))
    await w.mine('ethereum', 13)
    expect(await stateOf()).toMatchObject({ state: 'given_back' })
  })

  it('is not ordered about twice two minutes later, with other values, or when it is over', async () => {
    const values = { params: { id }, body: { most: '0.05', why } }
    const passkey = await finn.confirm('bumpPayment', values)
    expect((await finn.callWith('bumpPayment', { params: { id }, body: { most: '0.5', why } }, passkey)).body.code).toBe(
      'passkey_late'
    )
    expect((await order(finn, 'bumpPayment', 'much')).body.fields).toEqual({ most: 'An amount, e.g. 0.002.' })
    await finish()
    // The question to the passkey is refused already.
    const asked = { call: 'cancelPayment', ...values }
    const refused = await desk.raw({ path: '/passkey', body: asked, cookie: finn.cookie })
    expect(refused.body.code).toBe('payment_not_stuck')
  })

  it('is found among made-up rows of the same key, and one answer copied counts once', async () => {
    expect((await order(finn, 'bumpPayment')).body).toMatchObject({ data: {} })
    expect((await order(fred, 'bumpPayment')).body).toMatchObject({ data: {} })
    await behindTheBack(
      test.app.context.db,
      sql`insert into chain_orders (send_id, kind, most_fee, actor, why, passkey, ordered_at)
        select send_id, kind, most_fee, actor, 'x', passkey || jsonb_build_object('nonce', 'made up ' || n), '2099-01-01' from chain_orders, generate_series(1, 15) n
        where send_id = ${id} and actor = ${`staff:${finn.id}`}`,
      sql`insert into chain_orders (send_id, kind, most_fee, actor, why, passkey, ordered_at)
        select send_id, 'cancel', most_fee, ${`staff:${fred.id}`}, 'x', passkey, '2099-01-01' from chain_orders where send_id = ${id} and actor = ${`staff:${finn.id}`} and why <> 'x' limit 1`
    )
    expect(await attemptsNow()).toBe(2)
    expect(await attemptsNow(), 'a moment of the database makes it no newer').toBe(2)
    await finish()
  })

  it('is not ordered by a person who was stopped before the second one', async () => {
    await order(finn, 'bumpPayment')
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = now() where id = ${finn.id}`)
    expect((await order(fred, 'bumpPayment')).body.data.message).toContain('Another person')
    expect(await attemptsNow()).toBe(1)
    await behindTheBack(test.app.context.db, sql`update staff set stopped_at = null where id = ${finn.id}`)
    await finish()
  })
})
