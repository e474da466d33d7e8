import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const DAY = 86_400

let test: TestApp
let customer: Customer
/** Today's prices in USD; undefined: the price service fails. */
let prices: Record<string, string> | undefined
beforeAll(async () => {
  test = await createTestApp({
    ports: (ports) => ({
      ...ports,
      rates: {
        current: async () => {
          if (!prices) throw new Error('no prices')
          const at = new Date()
          return { eurPerUsd: { value: '0.5', source: 'test', at }, pricesUsd: { values: prices, source: 'test', at } }
        }
      }
    })
  })
})
beforeEach(async () => {
  prices = { CPC: '0.05', BTC: '100000' }
  customer = await test.customer()
})
afterAll(() => test.close())

const credit = (currency: string, amount: bigint, kind: 'spot' | 'reward' = 'spot') =>
  test.adjust([{ source: house('treasury'), destination: customerAccount(customer.userId, kind), currency, amount }])
const keep = async () => keepDailyRates(test.app.context, await test.app.ports.rates.current())
const pointsOf = async (query: Record<string, string> = {}, who = customer) =>
  (await test.ask(who, 'getValueLine', { query })).points
const line = async (query: Record<string, string> = {}) =>
  (await pointsOf(query)).map(({ cents }: { cents: string }) => Number(cents))

const changeOf = async (query: Record<string, string> = {}) => (await test.ask(customer, 'getValueLine', { query })).change

describe('why the value changed', () => {
  it('is told by terms that add up: paid in, prices, rewards', async () => {
    await credit('CPC', 100_000_000_00n)
    await keep()
    expect(await changeOf(), 'since the start, on the first day').toEqual({
      total: '500',
      paid: '500',
      prices: '0',
      trades: '0',
      rewards: '0',
      isSinceStart: true
    })
    for (let count = 0; count < 40; count += 1) {
      test.pass(DAY)
      await keep()
    }
    test.pass(DAY)
    prices = { CPC: '0.06', BTC: '100000' }
    await keep()
    await credit('BTC', 1_000_000n)
    // As a referral pays it.
    await test.adjust([
      {
        source: house('rewards'),
        destination: customerAccount(customer.userId, 'reward'),
        currency: 'CPC',
        amount: 10_000_000_00n
      }
    ])
    test.pass(DAY)
    prices = { CPC: '0.10', BTC: '90000' }
    // 100 CPC from 0.05 to 0.06 and, with 10 more, to 0.10; 0.01 BTC from 100,000 to 90,000.
    const expected = { paid: '100000', prices: String(100 + 440 - 10_000), trades: '0', rewards: '60' }
    expect(await changeOf({ range: '1W' })).toEqual({ ...expected, total: '90600', isSinceStart: false })
    expect(await changeOf({ range: '1M' })).toEqual({ ...expected, total: '90600', isSinceStart: false })
    expect(await changeOf({ range: 'All' })).toEqual({ ...expected, paid: '100500', total: '91100', isSinceStart: true })
    expect(await changeOf({ range: '1W', currency: 'CPC' })).toMatchObject({
      paid: '0',
      rewards: '60',
      prices: '540',
      total: '600'
    })
    expect(await changeOf({ range: '1W', in: 'EUR' })).toMatchObject({
      paid: '50000',
      prices: '-4730',
      rewards: '30',
      total: '45300'
    })
  })

  it('counts a move between own accounts as nothing, and is unknown without prices', async () => {
    await credit('CPC', 100_000_000_00n)
    await keep()
    test.pass(DAY)
    await test.adjust([
      {
        source: customerAccount(customer.userId, 'spot'),
        destination: customerAccount(customer.userId, 'funding'),
        currency: 'CPC',
        amount: 50_000_000_00n
      }
    ])
    expect(await changeOf({ range: '1W' })).toMatchObject({ total: '500', paid: '500', prices: '0', trades: '0', rewards: '0' })
    prices = undefined
    expect(await changeOf({ range: '1W' })).toBeNull()
  })
})

describe('the value line', () => {
  it('has the balance and the price of each day, and ends with the total of now', async () => {
    await credit('CPC', 100_000_000_00n)
    await keep()
    test.pass(DAY)
    prices = { CPC: '0.06', BTC: '100000' }
    await keep()
    await credit('CPC', 100_000_000_00n, 'reward')
    test.pass(DAY)
    prices = { CPC: '0.07', BTC: '100000' }
    expect(await line({ range: '1W' })).toEqual([500, 1200, 1400])
    expect(await line({ range: 'All' })).toEqual([500, 1200, 1400])
    expect(await line({ range: '1W', in: 'EUR' })).toEqual([250, 600, 700])
  })

  it('does not begin before the first booking, and is empty without any', async () => {
    expect(await line()).toEqual([])
    await keep()
    test.pass(3 * DAY)
    await credit('CPC', 100_000_000_00n)
    expect(await line()).toEqual([500])
  })

  it('leaves a day out that lacks the price of a held token, and keeps a day whose missing price is of nothing held', async () => {
    await credit('BTC', 1_000_000n)
    await keep()
    test.pass(DAY)
    // A day without a stored price.
    test.pass(DAY)
    prices = { BTC: '110000' }
    await keep()
    test.pass(DAY)
    prices = { BTC: '120000' }
    expect(await line()).toEqual([100_000, 110_000, 120_000])
    prices = undefined
    expect(await line(), 'today is left out while there are no prices').toEqual([100_000, 110_000])
  })

  it('is of one token where one is named, and a day’s kept price never changes', async () => {
    await credit('BTC', 1_000_000n)
    await credit('CPC', 100_000_000_00n)
    await keep()
    prices = { CPC: '9', BTC: '9' }
    await keep()
    test.pass(DAY)
    prices = { CPC: '0.05', BTC: '100000' }
    expect(await line({ currency: 'CPC' })).toEqual([500, 500])
    expect(await line({ currency: 'BTC' })).toEqual([100_000, 100_000])
    expect(await line()).toEqual([100_500, 100_500])
    await expect(line({ currency: 'XYZ' })).rejects.toMatchObject({ failure: { code: 'currency_unsupported' } })
  })

  it('does not show what somebody else has', async () => {
    await credit('CPC', 100_000_000_00n)
    const other = await test.customer()
    expect(await pointsOf({}, other)).toEqual([])
  })

  it('draws at most 61 points of a long time, and its last one is today', async () => {
    await credit('CPC', 100_000_000_00n)
    for (let day = 0; day < 200; day += 1) {
      await keep()
      test.pass(DAY)
    }
    const points = await pointsOf({ range: 'All' })
    expect(points.length).toBeGreaterThan(45)
    expect(points.length).toBeLessThanOrEqual(61)
    expect(points.at(-1).day).toBe(test.app.context.clock().toISOString().slice(0, 10))
  })
})
