import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BankEntry } from '#lib/server/payments/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { UnavailableError } from '#lib/server/platform/errors.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

const PTC_1000 = 82
const PTC_1000_12_MONTHS = 83
const CPC_1000 = 19

const createOrder = (customer: Customer, comboConfigId: number, headers = {}) =>
  test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId, bankAccountId: 1 }, headers })
const balanceOf = async (customer: Customer, token: string) =>
  (await test.send('GET', '/users/balance', { token: customer.token })).body.data[token]
const orderOf = async (customer: Customer, id: string) =>
  (await test.send('GET', `/orders/combo/${id}`, { token: customer.token })).body.data

const entry = (order: { id: string; euroToPay: string }, changes: Partial<BankEntry> = {}): Partial<BankEntry> => ({
  entryId: randomUUID(),
  amountCents: BigInt(order.euroToPay.replace('.', '')),
  remittance: `order ${order.id}`,
  ...changes
})
const arrive = (bankEntry: Partial<BankEntry>) => test.arrive(bankEntry)

describe('the packages', () => {
  it('are those of the current release, with what they cost and bring', async () => {
    const cpc = await test.send('GET', '/orders/combo/config?type=CPC', { token: (await test.customer()).token })
    expect(cpc.body.data).toHaveLength(9)
    expect(cpc.body.data[0]).toMatchObject({
      id: CPC_1000,
      name: 'CPC 1,000',
      price: '1000.00',
      ptc_price: null,
      totalAmount: '1040.00',
      cpcAmount: '2000000000000',
      ptcAmount: '0',
      is_on_sale: true
    })
  })

  it('can be previewed without booking anything', async () => {
    const customer = await test.customer()
    const preview = await test.send('GET', `/orders/combo/preview/${PTC_1000_12_MONTHS}`, { token: customer.token })
    expect(preview.body.data).toMatchObject({
      fiatAmount: '1000.00',
      fiatCurrency: 'USD',
      feeAmount: '40.00',
      totalAmount: '1040.00',
      euroAmount: '920.000000',
      ptcAmount: '111111111111111',
      stakingRateDefault: 1200
    })
    expect((await test.send('GET', '/orders/combo', { token: customer.token })).body.data).toEqual({ results: [], total: 0 })
  })

  it.each([
    ['/orders/combo/preview/9999', 404, 'package_not_found'],
    ['/orders/combo/preview/115', 404, 'package_not_found'],
    ['/orders/combo/preview/1', 409, 'package_not_on_sale'],
    ['/orders/combo/preview/121', 409, 'package_not_on_sale'],
    ['/orders/combo/preview/abc', 422, 'invalid_fields'],
    ['/orders/combo/preview/-1', 422, 'invalid_fields']
  ])('%s answers %i %s', async (path, status, code) => {
    expect(await test.send('GET', path, { token: (await test.customer()).token })).toMatchObject({ status, body: { code } })
  })
})

