/** Attacks on the P2P rules, and what stops each. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stopChain } from '#lib/server/chains/index.ts'
import { houseBalance } from '#lib/server/ledger/index.ts'
import { tendOrders } from '#lib/server/p2p/jobs.ts'
import { createBookFeed } from '#lib/server/p2p/live.ts'
import { systemActor } from '#lib/server/platform/actor.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
let coins: ReturnType<typeof withdrawalsOf>
beforeAll(async () => {
  test = await createTestApp()
  p2p = p2pOf(test)
  coins = withdrawalsOf(test)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

async function trader(cpc: bigint, usdc = 0n): Promise<Customer> {
  const customer = await test.customer()
  if (cpc > 0n) await p2p.fund(customer, 'CPC', cpc * COIN)
  if (usdc > 0n) await p2p.fund(customer, 'USDC', usdc * DOLLAR)
  return customer
}

/** Follows the "this wasn't me" link of the newest mail that has one. */
async function disavow({ email }: Customer) {
  const token = (await test.mailsTo(email)).map(({ text }) => /not-me\?token=([\w.-]+)/.exec(text)?.[1]).find(Boolean)
  return test.send('POST', '/users/signin/disavow', { body: { token } })
}

describe('somebody else in an account', () => {
  it('cannot hand the funds over by bad prices: what is traded away from the reference counts against the limit of the day', async () => {
    const victim = await trader(1_000_000n, 1n)
    // 0.025 below the reference of 0.05: 400,000 CPC lose $10,000 against it, the whole daily limit.
    expect((await p2p.sell(victim, { amount: 400_001n * COIN, price: '0.025' })).body).toMatchObject({
      code: 'p2p_limit',
      message: expect.stringContaining('$10,000.00 a day')
    })
    const thief = await trader(1n, 20_000n)
    const id = await p2p.listed(victim, { amount: 399_000n * COIN, price: '0.025' })
    expect((await p2p.sell(victim, { amount: 2000n * COIN, price: '0.025' })).body.code).toBe('p2p_limit')
    expect((await p2p.fill(thief, id)).status).toBe(200)
    expect((await p2p.sell(victim, { amount: 2000n * COIN, price: '0.025' })).body.code).toBe('p2p_limit')
    expect((await p2p.sell(victim, { amount: 2000n * COIN, price: '0.05' })).status).toBe(200)
    const dear = await p2p.listed(await trader(5000n), { amount: 5000n * COIN, price: '0.075' })
    expect((await p2p.fill(thief, dear)).body.code).toBe('p2p_limit')
  })

  it('cannot hand the funds over by many small losses while the whitelist is on, or while the price is in doubt', async () => {
    const [victim, thief] = [await trader(100_000n, 0n), await trader(300_000n, 20_000n)]
    const asked = await test.send('POST', '/users/withdraw/whitelist', { token: victim.token, body: { isOn: true } })
    expect(asked.status).toBe(200)
    const source = test.app.ports.rates
    const usual = source.current
    const rates = await usual()
    const open = await p2p.sell(thief, { amount: 100n * COIN, price: '0.05' })
    source.current = async () => ({ ...rates, doubted: { CPC: '0.2' } })
    expect((await p2p.sell(victim, { amount: 100n * COIN, price: '0.0475' })).status).toBe(503)
    expect((await p2p.fill(victim, open.body.data.id)).status).toBe(503)
    source.current = usual
    const worth = async () => {
      const [coins, dollars] = [await p2p.holding(victim, 'CPC'), await p2p.holding(victim, 'USDC')]
      const all = ({ spot, funding, frozen }: typeof coins) => spot + funding + frozen
      return Number((all(coins) * 5n) / COIN) / 100 + Number(all(dollars) / DOLLAR)
    }
    const before = await worth()
    for (let round = 0; round < 10; round += 1) {
      const { funding, spot } = await p2p.holding(victim, 'CPC')
      const sale = await p2p.sell(victim, { amount: funding + spot, price: '0.0475' })
      if (sale.status !== 200) expect(sale.body.message).toContain('$500.00 a day')
      if (sale.status === 200) await p2p.fill(thief, sale.body.data.id)
      const dollars = (await p2p.holding(victim, 'USDC')).funding
      if (dollars === 0n) continue
      const back = await p2p.sell(thief, { amount: (dollars * COIN) / 52_500n - 1000n, price: '0.0525' })
      const bought = await p2p.fill(victim, back.body.data.id)
      if (bought.status !== 200) expect(bought.body.message).toContain('$500.00 a day')
    }
    // With the fees of the trades.
    expect(before - (await worth())).toBeLessThan(560)
  })

  it('cannot hand the funds over by bad prices while the whitelist is on, as seller or as buyer', async () => {
    const victim = await trader(100_000n, 1000n)
    expect((await test.send('POST', '/users/withdraw/whitelist', { token: victim.token, body: { isOn: true } })).status).toBe(200)
    for (const price of ['0.047', '0.053'])
      expect((await p2p.sell(victim, { amount: 10_000n * COIN, price })).body).toMatchObject({
        code: 'p2p_price_listed',
        message: 'Your whitelist is on: you can only trade within 5% of the reference price, which is 0.05 USDC.'
      })
    expect((await p2p.sell(victim, { amount: 10_000n * COIN, price: '0.0475' })).status).toBe(200)
    const thief = await trader(20_000n)
    const dear = await p2p.listed(thief, { amount: 10_000n * COIN, price: '0.07' })
    expect((await p2p.fill(victim, dear)).body.code).toBe('p2p_price_listed')
    const fair = await p2p.listed(thief, { amount: 10_000n * COIN, price: '0.052' })
    expect((await p2p.fill(victim, fair)).status).toBe(200)
  })

  it('cannot buy at a price that is far from the reference by now', async () => {
    const seller = await trader(1000n)
    const id = await p2p.listed(seller, { price: '0.074' })
    const buyer = await trader(0n, 500n)
    const rates = await test.app.ports.rates.current()
    const fallen = { ...rates, pricesUsd: { ...rates.pricesUsd, values: { ...rates.pricesUsd.values, CPC: '0.04' } } }
    const { rates: source } = test.app.ports
    const usual = source.current
    source.current = async () => fallen
    expect((await p2p.fill(buyer, id)).body.code).toBe('p2p_price_far')
    source.current = usual
    expect((await p2p.fill(buyer, id)).status).toBe(200)
  })

  it('is told of by each mail about a listing or a trade, whose link ends everything that is open', async () => {
    const seller = await trader(1000n)
    await p2p.listed(seller)
    expect((await disavow(seller)).status).toBe(200)
    expect(await p2p.holding(seller, 'CPC')).toMatchObject({ funding: 1000n * COIN, frozen: 0n })
    expect(await p2p.fill(await trader(0n, 500n), (await test.ask(seller, 'listOwnP2pOrders'))[0].id)).toMatchObject({
      body: { code: 'p2p_order_over' }
    })
  })

  it('cannot have the mail about a trade sent elsewhere by changing the address at once', async () => {
    const buyer = await trader(0n, 500n)
    const id = await p2p.listed(await trader(1000n))
    expect((await p2p.fill(buyer, id)).status).toBe(200)
    await test.app.context.db.execute(sql`update users set email = 'thief@example.com' where id = ${buyer.userId}`)
    const told = await test.mailsTo(buyer.email)
    expect(told.some(({ subject }) => subject.startsWith('You bought'))).toBe(true)
    expect(await test.mailsTo('thief@example.com')).toEqual([])
  })

  it('does not get a withdrawal signed later where the chain was suspicious when the owner reported them', async () => {
    const victim = await test.customer()
    await coins.fund(victim, 'BTC', 10n ** 8n)
    await coins.confirmed(victim, 'BTC', 500_000n)
    await stopChain(
      test.app.context,
      'bitcoin',
      { actor: systemActor('custody'), why: 'A payment that nobody knows.' },
      'sending'
    )
    await test.send('POST', '/users/signin', {
      body: { email: victim.email, password: victim.password },
      headers: { 'user-agent': 'Firefox/140.0' }
    })
    expect((await disavow(victim)).status).toBe(200)
    expect((await coins.list(victim)).map(({ state }: { state: string }) => state)).toEqual(['review'])
  })
})

