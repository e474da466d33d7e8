import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
})
beforeEach(async () => {
  customer = await test.customer()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

const order = async () =>
  (await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 19, bankAccountId: 1 } })).body.data
const cancel = (id: string, token = customer.token) => test.send('POST', `/orders/combo/${id}/cancel`, { token, body: {} })
const announce = (id: string) => test.send('PATCH', `/orders/combo/${id}/purchase`, { token: customer.token, body: {} })
const list = () => test.ask(customer, 'listOrders')
const pay = ({ id, euroToPay }: { id: string; euroToPay: string }) =>
  test.arrive({ amountCents: BigInt(euroToPay.replace('.', '')), remittance: id })

describe('an order that is not announced', () => {
  it('can be cancelled, twice with the same outcome, and the next preview makes a new one', async () => {
    const first = await order()
    expect((await cancel(first.id)).body.data).toMatchObject({ status: 0, cancelledAt: expect.any(String) })
    expect((await cancel(first.id)).status).toBe(200)
    expect((await order()).id).not.toBe(first.id)
  })

  it('leaves the list after 24 hours, and its exact payment still completes it and brings it back', async () => {
    const made = await order()
    expect(await list()).toMatchObject({ total: 1 })
    test.pass(24 * 3600 + 1)
    expect(await list()).toMatchObject({ total: 0, results: [] })
    expect((await test.ask(customer, 'listActivity')).lines).toEqual([])
    expect((await pay(made)).outcome).toBe('matched')
    expect(await list()).toMatchObject({ total: 1, results: [{ id: made.id, status: 2 }] })
  })

  it('that was cancelled is completed by its payment all the same', async () => {
    const made = await order()
    await cancel(made.id)
    expect((await pay(made)).outcome).toBe('matched')
    expect((await list()).results[0]).toMatchObject({ id: made.id, status: 2 })
  })
})

describe('cancelling is refused', () => {
  it('once the order is announced or paid', async () => {
    const made = await order()
    await announce(made.id)
    expect(await cancel(made.id)).toMatchObject({ status: 409, body: { code: 'order_not_cancellable' } })
    await pay(made)
    expect(await cancel(made.id)).toMatchObject({ status: 409 })
  })

  it('for somebody else’s order, which does not exist for them', async () => {
    const made = await order()
    const other = await test.customer()
    expect(await cancel(made.id, other.token)).toMatchObject({ status: 404, body: { code: 'order_not_found' } })
    expect((await list()).results[0].cancelledAt).toBeNull()
  })

  it('and a cancelled order cannot be announced', async () => {
    const made = await order()
    await cancel(made.id)
    expect(await announce(made.id)).toMatchObject({ status: 409, body: { code: 'order_cancelled' } })
  })

  it('where the customer announces and cancels at once: one of both counts', async () => {
    const made = await order()
    await Promise.all([announce(made.id), cancel(made.id)])
    const [shown] = (await list()).results
    expect([shown.status === 1, shown.cancelledAt !== null].filter(Boolean)).toHaveLength(1)
  })
})

it('an announced order says when, and by when a regular transfer has arrived, over a weekend too', async () => {
  const made = await order()
  // A Saturday: the third business day is the Wednesday after it.
  const { data } = (await announce(made.id)).body
  expect(data.announcedAt).toMatch(/^20/)
  const days = (Date.parse(data.arrivesBy) - Date.parse(data.announcedAt)) / 86_400_000
  expect(days).toBeGreaterThanOrEqual(3)
  expect([0, 6]).not.toContain(new Date(data.arrivesBy).getUTCDay())
  const [mail] = await test.mailsTo(customer.email)
  expect(mail?.subject).toContain('We are waiting for €956.80')
  await announce(made.id)
  expect((await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('We are waiting'))).toHaveLength(1)
})
