/** Buying across the book: the best orders in one transaction, all or none, a trade each. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdWithdrawals } from '#lib/server/access/index.ts'
import { endOrder } from '#lib/server/p2p/end.ts'
import { p2pOrders, p2pTrades } from '#lib/server/p2p/schema.ts'
import { systemActor } from '#lib/server/platform/actor.ts'
import { transact } from '#lib/server/platform/transaction.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
let buyer: Customer
let sellers: Customer[]
beforeAll(async () => {
  test = await createTestApp({ env: { WITHDRAWAL_DAY_USD: '1000000000' } })
  p2p = p2pOf(test)
})
/** Ends all orders, so that those of another test are not in the book. */
async function clear() {
  const open = await test.app.context.db.select().from(p2pOrders).where(eq(p2pOrders.status, 'PENDING'))
  for (const { id } of open)
    await transact(test.app.context, (work) => endOrder(test.app.context, work, id, { end: 'owner', actor: systemActor('p2p') }))
}
beforeEach(async () => {
  await clear()
  buyer = await test.customer()
  sellers = [await test.customer(), await test.customer(), await test.customer()]
  for (const seller of sellers) await p2p.fund(seller, 'CPC', 10n ** 6n * COIN)
  await p2p.fund(buyer, 'USDC', 100_000n * DOLLAR)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const seller = (index: number) => sellers[index] as Customer
type Wanted = { amount: bigint; least?: bigint; most?: bigint; key?: string }
const sweep = (who: Customer, { amount, least = amount, most = 10n ** 15n, key }: Wanted) =>
  test.send('POST', '/p2p/orders/fill', {
    token: who.token,
    body: { amount: String(amount), least: String(least), most: String(most) },
    ...(key && { headers: { 'idempotency-key': key } })
  })
const preview = async (who: Customer, amount: bigint) =>
  (await test.send('GET', `/p2p/orders/preview?amount=${amount}`, { token: who.token })).body.data
const tradesOf = (who: Customer) => test.app.context.db.select().from(p2pTrades).where(eq(p2pTrades.takerId, who.userId))
const restOf = async (id: string) => {
  const [order] = await test.app.context.db.select().from(p2pOrders).where(eq(p2pOrders.id, id))
  return order ? order.listedAmount - order.filledAmount : undefined
}

describe('a purchase across the book', () => {
  it('takes the best orders, says before what it takes, and books a trade each', async () => {
    const dear = await p2p.listed(seller(0), { amount: 1000n * COIN, price: '0.052' })
    const best = await p2p.listed(seller(1), { amount: 300n * COIN, price: '0.049' })
    const next = await p2p.listed(seller(2), { amount: 500n * COIN, price: '0.05' })
    const before = await preview(buyer, 1000n * COIN)
    expect(before).toEqual({
      orders: [
        { orderId: best, assetAmount: String(300n * COIN), grossSettlementAmount: String((147n * DOLLAR) / 10n) },
        { orderId: next, assetAmount: String(500n * COIN), grossSettlementAmount: String(25n * DOLLAR) },
        { orderId: dear, assetAmount: String(200n * COIN), grossSettlementAmount: String((104n * DOLLAR) / 10n) }
      ],
      assetAmount: String(1000n * COIN),
      grossSettlementAmount: String((501n * DOLLAR) / 10n),
      averagePrice: '0.05010'
    })
    const { status, body } = await sweep(buyer, { amount: 1000n * COIN, most: BigInt(before.grossSettlementAmount) })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data).toMatchObject({ assetAmount: before.assetAmount, grossSettlementAmount: before.grossSettlementAmount })
    expect(body.data.trades.map(({ orderId }: { orderId: string }) => orderId)).toEqual([best, next, dear])
    expect(await p2p.holding(buyer, 'CPC')).toMatchObject({ funding: 1000n * COIN })
    expect(await p2p.holding(seller(1), 'USDC')).toMatchObject({ funding: (147n * DOLLAR) / 10n - (147n * DOLLAR) / 1000n })
    expect(await restOf(dear)).toBe(800n * COIN)
    const mails = (await test.mailsTo(buyer.email)).map(({ subject }) => subject)
    expect(mails.filter((subject) => subject.startsWith('You bought'))).toEqual(['You bought 1,000 CPC · CP Wallet'])
    expect((await test.mailsTo(seller(2).email)).map(({ subject }) => subject)).toContain('You sold 500 CPC · CP Wallet')
  })

  it('skips own orders, sellers who are held, and prices that are refused', async () => {
    await p2p.fund(buyer, 'CPC', 100n * COIN)
    await p2p.listed(buyer, { amount: 100n * COIN, price: '0.045' })
    await p2p.listed(seller(0), { amount: 100n * COIN, price: '0.046' })
    const good = await p2p.listed(seller(1), { amount: 100n * COIN, price: '0.05' })
    await transact(test.app.context, (work) =>
      holdWithdrawals(work, {
        userId: seller(0).userId,
        reason: 'deposit_reverted',
        sourceType: 'deposit',
        sourceId: seller(0).userId
      })
    )
    expect(await preview(buyer, 150n * COIN)).toMatchObject({ orders: [{ orderId: good }], assetAmount: String(100n * COIN) })
    const { status, body } = await sweep(buyer, { amount: 150n * COIN, least: 100n * COIN })
    expect(status).toBe(200)
    expect(body.data.assetAmount).toBe(String(100n * COIN))
  })

  it('leaves no order with less than its smallest part, and takes none below it', async () => {
    const first = await p2p.listed(seller(0), { amount: 100n * COIN, price: '0.049', smallest: 80n * COIN })
    const second = await p2p.listed(seller(1), { amount: 100n * COIN, price: '0.05', smallest: 30n * COIN })
    // 90 of the first would leave 10; no part of it fits, so all comes from the second, up to what leaves 30.
    expect((await preview(buyer, 90n * COIN)).orders).toMatchObject([{ orderId: second, assetAmount: String(70n * COIN) }])
    expect((await preview(buyer, 130n * COIN)).orders).toMatchObject([
      { orderId: first, assetAmount: String(100n * COIN) },
      { orderId: second, assetAmount: String(30n * COIN) }
    ])
  })

  it('changes nothing where there is too little, or where it costs more than agreed', async () => {
    await p2p.listed(seller(0), { amount: 100n * COIN, price: '0.05' })
    const short = await sweep(buyer, { amount: 101n * COIN })
    expect([short.status, short.body.code]).toEqual([409, 'p2p_book_short'])
    expect(short.body.message).toContain('The book has 100 CPC for you at the moment.')
    const dear = await sweep(buyer, { amount: 100n * COIN, most: 5n * DOLLAR - 1n })
    expect([dear.status, dear.body.code]).toEqual([409, 'p2p_book_dear'])
    expect(dear.body.message).toContain('100 CPC cost 5.00 USDC now')
    expect(await tradesOf(buyer)).toEqual([])
  })

  it('is undone as a whole where the last order asks for more than the buyer has', async () => {
    const poor = await test.customer()
    await p2p.fund(poor, 'USDC', 7n * DOLLAR)
    const id = await p2p.listed(seller(0), { amount: 100n * COIN, price: '0.05' })
    await p2p.listed(seller(1), { amount: 100n * COIN, price: '0.05' })
    const { status, body } = await sweep(poor, { amount: 200n * COIN })
    expect([status, body.code]).toEqual([422, 'p2p_funds_missing'])
    expect(await tradesOf(poor)).toEqual([])
    expect(await restOf(id)).toBe(100n * COIN)
    expect(await p2p.holding(poor, 'USDC')).toMatchObject({ funding: 7n * DOLLAR })
    expect((await test.mailsTo(poor.email)).map(({ subject }) => subject).join()).not.toContain('You bought')
  })

  it('takes at most 20 orders', async () => {
    for (const one of [0, 1]) for (let count = 0; count < 11; count += 1) await p2p.listed(seller(one), { amount: 10n * COIN })
    expect((await preview(buyer, 220n * COIN)).orders).toHaveLength(20)
    const { body } = await sweep(buyer, { amount: 220n * COIN, least: 200n * COIN })
    expect(body.data.trades).toHaveLength(20)
  })

  it('is made once with one key, and answers the same', async () => {
    await p2p.listed(seller(0), { amount: 1000n * COIN })
    const key = `key-${buyer.userId}`
    const [one, two] = await Promise.all([sweep(buyer, { amount: 100n * COIN, key }), sweep(buyer, { amount: 100n * COIN, key })])
    const again = await sweep(buyer, { amount: 100n * COIN, key })
    const made = [one, two, again].filter(({ status }) => status === 200)
    expect(made.length).toBeGreaterThanOrEqual(2)
    for (const { body } of made) expect(body.data).toEqual(again.body.data)
    expect(await tradesOf(buyer)).toHaveLength(1)
    expect((await sweep(buyer, { amount: 200n * COIN, key })).body.code).toBe('idempotency_key_reused')
  })

  it('counts the sum against the day’s limit', async () => {
    const limited = await createTestApp({ env: { WITHDRAWAL_DAY_USD: '10' } })
    try {
      const own = p2pOf(limited)
      const [maker, other, taker] = [await limited.customer(), await limited.customer(), await limited.customer()]
      for (const one of [maker, other]) await own.fund(one, 'CPC', 10_000n * COIN)
      await own.fund(taker, 'USDC', 1000n * DOLLAR)
      // Each is 6 USDC away from the reference of 0.05: one is within the limit of 10, both are not.
      for (const one of [maker, other]) await own.listed(one, { amount: 600n * COIN, price: '0.06' })
      const body = { amount: String(1200n * COIN), least: String(1200n * COIN), most: String(1000n * DOLLAR) }
      const refused = await limited.send('POST', '/p2p/orders/fill', { token: taker.token, body })
      expect(refused.body.code).toBe('p2p_limit')
      expect(await limited.app.context.db.select().from(p2pTrades)).toEqual([])
      const half = { ...body, amount: String(600n * COIN), least: String(600n * COIN) }
      expect((await limited.send('POST', '/p2p/orders/fill', { token: taker.token, body: half })).status).toBe(200)
    } finally {
      await limited.close()
    }
  })

  it('asks for a fresh proof, like every purchase', async () => {
    await p2p.listed(seller(0), { amount: 100n * COIN })
    test.pass(11 * 60)
    const { status, body } = await sweep(buyer, { amount: 100n * COIN })
    expect([status, body.code]).toEqual([403, 'confirmation_required'])
  })

  it.each([false, true])(
    'of many at once sells every coin once, and none waits for ever (with keys: %s)',
    async (isKeyed) => {
      for (const one of [0, 1, 2])
        for (let count = 0; count < 4; count += 1)
          await p2p.listed(seller(one), { amount: 100n * COIN, price: `0.0${50 + count}` })
      const buyers = await Promise.all(Array.from({ length: 6 }, () => test.customer()))
      for (const one of buyers) await p2p.fund(one, 'USDC', 1000n * DOLLAR)
      const answers = await Promise.all([
        ...buyers.map((one) => sweep(one, { amount: 300n * COIN, least: 10n * COIN, ...(isKeyed && { key: randomUUID() }) })),
        ...sellers.map((one) => p2p.fund(one, 'CPC', COIN))
      ])
      const sold = answers.slice(0, 6) as Awaited<ReturnType<typeof sweep>>[]
      expect(
        sold.map(({ status, body }) => (status === 200 ? 200 : body.code)).filter((one) => ![200, 'p2p_book_short'].includes(one))
      ).toEqual([])
      const got = sold.reduce((sum, { status, body }) => sum + (status === 200 ? BigInt(body.data.assetAmount) : 0n), 0n)
      const open = await test.app.context.db.select().from(p2pOrders).where(eq(p2pOrders.status, 'PENDING'))
      const left = open.reduce((sum, one) => sum + one.listedAmount - one.filledAmount, 0n)
      expect(got + left).toBe(1200n * COIN)
      expect(got).toBe(1200n * COIN)
    },
    60_000
  )

  it('with keys, by sellers who buy too, while orders are sold and cancelled, deadlocks nobody', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => test.customer()))
    for (const one of people) {
      await p2p.fund(one, 'CPC', 100_000n * COIN, 'spot')
      await p2p.fund(one, 'USDC', 100_000n * DOLLAR, 'spot')
    }
    const answers: string[] = []
    for (let round = 0; round < 3; round += 1) {
      await clear()
      const ids: [Customer, string][] = []
      for (const [index, one] of people.entries())
        for (let count = 0; count < 4; count += 1)
          ids.push([one, await p2p.listed(one, { amount: 100n * COIN, price: `0.0${48 + ((index + count) % 5)}` })])
      const made = await Promise.all([
        ...people.map((one) => sweep(one, { amount: 700n * COIN, least: 650n * COIN, key: randomUUID() })),
        ...people.map((one) => sweep(one, { amount: 250n * COIN, key: randomUUID() })),
        ...ids.filter((_, at) => at % 7 === 0).map(([one, id]) => p2p.cancel(one, id)),
        ...ids
          .filter((_, at) => at % 6 === 1)
          .map(([one, id]) => p2p.fill(people.find((other) => other !== one) as Customer, id, { amount: 50n * COIN }))
      ])
      answers.push(...made.map(({ status, body }) => (status === 200 ? 'made' : body.code)))
    }
    expect(answers.filter((code) => code === 'unavailable' || code === 'internal')).toEqual([])
    // The database counts deadlocks up to a second late.
    await new Promise((resume) => setTimeout(resume, 1200))
    const { rows } = (await test.app.context.db.execute(
      'select coalesce(sum(deadlocks), 0)::text as count from pg_stat_database where datname = current_database()'
    )) as unknown as { rows: { count: string }[] }
    expect(rows[0]?.count).toBe('0')
  }, 60_000)

  it('refuses what is no amount, and says the least where all orders ask for more', async () => {
    await p2p.listed(seller(0), { amount: 1000n * COIN, smallest: 100n * COIN })
    for (const wanted of [{ amount: 0n }, { amount: 10n * COIN, least: 20n * COIN }])
      expect((await sweep(buyer, wanted)).body.code).toBe('amount_invalid')
    const small = await sweep(buyer, { amount: 50n * COIN })
    expect([small.status, small.body.code]).toEqual([409, 'p2p_book_short'])
  })

  it('takes what a plain reading of the book takes, whatever is on sale', async () => {
    const sale = fc.record({
      amount: fc.bigInt(10n * COIN, 200n * COIN),
      smallest: fc.bigInt(10n * COIN, 60n * COIN),
      cents: fc.integer({ min: 40, max: 60 }),
      by: fc.constantFrom(0, 1, 2)
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 6 }), fc.bigInt(1n, 700n * COIN), async (sales, wanted) => {
        await clear()
        const book: { id: string; rest: bigint; smallest: bigint; price: bigint }[] = []
        for (const { amount, smallest, cents, by } of sales) {
          const least = smallest < amount ? smallest : amount
          test.pass(1)
          const id = await p2p.listed(seller(by), { amount, smallest: least, price: `0.0${cents}` })
          book.push({ id, rest: amount, smallest: least, price: BigInt(cents) })
        }
        let missing = wanted
        const expected: { orderId: string; assetAmount: string; grossSettlementAmount: string }[] = []
        for (const { id, rest, smallest, price } of book.toSorted((a, b) => Number(a.price - b.price))) {
          if (missing === 0n) break
          let part = missing < rest ? missing : rest
          if (part < rest && rest - part < smallest) part = rest - smallest
          if (part < rest && part < smallest) continue
          // A price of 0.0NN, in USDC of 6 digits, for CPC of 8, rounded up.
          expected.push({
            orderId: id,
            assetAmount: String(part),
            grossSettlementAmount: String((part * price + 99_999n) / 100_000n)
          })
          missing -= part
        }
        const plan = await preview(buyer, wanted)
        expect(plan.orders).toEqual(expected)
        if (expected.length === 0) return
        const { status, body } = await sweep(buyer, {
          amount: wanted,
          least: BigInt(plan.assetAmount),
          most: BigInt(plan.grossSettlementAmount)
        })
        expect(status, JSON.stringify(body)).toBe(200)
        expect(body.data.trades.map((one: { assetAmount: string }) => one.assetAmount)).toEqual(
          expected.map((one) => one.assetAmount)
        )
      }),
      { numRuns: 8 }
    )
  }, 60_000)
})

