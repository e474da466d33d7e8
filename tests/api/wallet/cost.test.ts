/** What was paid for the tokens that a customer has: by the order, the trade, the day's price; rewards at nothing. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerAccount, house, post, type Transfer } from '#lib/server/ledger/index.ts'
import { assignPayments, undecidedPayments } from '#lib/server/payments/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { cancelPayouts, reclaimTokens } from '#lib/server/staking/index.ts'
import { hooks } from '#support/hooks.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400
const STAFF = { kind: 'staff', id: 'anna' } as const

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
let customer: Customer
let prices: Record<string, string>
beforeAll(async () => {
  test = await createTestApp({
    ports: (ports) => ({
      ...ports,
      rates: {
        current: async () => {
          const at = new Date()
          return { eurPerUsd: { value: '0.92', source: 'test', at }, pricesUsd: { values: prices, source: 'test', at } }
        }
      }
    })
  })
  p2p = p2pOf(test)
})
beforeEach(async () => {
  prices = { CPC: '0.05', USDC: '1', BTC: '100000' }
  customer = await test.customer()
})
afterAll(() => test.close())

const keep = async () => keepDailyRates(test.app.context, await test.app.ports.rates.current())
const costs = async (who = customer, query: Record<string, string> = {}) =>
  (await test.ask(who, 'getCost', { query })).tokens ?? []
const costOf = async (currency: string, who = customer, query = {}) =>
  (await costs(who, query)).find((one: { currency: string }) => one.currency === currency)
/** Books as a deposit does. */
type Kind = { type?: 'deposit' | 'suspense'; reason?: 'deposit_credited' | 'suspense_decided'; isBack?: true }
const deposit = (
  currency: string,
  amount: bigint,
  id: string,
  { type = 'deposit', reason = 'deposit_credited', isBack: back }: Kind = {}
) => {
  const [own, other] = [customerAccount(customer.userId, 'spot'), house('suspense')]
  const transfer: Transfer = { source: back ? own : other, destination: back ? other : own, currency, amount }
  const fill: Transfer = { source: house('treasury'), destination: other, currency, amount }
  return test.app.context.db.transaction((tx) =>
    post(tx, {
      reason: back ? 'deposit_reverted' : reason,
      source: { type, id },
      reference: `deposit:${randomUUID()}`,
      actor: { kind: 'staff', id: 'test' },
      transfers: back ? [transfer] : [fill, transfer],
      at: test.app.context.clock()
    })
  )
}
async function buy(comboConfigId = 19) {
  const body = { comboConfigId, bankAccountId: 1 }
  const { data } = (await test.send('POST', '/orders/combo', { token: customer.token, body })).body
  const amountCents = BigInt(data.euroToPay.replace('.', ''))
  const entryId = `payment-${data.id}`
  await test.arrive({ entryId, amountCents, remittance: data.id })
  return { id: data.id as string, amountCents, entryId }
}

