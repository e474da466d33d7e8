import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdWithdrawals } from '#lib/server/access/index.ts'
import { tendOrders } from '#lib/server/p2p/jobs.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER } from '#support/withdrawals.ts'

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
let seller: Customer
let buyer: Customer
beforeAll(async () => {
  test = await createTestApp()
  p2p = p2pOf(test)
})
beforeEach(async () => {
  seller = await test.customer()
  buyer = await test.customer()
  await p2p.fund(seller, 'CPC', 2000n * COIN)
  await p2p.fund(buyer, 'USDC', 500n * DOLLAR)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

/** The subjects of a customer's mails, without the brand at the end. */
const subjects = async (customer: Customer) =>
  (await test.mailsTo(customer.email)).map(({ subject }) => subject.replace(/ · .*$/, ''))
const own = async (customer: Customer) => test.ask(customer, 'listOwnP2pOrders')

describe('an order', () => {
  it('freezes its amount, stands in the book under a nickname, and gives back what is not sold when it is cancelled', async () => {
    const id = await p2p.listed(seller, { price: '0.0495', smallest: 100n * COIN })
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 1000n * COIN, frozen: 1000n * COIN })
    const [shown] = (await test.ask(buyer, 'listP2pOrders')).filter((order: { id: string }) => order.id === id)
    expect(shown).toMatchObject({
      order_type: 'SELL',
      status: 'PENDING',
      price_per_coin: '0.04950000',
      listed_asset_amount: String(1000n * COIN),
      remaining_asset_amount: String(1000n * COIN),
      smallest_fill_amount: String(100n * COIN),
      gross_settlement_amount: '49500000',
      settlement_fee_amount: '495000',
      is_own: false,
      maker_nickname: expect.stringMatching(/^[A-Z][a-z]+ \d{2,}$/)
    })
    expect(JSON.stringify(shown)).not.toContain(seller.userId)
    expect(await own(seller)).toMatchObject([{ id, is_own: true, maker_user_id: seller.userId, label: 'SELLING' }])

    expect((await p2p.fill(buyer, id, { amount: 400n * COIN })).body.data).toMatchObject({
      assetAmount: String(400n * COIN),
      grossSettlementAmount: '19800000',
      settlementFeeAmount: '198000'
    })
    expect(await p2p.holding(buyer, 'CPC')).toEqual({ spot: 0n, funding: 400n * COIN, frozen: 0n })
    expect((await p2p.holding(buyer, 'USDC')).funding).toBe(500n * DOLLAR - 19_800_000n)
    expect((await p2p.holding(seller, 'USDC')).funding).toBe(19_602_000n)

    expect(await p2p.cancel(buyer, id)).toMatchObject({ status: 404 })
    expect(await p2p.cancel(seller, id)).toMatchObject({
      status: 200,
      body: { data: { message: 'Order cancelled successfully!' } }
    })
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 1600n * COIN, frozen: 0n })
    expect(await p2p.cancel(seller, id)).toMatchObject({ status: 409, body: { code: 'p2p_order_over' } })
    expect(await p2p.fill(buyer, id)).toMatchObject({ status: 409, body: { code: 'p2p_order_over' } })
    expect(await own(seller)).toMatchObject([{ label: 'CANCELLED', status: 'CANCELLED', end_reason: 'owner' }])
    expect(await test.ask(seller, 'listP2pTrades')).toMatchObject([{ label: 'SOLD', settlement_fee_amount: '198000' }])
    expect(await test.ask(buyer, 'listP2pTrades')).toMatchObject([
      { label: 'BOUGHT', settlement_fee_amount: '0', counterpart: shown.maker_nickname }
    ])
  })

  it('is COMPLETED by the fill that takes the rest, and both sides are told and see it in their activity', async () => {
    const id = await p2p.listed(seller)
    await p2p.fill(buyer, id, { amount: 300n * COIN })
    expect((await p2p.fill(buyer, id)).body.data.assetAmount).toBe(String(700n * COIN))
    expect(await own(seller)).toMatchObject([{ status: 'COMPLETED', label: 'SOLD', settlement_fee_amount: '500000' }])
    expect(await subjects(seller)).toEqual(expect.arrayContaining(['You sold 300 CPC', 'You sold 700 CPC']))
    expect(await subjects(buyer)).toEqual(expect.arrayContaining(['You bought 300 CPC', 'You bought 700 CPC']))
    const { lines } = await test.ask(buyer, 'listActivity', { query: { kind: 'trade' } })
    expect(lines).toHaveLength(2)
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'trade', direction: 'in', about: expect.objectContaining({ settled: '15000000' }) }),
        expect.objectContaining({ kind: 'trade', direction: 'in', about: expect.objectContaining({ settled: '35000000' }) })
      ])
    )
  })

  it('takes what funding lacks from spot, on both sides', async () => {
    await p2p.fund(seller, 'CPC', 500n * COIN, 'spot')
    const id = await p2p.listed(seller, { amount: 2400n * COIN })
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 100n * COIN, funding: 0n, frozen: 2400n * COIN })
    const other = await test.customer()
    await p2p.fund(other, 'USDC', 100n * DOLLAR)
    await p2p.fund(other, 'USDC', 20n * DOLLAR, 'spot')
    expect((await p2p.fill(other, id)).status).toBe(200)
    expect(await p2p.holding(other, 'USDC')).toEqual({ spot: 0n, funding: 0n, frozen: 0n })
    expect((await p2p.holding(seller, 'USDC')).funding).toBe((120n * DOLLAR * 99n) / 100n)
  })

  it('is refused with the reason: amount, price, funds, currency', async () => {
    const refused = async (sale: Parameters<typeof p2p.sell>[1]) => (await p2p.sell(seller, sale)).body
    expect(await refused({ amount: 0n })).toMatchObject({ message: 'Please enter a valid amount greater than zero.' })
    expect(await refused({ amount: COIN })).toMatchObject({ message: 'The smallest amount is 10 CPC.' })
    expect(await refused({ smallest: COIN })).toMatchObject({ code: 'p2p_amount_small' })
    expect(await refused({ amount: 2001n * COIN })).toMatchObject({ statusCode: 422, message: 'Insufficient funds in CPC.' })
    expect(await refused({ price: '0.0750001' })).toMatchObject({
      message: 'This price is more than 50% away from the reference price of 0.05 USDC.'
    })
    for (const price of ['0', '0.000000001', 'x', '1e-2']) expect((await refused({ price })).code).toBe('p2p_price_invalid')
    expect(await refused({ body: { assetCurrency: 'PTC' } })).toMatchObject({ message: 'Unsupported Token' })
    expect(await refused({ body: { orderType: 'BUY' } })).toMatchObject({ code: 'invalid_fields' })
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 2000n * COIN, frozen: 0n })
    expect((await p2p.preview(seller, { price: '0.05' })).body.data).toEqual({
      grossSettlementAmount: '50000000',
      netSettlementAmount: '49500000',
      settlementFeeAmount: '500000',
      feeBasisPoints: 100
    })
  })

  it('with a key is listed once and filled once, however often it is sent', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await p2p.sell(seller, { key: 'sell-again' })).body.data.id))
    expect(new Set(ids).size).toBe(1)
    const [id = ''] = ids
    const fills = await Promise.all([1, 2, 3].map(() => p2p.fill(buyer, id, { amount: 100n * COIN, key: 'buy-again' })))
    expect(new Set(fills.map(({ body }) => body.data.id)).size).toBe(1)
    expect((await own(seller))[0].filled_asset_amount).toBe(String(100n * COIN))
    expect(await p2p.fill(buyer, id, { key: 'buy-again' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' }
    })
  })
})

