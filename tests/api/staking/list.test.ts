/** The list of packages with staking, its total, and the details of one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillFund, payDue } from '#lib/server/staking/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
/** PTC packages of this release: 1,000 and 2,500 dollars. */
const CONFIGS = { plain: 82, year: 83, twoYears: 84, larger: 86 } as const

let test: TestApp
let customer: Customer
let other: Customer
const ids = { completed: '', larger: '', pending: '', theirs: '' }

const order = async (who: Customer, comboConfigId: number) => {
  const { body } = await test.send('POST', '/orders/combo', { token: who.token, body: { comboConfigId, bankAccountId: 1 } })
  return body.data as { id: string; euroToPay: string }
}
const pay = ({ id, euroToPay }: { id: string; euroToPay: string }) =>
  test.arrive({ remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
const list = (query: Record<string, string | number> = {}, who = customer) => test.ask(who, 'listStakes', { query })
const names = async (query: Record<string, string | number>) =>
  (await list(query)).results.map(({ orderId }: { orderId: string }) => orderId)

beforeAll(async () => {
  test = await createTestApp()
  customer = await test.customer({ email: 'grace.hopper@example.com' })
  other = await test.customer()
  const completed = await order(customer, CONFIGS.twoYears)
  await pay(completed)
  test.pass(60)
  const larger = await order(customer, CONFIGS.larger)
  await test.send('PATCH', `/orders/combo/${larger.id}/purchase`, { token: customer.token, body: {} })
  test.pass(60)
  const pending = await order(customer, CONFIGS.year)
  await pay(await order(customer, CONFIGS.plain))
  const theirs = await order(other, CONFIGS.year)
  await pay(theirs)
  Object.assign(ids, { completed: completed.id, larger: larger.id, pending: pending.id, theirs: theirs.id })
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

describe('the list', () => {
  it('has the packages with staking alone, newest first, of this customer', async () => {
    const { results, total } = await list()
    expect(results.map(({ orderId }: { orderId: string }) => orderId)).toEqual([ids.pending, ids.larger, ids.completed])
    expect(total).toBe(3)
    expect(results[2]).toMatchObject({
      name: 'PTC 1,000',
      email: 'grace.hopper@example.com',
      status: 2,
      fiatAmount: '1000.00',
      currency: 'PTC',
      units: '111111111111111',
      months: 24,
      rate: 1800
    })
  })

  it('is sorted by date and amount, both ways', async () => {
    expect(await names({ direction: 'asc' })).toEqual([ids.completed, ids.larger, ids.pending])
    expect(await names({ sort: 'amount' })).toEqual([ids.larger, ids.pending, ids.completed])
    expect(await names({ sort: 'amount', direction: 'asc' })).toEqual([ids.completed, ids.pending, ids.larger])
    expect(await names({ limit: 1, offset: 1 })).toEqual([ids.larger])
  })

  it('is filtered by status, and by a part of the e-mail address without its white space', async () => {
    expect(await names({ status: 'pending' })).toEqual([ids.pending])
    expect(await names({ status: 'processing' })).toEqual([ids.larger])
    expect(await names({ status: 'completed' })).toEqual([ids.completed])
    expect((await list({ search: ' Grace. hopper @' })).total).toBe(3)
    expect(await list({ search: 'ada@' })).toEqual({ results: [], total: 0 })
    const refused = await test.send('GET', '/orders/staking?status=sold', { token: customer.token })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_fields' } })
  })
})

describe('the details', () => {
  it('have the terms and every payout, and say what was paid', async () => {
    const before = await test.ask(customer, 'getStake', { params: { id: ids.completed } })
    expect(before).toMatchObject({ paid: '0', endsAt: expect.stringMatching(/^2028-11/) })
    expect(before.payouts).toHaveLength(9)
    expect(before.payouts.at(-1)).toMatchObject({ kind: 'principal', units: '111111111111111', paidAt: null })
    const rewards = before.payouts.filter(({ kind }: { kind: string }) => kind === 'reward')
    expect(rewards.reduce((sum: bigint, { units }: { units: string }) => sum + BigInt(units), 0n)).toBe(BigInt(before.reward))

    await fillFund(test.app.context, {
      currency: 'PTC',
      units: 10n ** 15n,
      reference: 'list',
      actor: { kind: 'staff', id: 'test' }
    })
    test.pass(95 * DAY)
    await payDue(test.app.context)
    const after = await test.ask(customer, 'getStake', { params: { id: ids.completed } })
    expect(after.payouts[0].paidAt).not.toBeNull()
    expect(after.paid).toBe(after.payouts[0].units)
    expect(await test.ask(customer, 'getStakingSummary')).toMatchObject({
      staked: [{ currency: 'PTC', units: '111111111111111' }],
      paid: [{ currency: 'PTC', units: after.paid, count: 1, of: 8 }],
      next: { currency: 'PTC', units: after.payouts[1].units, dueAt: after.payouts[1].dueAt, kind: 'reward' }
    })
  })

  it('of an order that is not paid have no schedule yet', async () => {
    expect(await test.ask(customer, 'getStake', { params: { id: ids.larger } })).toMatchObject({
      startsAt: null,
      endsAt: null,
      payouts: [],
      paid: '0'
    })
  })

  it('are nobody else’s', async () => {
    await expect(test.ask(customer, 'getStake', { params: { id: ids.theirs } })).rejects.toMatchObject({
      failure: { code: 'order_not_found' }
    })
  })
})

describe('without a stake', () => {
  it('everything is empty', async () => {
    const fresh = { userId: '00000000-0000-4000-8000-000000000001', email: 'nobody@example.com' }
    expect(await test.ask(fresh, 'getStakingSummary')).toEqual({ staked: [], locked: [], paid: [], next: null, term: null })
    expect(await test.ask(fresh, 'listStakes', {})).toEqual({ results: [], total: 0 })
  })
})