it('a large deposit whose sender nobody knows is not traded on either; the other token is free', async () => {
  const buyer = await test.customer()
  const id = await p2p.listed(await trader(20_000n), { amount: 20_000n * COIN })
  const address = await coins.addressFor(buyer, 'USDC')
  await coins.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 2000) })
  await coins.confirm('ethereum')
  expect((await p2p.fill(buyer, id)).body.code).toBe('deposit_details_required')
  await p2p.fund(buyer, 'CPC', 100n * COIN)
  expect((await p2p.sell(buyer, { amount: 100n * COIN })).status).toBe(200)
  const seller = await test.customer()
  const own = await coins.addressFor(seller, 'CPC')
  await coins.pay('cpc', { address: own, token: 'CPC', amount: 40_000n * COIN })
  await coins.mine('cpc', 30)
  expect((await p2p.sell(seller, { amount: 100n * COIN })).body.code).toBe('deposit_details_required')
  await p2p.fund(seller, 'USDC', 100_000_000n)
  expect((await p2p.fill(seller, id)).body.code).not.toBe('deposit_details_required')
})

it('what a reorganisation took back is paid when an order gives its coins back', async () => {
  const seller = await test.customer()
  const address = await coins.addressFor(seller, 'CPC')
  await coins.pay('cpc', { address, token: 'CPC', amount: 1000n * COIN })
  await coins.mine('cpc', 30)
  await p2p.listed(seller, { amount: 1000n * COIN })
  const losses = () => houseBalance(test.app.context.db, 'losses', 'CPC')
  const before = await losses()
  await coins.reorganise('cpc', 32, true)
  expect((await losses()) - before).toBe(-1000n * COIN)
  await tendOrders(test.app.context)
  expect(await p2p.holding(seller, 'CPC')).toEqual({ spot: 0n, funding: 0n, frozen: 0n })
  expect(await losses()).toBe(before)
  expect((await test.ask(seller, 'listOwnP2pOrders'))[0]).toMatchObject({ status: 'CANCELLED', end_reason: 'lapsed' })
})