describe('a fill is refused', () => {
  it('of an own order, without funds, of parts that are too small or leave too little, and of what does not exist', async () => {
    const id = await p2p.listed(seller, { smallest: 100n * COIN })
    await p2p.fund(seller, 'USDC', 100n * DOLLAR)
    expect(await p2p.fill(seller, id)).toMatchObject({
      status: 409,
      body: { message: 'Action Denied. You cannot buy your own order.' }
    })
    const poor = await test.customer()
    expect(await p2p.fill(poor, id)).toMatchObject({ status: 422, body: { message: 'Insufficient funds in USDC.' } })
    for (const amount of [99n, 901n, 1001n])
      expect(await p2p.fill(buyer, id, { amount: amount * COIN })).toMatchObject({
        status: 422,
        body: { message: 'Please enter an amount from 100 CPC to 1,000 CPC. What is left must be at least 100 CPC.' }
      })
    expect((await p2p.fill(buyer, id, { amount: 0n })).body.code).toBe('amount_invalid')
    expect((await p2p.fill(buyer, '00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it('by or from somebody whose check lapsed, who is held or locked; the order then ends and gives back', async () => {
    const id = await p2p.listed(seller)
    const unverified = await test.customer({ unverified: true })
    await p2p.fund(unverified, 'USDC', 100n * DOLLAR)
    expect(await p2p.fill(unverified, id)).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
    await p2p.fund(unverified, 'CPC', 100n * COIN)
    expect(await p2p.sell(unverified)).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
    await transact(test.app.context, (work) =>
      holdWithdrawals(work, { userId: seller.userId, reason: 'deposit_reverted', sourceType: 'deposit', sourceId: id })
    )
    expect(await p2p.fill(buyer, id)).toMatchObject({ status: 409, body: { code: 'p2p_seller_unavailable' } })
    expect(await p2p.sell(seller)).toMatchObject({ status: 403, body: { code: 'withdrawals_held' } })
    await tendOrders(test.app.context)
    expect(await own(seller)).toMatchObject([{ status: 'CANCELLED', end_reason: 'lapsed' }])
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 2000n * COIN, frozen: 0n })
  })
})

describe('at the same time', () => {
  const settled = async (id: string) => (await own(seller)).find((order: { id: string }) => order.id === id)

  it('two fills of all: one buys', async () => {
    const id = await p2p.listed(seller)
    const other = await test.customer()
    await p2p.fund(other, 'USDC', 500n * DOLLAR)
    const answers = await Promise.all([p2p.fill(buyer, id), p2p.fill(other, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('fill and cancel: one of both; cancel twice: once', async () => {
    const id = await p2p.listed(seller)
    const [filled, cancelled] = await Promise.all([p2p.fill(buyer, id), p2p.cancel(seller, id)])
    expect([filled.status, cancelled.status].sort()).toEqual([200, 409])
    expect((await settled(id)).status).toBe(filled.status === 200 ? 'COMPLETED' : 'CANCELLED')
    const again = await p2p.listed(seller)
    const answers = await Promise.all([p2p.cancel(seller, again), p2p.cancel(seller, again)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await p2p.holding(seller, 'CPC')).frozen).toBe(0n)
  })

  it('many fills share an order and none is lost', async () => {
    const id = await p2p.listed(seller)
    const answers = await Promise.all(Array.from({ length: 12 }, () => p2p.fill(buyer, id, { amount: 100n * COIN })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect((await settled(id)).status).toBe('COMPLETED')
    expect((await p2p.holding(buyer, 'CPC')).funding).toBe(1000n * COIN)
  })
})

describe('time', () => {
  it('tells the seller a day before, and ends an order at its moment, even before the job has run', async () => {
    const id = await p2p.listed(seller, { days: 7 })
    test.pass(6 * 24 * 3600 + 1)
    await tendOrders(test.app.context)
    await tendOrders(test.app.context)
    const ending = (await subjects(seller)).filter((subject) => subject === 'Your sell order ends within a day')
    expect(ending).toHaveLength(1)
    test.pass(24 * 3600 - 1)
    expect((await test.ask(buyer, 'listP2pOrders')).some((order: { id: string }) => order.id === id)).toBe(false)
    await tendOrders(test.app.context)
    expect(await own(seller)).toMatchObject([{ status: 'CANCELLED', end_reason: 'expired' }])
    expect(await subjects(seller)).toContain('Your sell order has ended')
    expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 2000n * COIN, frozen: 0n })
  })
})

it("“this wasn't me” cancels open orders and withdrawals that are not signed", async () => {
  await p2p.listed(seller)
  await p2p.fund(seller, 'BTC', 1_000_000n, 'spot')
  const withdrawal = { amount: '500000', address: STRANGER.BTC }
  expect((await test.send('POST', '/users/withdraw/btc/create', { token: seller.token, body: withdrawal })).status).toBe(200)
  const { email, password } = seller
  await test.send('POST', '/users/signin', { body: { email, password }, headers: { 'user-agent': 'Firefox/140.0' } })
  const token = (await test.mailsTo(email)).map(({ text }) => /not-me\?token=([\w.-]+)/.exec(text)?.[1]).find(Boolean)
  expect((await test.send('POST', '/users/signin/disavow', { body: { token } })).status).toBe(200)
  expect(await test.ask(seller, 'listWithdrawals')).toMatchObject([{ state: 'cancelled' }])
  expect(await p2p.holding(seller, 'BTC')).toEqual({ spot: 1_000_000n, funding: 0n, frozen: 0n })
  expect(await own(seller)).toMatchObject([{ status: 'CANCELLED', end_reason: 'secured' }])
  expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 2000n * COIN, frozen: 0n })
})

it('the book is best price first, and filtered by an amount that can be bought', async () => {
  await p2p.listed(seller, { price: '0.0511', amount: 100n * COIN })
  await p2p.listed(seller, { price: '0.0502', amount: 500n * COIN, smallest: 200n * COIN })
  const prices = async (query: object) =>
    (await test.ask(buyer, 'listP2pOrders', { query: { ...query } }))
      .filter((order: { price_per_coin: string }) => ['0.05110000', '0.05020000'].includes(order.price_per_coin))
      .map((order: { price_per_coin: string }) => order.price_per_coin)
  expect(await prices({})).toEqual(['0.05020000', '0.05110000'])
  expect(await prices({ amount: String(100n * COIN) })).toEqual(['0.05110000'])
  expect(await prices({ amount: String(300n * COIN) })).toEqual(['0.05020000'])
  expect(await prices({ amount: String(900n * COIN) })).toEqual([])
})