describe('what was paid', () => {
  it('is nothing for a new customer', async () => {
    expect(await costs()).toEqual([])
  })

  it('is the price of the package, its fee apart, and in euro what was paid', async () => {
    await keep()
    const { amountCents } = await buy()
    const inUsd = await costOf('CPC')
    // A package of 1,000 USD at 0.05, and its fee of 4 %.
    expect(inUsd).toMatchObject({ paid: '100000', fees: '4000', prices: '0', gain: '0', averagePrice: '0.05' })
    const inEur = await costOf('CPC', customer, { in: 'EUR' })
    expect(BigInt(inEur.paid) + BigInt(inEur.fees)).toBe(amountCents)
    test.pass(DAY)
    prices = { ...prices, CPC: '0.06' }
    expect(await costOf('CPC')).toMatchObject({
      value: '120000',
      paid: '100000',
      prices: '20000',
      gain: '20000',
      dayChange: 2000
    })
    expect((await test.verifyLedger()).problems).toEqual([])
  })

  it('of a package whose payment was returned is nothing, and its tokens are in no gain', async () => {
    const { amountCents, entryId } = await buy()
    expect(await costOf('CPC')).toMatchObject({ paid: '100000', unpaid: '0' })
    await test.arrive({ direction: 'debit', amountCents, takesBack: entryId, remittance: '' })
    expect(await costOf('CPC')).toMatchObject({
      boughtUnits: '0',
      averagePrice: null,
      paid: '0',
      fees: '0',
      unpaid: '100000',
      gain: '0'
    })
    // An operator takes the tokens back.
    const units = 20_000n * COIN
    await test.adjust([
      { source: customerAccount(customer.userId, 'spot'), destination: house('treasury'), currency: 'CPC', amount: units }
    ])
    expect(await costs()).toEqual([])
  })

  it('of an order whose payment an operator assigned, and the bank took back, is nothing: of that order, not of the one it named', async () => {
    const paid = await buy()
    const { data } = (
      await test.send('POST', '/orders/combo', { token: customer.token, body: { comboConfigId: 20, bankAccountId: 1 } })
    ).body
    const amountCents = BigInt(data.euroToPay.replace('.', ''))
    const entryId = `second-${paid.id}`
    await test.arrive({ entryId, amountCents, remittance: paid.id })
    const payment = (await undecidedPayments(test.app.context.db)).at(-1)
    await assignPayments(
      test.app.context,
      { rates: test.app.ports.rates, ...hooks },
      { paymentIds: [payment?.id ?? 0n], orderId: data.id, actor: STAFF, why: 'x' }
    )
    expect(await costOf('CPC')).toMatchObject({ paid: '350000', unpaid: '0' })
    await test.arrive({ direction: 'debit', amountCents, takesBack: entryId, remittance: '' })
    expect(await costOf('CPC')).toMatchObject({ paid: '100000', unpaid: '250000' })
  })

  it('of a package with a bonus, returned: neither its tokens nor its bonus are a gain, and both go back from their own entries', async () => {
    await test.send('POST', '/orders/promo', { token: customer.token, body: { code: 'ANNIVERSARY' } })
    await buy(82)
    const before = await costOf('PTC')
    expect(before).toMatchObject({ paid: '100000', rewards: '0' })
    const { id, amountCents, entryId } = await buy(146)
    const { boughtUnits, rewards } = await costOf('PTC')
    expect(BigInt(rewards)).toBeGreaterThan(0n)
    await test.arrive({ direction: 'debit', amountCents, takesBack: entryId, remittance: '' })
    expect(await costOf('PTC')).toMatchObject({ paid: '100000', rewards: '0', gain: '0' })
    await cancelPayouts(test.app.context, { orderId: id, actor: STAFF, why: 'x' })
    await reclaimTokens(test.app.context, { orderId: id, actor: STAFF, why: 'x' })
    const amount = BigInt(boughtUnits) - BigInt(before.boughtUnits)
    await test.adjust([
      { source: customerAccount(customer.userId, 'spot'), destination: house('treasury'), currency: 'PTC', amount }
    ])
    expect(await costOf('PTC')).toEqual(before)
  })

  it('is not changed by a reward that only pays an earlier one back', async () => {
    await buy()
    const { referralCode } = await test.ask(customer, 'getProfile')
    const [inviter, invitee] = [customer, await test.customer({ referralCode })]
    customer = invitee
    const paid = await buy()
    const units = (await test.ask(inviter, 'getBalance')).CPC.rewardBalance
    expect(BigInt(units)).toBeGreaterThan(0n)
    test.pass(14 * DAY)
    await test.ask(inviter, 'moveRewardToSpot', { body: { currency: 'CPC', amount: units } })
    await test.arrive({ direction: 'debit', amountCents: paid.amountCents, takesBack: paid.entryId, remittance: paid.id })
    const before = await costOf('CPC', inviter)
    customer = await test.customer({ referralCode })
    await buy()
    expect((await test.ask(inviter, 'getBalance')).CPC.rewardBalance, 'it owes more than that').toBe('0')
    expect(await costOf('CPC', inviter)).toEqual(before)
  })

  it('of coins that an operator decided, and a reorganisation took away, leaves with them', async () => {
    await keep()
    await deposit('BTC', COIN / 100n, 'd3')
    const before = await costOf('BTC')
    test.pass(DAY)
    prices = { ...prices, BTC: '200000' }
    await keep()
    await deposit('BTC', COIN / 100n, 'deposit:77', { type: 'suspense', reason: 'suspense_decided' })
    await deposit('BTC', COIN / 100n, '77', { isBack: true })
    prices = { ...prices, BTC: '100000' }
    expect(await costOf('BTC')).toMatchObject({ paid: before.paid, averagePrice: before.averagePrice })
  })

  it('of many small amounts is their sum, not the sum of rounded ones', async () => {
    await keep()
    for (let count = 0; count < 40; count += 1) await deposit('CPC', (9n * COIN) / 100n, `small-${count}`)
    expect(await costOf('CPC')).toMatchObject({ paid: '18', value: '18', gain: '0' })
  })

  it('of a deposit is its worth on its day; one that was reversed takes its own entry away', async () => {
    test.pass(DAY)
    await keep()
    await deposit('BTC', COIN / 100n, 'd1')
    test.pass(DAY)
    prices = { ...prices, BTC: '120000' }
    await keep()
    await deposit('BTC', COIN / 100n, 'd2')
    expect(await costOf('BTC')).toMatchObject({ paid: '220000', prices: '20000', averagePrice: '110000' })
    await deposit('BTC', COIN / 100n, 'd2', { isBack: true })
    expect(await costOf('BTC')).toMatchObject({ paid: '100000', prices: '20000', value: '120000' })
  })

  it('of a trade is what was given for it, and what was sold leaves with what came in first', async () => {
    await keep()
    const [seller, buyer] = [customer, await test.customer()]
    await deposit('CPC', 1000n * COIN, 's1')
    await p2p.fund(buyer, 'USDC', 1000n * DOLLAR)
    await test.send('POST', '/users/balance/transfer-from-spot-to-funding', {
      token: seller.token,
      body: { currency: 'CPC', amount: String(1000n * COIN) }
    })
    const id = await p2p.listed(seller, { amount: 400n * COIN, price: '0.06' })
    expect(await costOf('CPC', seller), 'what is frozen is still the seller’s').toMatchObject({
      boughtUnits: String(1000n * COIN)
    })
    expect((await p2p.fill(buyer, id)).status).toBe(200)
    // 400 CPC for 24 USDC; the market says 0.05.
    expect(await costOf('CPC', buyer)).toMatchObject({ paid: '2400', fees: '0', value: '2000', prices: '-400', gain: '-400' })
    expect(await costOf('CPC', seller)).toMatchObject({ boughtUnits: String(600n * COIN), paid: '3000' })
    // 24 USDC less the fee of 1 %.
    expect(await costOf('USDC', seller)).toMatchObject({ paid: '2376', value: '2376', gain: '0' })
    expect(await costOf('USDC', buyer), 'credited by an operator: no price').toMatchObject({
      paid: '0',
      unpriced: '97600',
      gain: '0'
    })
  })

  it('of rewards is nothing', async () => {
    await test.adjust([
      { source: house('rewards'), destination: customerAccount(customer.userId, 'reward'), currency: 'CPC', amount: 100n * COIN }
    ])
    expect(await costOf('CPC')).toMatchObject({ paid: '0', rewards: '500', gain: '500', averagePrice: null })
  })

  it('is unknown for a deposit on a day without a price, and its lines add up to the value', async () => {
    // Nothing keeps the price of this day.
    test.pass(DAY)
    await deposit('CPC', 333n, 'x1')
    test.pass(DAY)
    await keep()
    await deposit('CPC', 777n * COIN + 77n, 'x2')
    await test.adjust([
      { source: house('rewards'), destination: customerAccount(customer.userId, 'reward'), currency: 'CPC', amount: 12_345_678n }
    ])
    const cost = await costOf('CPC')
    expect(cost).toMatchObject({ unpricedUnits: '333' })
    const parts = [cost.paid, cost.prices, cost.rewards, cost.unpriced, cost.unpaid].map(BigInt)
    expect(parts.reduce((sum, one) => sum + one, 0n)).toBe(BigInt(cost.value))
  })

  it('is not worked out of more than 5,000 lines', async () => {
    const one: Transfer = {
      source: house('treasury'),
      destination: customerAccount(customer.userId, 'spot'),
      currency: 'CPC',
      amount: 1n
    }
    for (let count = 0; count < 10; count += 1) await test.adjust(Array.from({ length: 500 }, () => one))
    expect((await test.ask(customer, 'getCost')).tokens).toHaveLength(1)
    await test.adjust([one])
    expect((await test.ask(customer, 'getCost')).tokens).toBeNull()
  })
})