it('the seller sees one amount, and not how the buyer’s money was spread', async () => {
  const seller = await trader(2000n)
  const buyer = await test.customer()
  await p2p.fund(buyer, 'USDC', 12_345_678n, 'funding')
  await p2p.fund(buyer, 'USDC', 500n * DOLLAR, 'spot')
  expect((await p2p.fill(buyer, await p2p.listed(seller))).status).toBe(200)
  const { lines } = await test.ask(seller, 'getStatement', { query: { currency: 'USDC' } })
  expect(lines.map(({ amount }: { amount: string }) => amount)).toEqual(['49500000'])
  expect(await p2p.holding(buyer, 'USDC')).toEqual({ funding: 0n, spot: 462_345_678n, frozen: 0n })
})

it('an order that cannot be tended keeps no other back', async () => {
  const [one, other] = [await trader(2000n), await trader(2000n)]
  const bad = await p2p.listed(one, { days: 7 })
  test.pass(60)
  const good = await p2p.listed(other, { days: 7 })
  const { db } = test.app.context
  await db.execute(
    sql.raw(`create function broken() returns trigger language plpgsql as $$
      begin if new.id = '${bad}' then raise exception 'broken'; end if; return new; end $$`)
  )
  await db.execute(sql.raw('create trigger broken before update on p2p_orders for each row execute function broken()'))
  test.pass(8 * 24 * 3600)
  await expect(tendOrders(test.app.context)).rejects.toThrow()
  const statusOf = async (customer: Customer, id: string) =>
    (await test.ask(customer, 'listOwnP2pOrders')).find((order: { id: string }) => order.id === id).status
  expect([await statusOf(one, bad), await statusOf(other, good)]).toEqual(['PENDING', 'CANCELLED'])
  await db.execute(sql.raw('drop trigger broken on p2p_orders'))
  await tendOrders(test.app.context)
  expect(await statusOf(one, bad)).toBe('CANCELLED')
})

it('a few sellers cannot crowd the others out of the book', async () => {
  const honest = await trader(500n)
  const id = await p2p.listed(honest, { amount: 500n * COIN, price: '0.0499' })
  for (let seller = 0; seller < 5; seller += 1) {
    const crowd = await trader(200n)
    for (let order = 0; order < 20; order += 1) await p2p.listed(crowd, { amount: 10n * COIN, price: '0.0498' })
  }
  const book: { id: string }[] = await test.ask(honest, 'listP2pOrders')
  expect(book.some((order) => order.id === id)).toBe(true)
})