describe('the market', () => {
  it('says the price of each day with trades, and the last trades, without who traded', async () => {
    const { last: before } = (await test.send('GET', '/p2p/market', { token: buyer.token })).body.data
    test.pass(86_400)
    const fresh = await test.customer()
    const taker = await test.customer()
    await p2p.fund(fresh, 'CPC', 1000n * COIN)
    await p2p.fund(taker, 'USDC', 1000n * DOLLAR)
    await p2p.listed(fresh, { amount: 100n * COIN, price: '0.05' })
    await p2p.listed(fresh, { amount: 300n * COIN, price: '0.054' })
    await sweep(taker, { amount: 400n * COIN })
    const market = (await test.send('GET', '/p2p/market', { token: taker.token })).body.data
    expect(market.days.at(-1)).toMatchObject({ price: '0.05300', assetAmount: String(400n * COIN) })
    expect(market.last).toHaveLength(Math.min(10, before.length + 2))
    expect(
      market.last
        .slice(0, 2)
        .map(({ price }: { price: string }) => price)
        .sort()
    ).toEqual(['0.05000', '0.05400'])
    expect(JSON.stringify(market)).not.toContain(fresh.userId)
  })

  it('says how much a seller has sold, and since when', async () => {
    const [maker, taker] = [await test.customer(), await test.customer()]
    await p2p.fund(maker, 'CPC', 1000n * COIN)
    await p2p.fund(taker, 'USDC', 1000n * DOLLAR)
    const id = await p2p.listed(maker, { amount: 100n * COIN })
    await p2p.fill(taker, id, { amount: 20n * COIN })
    const [order] = (await test.send('GET', '/p2p/orders', { token: taker.token })).body.data
    expect(order).toMatchObject({ id, maker_trades: 1, filled_asset_amount: String(20n * COIN) })
    expect(Date.parse(order.maker_since)).toBeLessThanOrEqual(test.app.context.clock().getTime())
  })
})