describe('an order', () => {
  it('is made once, however often and from however many tabs it is asked for', async () => {
    const customer = await test.customer()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => createOrder(customer, PTC_1000, { 'idempotency-key': randomUUID() }))
    )
    expect(new Set(answers.map(({ body }) => body.data.orderComboId)).size).toBe(1)
    expect((await test.send('GET', '/orders/combo', { token: customer.token })).body.data.total).toBe(1)
  })

  it('answers a repeated request with the first answer, and refuses its key for another', async () => {
    const customer = await test.customer()
    const headers = { 'idempotency-key': 'the same' }
    const first = await createOrder(customer, PTC_1000, headers)
    await test.send('PATCH', `/orders/combo/${first.body.data.id}/purchase`, { token: customer.token, body: {} })
    expect((await createOrder(customer, PTC_1000, headers)).body).toEqual(first.body)
    expect(await createOrder(customer, CPC_1000, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' }
    })
    expect((await createOrder(await test.customer(), CPC_1000, headers)).status).toBe(200)
  })

  it('is made anew after a day, at the rates of that day; the old one can still be paid', async () => {
    const customer = await test.customer()
    const first = (await createOrder(customer, CPC_1000)).body.data
    test.pass(25 * 3600)
    const pair = await test.send('POST', '/users/refresh-token', { body: { refreshToken: customer.refreshToken } })
    customer.token = pair.body.data.token
    const second = (await createOrder(customer, CPC_1000)).body.data
    expect(second.id).not.toBe(first.id)
    expect((await arrive(entry(first))).outcome).toBe('matched')
  })

  it("is the customer's own: nobody else reads or confirms it", async () => {
    const order = (await createOrder(await test.customer(), PTC_1000)).body.data
    const stranger = await test.customer()
    expect((await test.send('GET', `/orders/combo/${order.id}`, { token: stranger.token })).body.code).toBe('order_not_found')
    expect((await test.send('PATCH', `/orders/combo/${order.id}/purchase`, { token: stranger.token, body: {} })).body.code).toBe(
      'order_not_found'
    )
  })

  it('becomes processing when the customer says paid, once or twice', async () => {
    const customer = await test.customer()
    const { id } = (await createOrder(customer, PTC_1000)).body.data
    const answers = await Promise.all(
      [1, 2].map(() => test.send('PATCH', `/orders/combo/${id}/purchase`, { token: customer.token, body: { orderComboId: id } }))
    )
    expect(answers.map(({ body }) => body.data.status)).toEqual([1, 1])
  })

  it('answers a repeat even when the package is no longer on sale and the rates are away', async () => {
    let works = true
    const own = await createTestApp({
      ports: (ports) => ({
        ...ports,
        rates: { current: async () => (works ? ports.rates.current() : Promise.reject(new UnavailableError('away'))) }
      })
    })
    const customer = await own.customer()
    const request = (headers: Record<string, string>) =>
      own.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: PTC_1000, bankAccountId: 1 }, headers })
    const first = await request({ 'idempotency-key': 'one' })
    works = false
    expect((await request({ 'idempotency-key': 'one' })).body).toEqual(first.body)
    expect(await request({ 'idempotency-key': 'two' })).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await request({ 'idempotency-key': 'x'.repeat(201) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' }
    })
    await own.close()
  })

  it('is confirmed by its own id alone', async () => {
    const customer = await test.customer()
    const { id } = (await createOrder(customer, PTC_1000)).body.data
    const answer = await test.send('PATCH', `/orders/combo/${id}/purchase`, {
      token: customer.token,
      body: { orderComboId: 'RF18539007547034' }
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_fields' } })
  })

  it('lists newest first, by pages', async () => {
    const customer = await test.customer()
    for (const configId of [82, 85, 88]) {
      test.pass(1)
      await createOrder(customer, configId)
    }
    const page = await test.send('GET', '/orders/combo?limit=2&offset=1', { token: customer.token })
    expect(page.body.data.total).toBe(3)
    expect(page.body.data.results.map(({ comboConfigId }: { comboConfigId: number }) => comboConfigId)).toEqual([85, 82])
    expect((await test.send('GET', '/orders/combo?limit=601', { token: customer.token })).status).toBe(422)
  })
})

