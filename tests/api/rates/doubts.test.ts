/** A price that is wrong for a moment, or for days, decides about nothing before an operator has looked. */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepDailyRates } from '#lib/server/rates/daily.ts'
import { confirmPrice, judgedRates, openDoubts, type Rates, worthAtMost, worthOf } from '#lib/server/rates/index.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeEach(async () => {
  test = await createTestApp()
})
afterEach(() => test.close())

const staff = { kind: 'staff', id: 'grace' } as const
/** A source whose prices the test sets, judged; each reading is more than a minute after the one before. */
async function market(values: Record<string, string>, second?: Record<string, string>, isKeeper = true) {
  const usual = await test.app.ports.rates.current()
  const source = {
    current: async (): Promise<Rates> => ({
      ...usual,
      pricesUsd: { ...usual.pricesUsd, values: { ...usual.pricesUsd.values, ...values } }
    })
  }
  const judged = judgedRates(test.app.context, source, { second: second && { prices: async () => second }, isKeeper })
  return async (changed: Record<string, string> = {}) => {
    Object.assign(values, changed)
    test.pass(61)
    return judged.current()
  }
}

it('is judged once for all who ask at the same moment', async () => {
  const rates = await test.app.ports.rates.current()
  let [asked, silent] = [0, Promise.withResolvers<Record<string, string>>()]
  const second = {
    prices: () => {
      asked += 1
      return silent.promise
    }
  }
  const judged = judgedRates(test.app.context, { current: async () => rates }, { second, isKeeper: false })
  const all = Array.from({ length: 20 }, () => judged.current())
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0))
  silent.resolve({})
  await Promise.all(all)
  expect(asked).toBe(1)
  // A minute later the next one asks again, also where the second source then fails.
  test.pass(61)
  silent = Promise.withResolvers()
  const failed = judged.current()
  silent.reject(new Error('silent'))
  await failed
  expect(asked).toBe(2)
})

describe('a price', () => {
  it('that falls by more than 30 % is not used, and what it decides about is worth the higher of the two', async () => {
    const read = await market({ BTC: '97000' })
    expect((await read()).pricesUsd.values.BTC).toBe('97000')
    const rates = await read({ BTC: '0.01' })
    expect(rates.pricesUsd.values.BTC).toBe('97000')
    expect(worthAtMost(rates, 'BTC', 90_000_000n).usdCents).toBe(worthOf(rates, 'BTC', 90_000_000n).usdCents)
    expect(await openDoubts(test.app.context.db)).toMatchObject([
      { currency: 'BTC', reason: 'moved', priceUsd: '0.01', usedUsd: '97000' }
    ])
    const risen = await read({ BTC: '200000' })
    expect(risen.pricesUsd.values.BTC).toBe('97000')
    expect(worthAtMost(risen, 'BTC', 100_000_000n).usdCents).toBe(20_000_000n)
    expect((await read()).pricesUsd.values.ETH, 'others go on').toBe('3400')
  })

  it('that comes back ends its doubt by itself', async () => {
    const read = await market({ BTC: '97000' })
    await read()
    await read({ BTC: '1' })
    expect((await read({ BTC: '96000' })).pricesUsd.values.BTC).toBe('96000')
    expect(await openDoubts(test.app.context.db)).toEqual([])
  })

  it('that falls in small steps is compared with the median of seven days too', async () => {
    const read = await market({ BTC: '100000' })
    for (let day = 0; day < 7; day += 1) {
      await keepDailyRates(test.app.context, await read())
      test.pass(86_400)
    }
    expect((await read({ BTC: '80000' })).pricesUsd.values.BTC).toBe('80000')
    expect((await read({ BTC: '69000' })).pricesUsd.values.BTC).toBe('80000')
    expect(await openDoubts(test.app.context.db)).toMatchObject([{ reason: 'moved' }])
  })

  it('that a second source contradicts by more than 10 % is not used', async () => {
    const read = await market({ BTC: '97000' }, { BTC: '97000' })
    await read()
    expect((await read({ BTC: '108000' })).pricesUsd.values.BTC).toBe('97000')
    expect(await openDoubts(test.app.context.db)).toMatchObject([{ reason: 'differs' }])
    expect((await read({ BTC: '100000' })).pricesUsd.values.BTC).toBe('100000')
  })

  it('that an operator confirms is used, and is the price of the days that had none', async () => {
    const read = await market({ CPC: '0.05' })
    await keepDailyRates(test.app.context, await read())
    test.pass(86_400)
    await keepDailyRates(test.app.context, await read({ CPC: '0.1' }))
    const prices = async () =>
      (await test.app.context.db.execute(
        sql`select price_usd::text as price from daily_prices where currency = 'CPC' order by day`
      )) as unknown as {
        rows: { price: string }[]
      }
    expect((await prices()).rows).toHaveLength(1)
    test.pass(86_400)
    expect(
      await confirmPrice(test.app.context, { currency: 'CPC', price: '0.1', actor: staff, why: 'Listed on an exchange.' })
    ).toBe(true)
    expect((await read()).pricesUsd.values.CPC).toBe('0.1')
    expect((await prices()).rows.map(({ price }) => Number(price))).toEqual([0.05, 0.1, 0.1])
    expect(await confirmPrice(test.app.context, { currency: 'CPC', price: '0.1', actor: staff, why: 'Again' })).toBe(false)
  })
})