it('the filter leaves out what cannot be bought in this amount', async () => {
  const id = await p2p.listed(await trader(1000n), { smallest: 100n * COIN })
  const viewer = await test.customer()
  const finds = async (amount: bigint) =>
    (await test.ask(viewer, 'listP2pOrders', { query: { amount: String(amount * COIN) } })).some(
      (order: { id: string }) => order.id === id
    )
  expect([await finds(1000n), await finds(950n), await finds(900n), await finds(99n)]).toEqual([true, false, true, false])
})

it('a listing that was booked is answered again, whatever the prices are by then', async () => {
  const seller = await trader(1000n)
  const first = await p2p.sell(seller, { key: 'listed-once' })
  const { rates } = test.app.ports
  const usual = rates.current
  rates.current = async () => {
    throw new Error('No prices')
  }
  expect((await p2p.sell(seller, { key: 'listed-once' })).body).toEqual(first.body)
  rates.current = usual
  expect(await test.ask(seller, 'listOwnP2pOrders')).toHaveLength(1)
})

describe('the live book', () => {
  it('opens no stream while the process stops', async () => {
    let listening: () => void = () => undefined
    const feed = createBookFeed(
      test.app.context,
      () =>
        new Promise((resolve) => {
          listening = () => resolve(async () => undefined)
        })
    )
    const customer = { userId: 'one', sessionId: crypto.randomUUID() } as never
    const opening = feed.open(customer, new Date(8e15))
    const closing = feed.close()
    listening()
    await closing
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('keeps a few streams of an account: the oldest ends', async () => {
    const customer = await trader(1n)
    const open = async () => {
      const { body } = await test.app.api.request('/v1/p2p/orders/stream', {
        headers: { authorization: `Bearer ${customer.token}` }
      })
      const reader = body?.getReader()
      // The book, and the market.
      await reader?.read()
      await reader?.read()
      return reader
    }
    const readers = []
    for (let stream = 0; stream < 11; stream += 1) readers.push(await open())
    expect(await readers[0]?.read()).toMatchObject({ done: true })
    for (const reader of readers) await reader?.cancel()
  })
})

const MOST_TURNS = 60

describe('at the same moment', () => {
  it('"this wasn’t me" and many purchases: neither waits for the other for ever', { timeout: 60_000 }, async () => {
    const seller = await trader(10_000n)
    const ids: string[] = []
    for (let order = 0; order < 20; order += 1) ids.push(await p2p.listed(seller, { amount: 400n * COIN, smallest: 10n * COIN }))
    const buyers = [await trader(0n, 2000n), await trader(0n, 2000n), await trader(0n, 2000n)]
    let isOver = false
    const loops = buyers.map(async (buyer, start) => {
      for (let turn = start; !isOver && turn < MOST_TURNS; turn += 1) {
        // Yield: PGlite runs in this thread, so without a pause nothing else would ever run.
        await new Promise((resume) => setImmediate(resume))
        const { status, body } = await p2p.fill(buyer, ids[(turn * 7) % ids.length] ?? '', { amount: 10n * COIN })
        expect(['undefined', 'p2p_order_over', 'p2p_seller_unavailable', 'p2p_fill_amount']).toContain(String(body.code))
        expect(status).toBeLessThan(500)
      }
    })
    await new Promise((resume) => setTimeout(resume, 50))
    const answer = await disavow(seller)
    isOver = true
    await Promise.all(loops)
    expect(answer.status).toBe(200)
    expect((await p2p.holding(seller, 'CPC')).frozen).toBe(0n)
  })

  it('two customers who buy from each other', { timeout: 60_000 }, async () => {
    const [one, other] = [await trader(1000n, 500n), await trader(1000n, 500n)]
    const [ofOne, ofOther] = [await p2p.listed(one), await p2p.listed(other)]
    const amount = 10n * COIN
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? p2p.fill(one, ofOther, { amount }) : p2p.fill(other, ofOne, { amount })
      )
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })
})