describe('a payment that arrives', () => {
  it('completes its order: price fixed with source and time, tokens credited, mail sent', async () => {
    const customer = await test.customer()
    const order = (await createOrder(customer, CPC_1000)).body.data
    test.pass(100)
    const payment = await arrive(entry(order))
    expect(payment).toMatchObject({ outcome: 'matched', orderId: order.id })
    const completed = await orderOf(customer, order.id)
    const now = test.app.context.clock().toISOString()
    expect(completed).toMatchObject({
      status: 2,
      completedAt: now,
      priceFixedAt: now,
      priceSource: 'sandbox',
      cpcAverageWeightPrice: '0.05',
      cpcAmount: '2000000000000'
    })
    expect(await balanceOf(customer, 'CPC')).toMatchObject({
      mainBalance: '2000000000000',
      totalBalance: '2000000000000',
      stakedBalance: '0'
    })
    expect((await test.mailsTo(customer.email))[0]).toMatchObject({
      subject: expect.stringContaining(`Your order ${order.id} is completed`),
      text: expect.stringContaining('20,000 CPC')
    })
  })

  it('locks the tokens where staking was chosen', async () => {
    const customer = await test.customer()
    const order = (await createOrder(customer, PTC_1000_12_MONTHS)).body.data
    await test.send('PATCH', `/orders/combo/${order.id}/purchase`, { token: customer.token, body: {} })
    await arrive(entry(order))
    expect(await balanceOf(customer, 'PTC')).toMatchObject({
      mainBalance: '0',
      totalBalance: '111111111111111',
      stakedBalance: '111111111111111'
    })
    const [stake] = rowsOf<{ months: number; units: string }>(
      await test.app.context.db.execute(sql`select months, units::text from stakes where order_id = ${order.id}`)
    )
    expect(stake).toEqual({ months: 12, units: '111111111111111' })
    expect((await orderOf(customer, order.id)).stakingEndsAt.slice(0, 7)).toBe('2027-11')
  })

  it('computes CPC at the price of the moment it was received', async () => {
    let price = '0.05'
    const moving = await createTestApp({
      ports: (ports) => ({
        ...ports,
        rates: {
          current: async () => ({
            ...(await ports.rates.current()),
            pricesUsd: { values: { CPC: price }, source: 'market', at: new Date(0) }
          })
        }
      })
    })
    const customer = await moving.customer()
    const order = (
      await moving.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: CPC_1000, bankAccountId: 1 } })
    ).body.data
    expect(order.cpcAmount).toBe('2000000000000')
    price = '0.03'
    await moving.arrive(entry(order))
    const completed = (await moving.send('GET', `/orders/combo/${order.id}`, { token: customer.token })).body.data
    expect(completed).toMatchObject({ cpcAverageWeightPrice: '0.03', cpcAmount: '3333333333333', priceSource: 'market' })
    await moving.close()
  })

  it('books the euro: the fee apart from what pays for the tokens', async () => {
    const order = (await createOrder(await test.customer(), PTC_1000)).body.data
    await arrive(entry(order))
    const rows = rowsOf<{ kind: string; amount: string }>(
      await test.app.context.db.execute(sql`
        select d.kind, p.amount::text from postings p
        join ledger_transactions t on t.id = p.transaction_id join accounts d on d.id = p.destination_id
        where t.reference = ${`order:${order.id}`} order by p.id`)
    )
    expect(rows).toEqual([
      { kind: 'treasury', amount: '92000' },
      { kind: 'fees', amount: '3680' },
      { kind: 'spot', amount: '111111111111111' }
    ])
  })

  it('rewards the inviter in the same transaction', async () => {
    const inviter = await test.customer()
    const { referralCode } = (await test.send('GET', '/users/profile', { token: inviter.token })).body.data
    const customer = await test.customer({ referralCode })
    await arrive(entry((await createOrder(customer, PTC_1000)).body.data))
    expect((await balanceOf(inviter, 'CPC')).rewardBalance).toBe('100000000000')
  })

  it.each([
    ['less', { amountCents: 95_679n }, 'amount_too_low'],
    ['more', { amountCents: 95_681n }, 'amount_too_high'],
    ['with a mangled reference', { remittance: 'order RF00123456789012' }, 'unknown_reference'],
    ['without a reference', { remittance: '' }, 'unknown_reference'],
    ['in another currency', { currency: 'CHF' }, 'wrong_currency']
  ])('%s is kept with its reason, credits nothing, and the order stays open', async (_, changes, outcome) => {
    const customer = await test.customer()
    const order = (await createOrder(customer, PTC_1000)).body.data
    expect((await arrive(entry(order, changes))).outcome).toBe(outcome)
    expect((await orderOf(customer, order.id)).status).toBe(0)
    expect((await balanceOf(customer, 'PTC')).totalBalance).toBe('0')
    expect((await arrive(entry(order))).outcome).toBe('matched')
  })

  it('twice credits once; the second is kept as already paid', async () => {
    const customer = await test.customer()
    const order = (await createOrder(customer, PTC_1000)).body.data
    const outcomes = await Promise.all([arrive(entry(order)), arrive(entry(order)), arrive(entry(order))])
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['matched', 'order_already_paid', 'order_already_paid'])
    expect((await balanceOf(customer, 'PTC')).mainBalance).toBe('111111111111111')
  })

  it('delivered again by the bank is booked once', async () => {
    const customer = await test.customer()
    const order = (await createOrder(customer, PTC_1000)).body.data
    const same = entry(order)
    const payments = await Promise.all(Array.from({ length: 5 }, () => arrive(same)))
    expect(new Set(payments.map(({ id }) => id)).size).toBe(1)
    expect((await balanceOf(customer, 'PTC')).mainBalance).toBe('111111111111111')
  })

  it('after seven days is kept as unmatched: its rate no longer applies', async () => {
    const customer = await test.customer()
    const order = (await createOrder(customer, PTC_1000)).body.data
    expect(order.payableUntil).toBe(new Date(Date.parse(order.createdAt) + 7 * 86_400_000).toISOString())
    test.pass(8 * 86_400)
    expect((await arrive(entry(order))).outcome).toBe('quote_expired')
  })

  it('leaves everything as it was when the prices cannot be had, and is booked when they can', async () => {
    let works = true
    const broken = await createTestApp({
      ports: (ports) => ({
        ...ports,
        rates: {
          current: async () => {
            if (!works) throw new Error('prices are down')
            return ports.rates.current()
          }
        }
      })
    })
    const customer = await broken.customer()
    const order = (
      await broken.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: CPC_1000, bankAccountId: 1 } })
    ).body.data
    const same = entry(order)
    works = false
    await expect(broken.arrive(same)).rejects.toThrow('prices are down')
    works = true
    expect((await broken.send('GET', `/orders/combo/${order.id}`, { token: customer.token })).body.data.status).toBe(0)
    expect((await broken.arrive(same)).outcome).toBe('matched')
    await broken.close()
  })
})