describe('a confirmed price', () => {
  const confirm = (price: string) => confirmPrice(test.app.context, { currency: 'CPC', price, actor: staff, why: 'Checked.' })

  it('stays, whatever the days before and the second source say, and moves on from there', async () => {
    const read = await market({ CPC: '0.05' }, { CPC: '0.05' })
    for (let day = 0; day < 8; day += 1) {
      await keepDailyRates(test.app.context, await read())
      test.pass(86_400)
    }
    expect((await read({ CPC: '0.1' })).pricesUsd.values.CPC).toBe('0.05')
    expect(await confirm('0.09'), 'the operator has seen another one').toBe(false)
    expect(await confirm('0.1')).toBe(true)
    for (const price of ['0.1', '0.101', '0.12']) expect((await read({ CPC: price })).pricesUsd.values.CPC).toBe(price)
    expect((await read({ CPC: '0.5' })).pricesUsd.values.CPC).toBe('0.12')
    expect(await openDoubts(test.app.context.db)).toHaveLength(1)
  })

  it('is read by the other processes, which store nothing', async () => {
    await (await market({ CPC: '0.05' }))()
    const read = await market({ CPC: '0.5' }, undefined, false)
    expect((await read()).pricesUsd.values.CPC).toBe('0.05')
    expect(await openDoubts(test.app.context.db)).toEqual([])
  })
})

describe('a payment for a package', () => {
  it('waits while the price of CPC is in doubt, and is priced at its day afterwards', async () => {
    const read = await market({ CPC: '0.05' })
    await read()
    const { rates } = test.app.ports
    const usual = rates.current
    const customer = await test.customer()
    const { id, euroToPay } = await test.ask(customer, 'createOrder', { body: { comboConfigId: 19, bankAccountId: 1 } })
    const pay = () => test.arrive({ entryId: 'in-doubt', remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
    rates.current = () => read({ CPC: '0.5' })
    await expect(pay()).rejects.toMatchObject({ name: 'UnavailableError' })
    expect((await test.ask(customer, 'getOrder', { params: { id } })).status).not.toBe(2)
    await confirmPrice(test.app.context, { currency: 'CPC', price: '0.5', actor: staff, why: 'Checked.' })
    await pay()
    rates.current = usual
    expect(await test.ask(customer, 'getOrder', { params: { id } })).toMatchObject({ status: 2, cpcAverageWeightPrice: '0.5' })
  })
})
