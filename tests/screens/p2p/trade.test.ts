import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BookOrder, book, followBook, market, refreshBook } from '#lib/client/p2p/book.ts'
import { createBuy, purchaseOf } from '#lib/client/p2p/buy.ts'
import { createSell, saleOf } from '#lib/client/p2p/sell.ts'
import { createSweep, type Plan, planFor } from '#lib/client/p2p/sweep.ts'
import { startSession } from '#lib/client/platform/session.ts'
import { unknownTexts as texts } from '#messages/platform/unknown.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { createScreenTest, inNoTime, type ScreenTest } from '#support/screens.ts'
import type { Customer } from '#support/testApp.ts'

const STREAM = '/p2p/orders/stream'
const FACTS = {
  funding: 100n * COIN,
  spot: 50n * COIN,
  feeBasisPoints: 100,
  smallestAmount: 10n * COIN,
  reference: '0.05000000'
}
const unguarded = <T>(action: () => Promise<T>) => action()

let test: ScreenTest
let p2p: ReturnType<typeof p2pOf>
beforeAll(async () => {
  test = await createScreenTest()
  p2p = p2pOf(test)
})
beforeEach(() => {
  test.reset()
  book.set({ orders: undefined, isLive: false })
  market.set(undefined)
})
afterAll(() => test.close())

async function customer(cpc: bigint, usdc = 0n): Promise<Customer> {
  const made = await test.customer()
  startSession(made)
  if (cpc > 0n) await p2p.fund(made, 'CPC', cpc * COIN)
  if (usdc > 0n) await p2p.fund(made, 'USDC', usdc * DOLLAR)
  return made
}

describe('selling', () => {
  it('computes while it is typed: gross up, net down, what comes from spot, and how far the price is', () => {
    expect(saleOf(FACTS, { amount: '120', price: '0.0561', smallest: '' })).toMatchObject({
      gross: 6_732_000n,
      net: 6_664_680n,
      gap: 20n * COIN,
      isMissing: false,
      judged: 'far',
      difference: 1220
    })
    expect(saleOf(FACTS, { amount: '150.00000001', price: '0.0751', smallest: '' })).toMatchObject({
      isMissing: true,
      judged: 'refused'
    })
    expect(saleOf(FACTS, { amount: '100', price: '0,05', smallest: '' })).toMatchObject({ price: undefined, gross: undefined })
    expect(saleOf(FACTS, { amount: '100', price: ' .05 ', smallest: '' }).gross).toBe(5_000_000n)
  })

  it('says what is wrong at each field, and sends nothing', async () => {
    const screen = createSell(
      () => FACTS,
      () => undefined
    )
    await screen.submit(unguarded)
    expect(screen.state.get().errors).toMatchObject({
      amount: 'Please enter asset amount!',
      price: 'Please enter price per coin!'
    })
    screen.type('amount', '9')
    screen.type('price', '0.2')
    screen.type('smallest', '5')
    await screen.submit(unguarded)
    expect(screen.state.get().errors).toMatchObject({
      amount: 'The smallest amount is 10 CPC.',
      price: 'This price is more than 50% away from the reference price of 0.05000000 USDC.',
      smallest: 'The smallest amount is 10 CPC.'
    })
    screen.type('amount', '151')
    screen.type('price', '0.000000001')
    await screen.submit(unguarded)
    expect(screen.state.get().errors).toMatchObject({
      amount: 'Insufficient funds in CPC.',
      price: 'Please enter a price above zero with at most 8 decimal places.'
    })
    expect(test.asked).toEqual([])
  })

  it('says while it is typed that a price is too far away, and takes it back with the next digit', () => {
    const screen = createSell(
      () => FACTS,
      () => undefined
    )
    screen.type('price', '0.2')
    expect(screen.state.get().errors.price).toBe('This price is more than 50% away from the reference price of 0.05000000 USDC.')
    screen.type('price', '0.05')
    expect(screen.state.get().errors.price).toBeUndefined()
    // What may still become a price is no error yet.
    screen.type('price', '0.')
    expect(screen.state.get().errors.price).toBeUndefined()
    expect(test.asked).toEqual([])
  })

  it('lists once where the answer was lost and the same is sent again, also by a screen that was loaded anew', async () => {
    const seller = await customer(100n)
    const listed: string[] = []
    const attempt = async () => {
      const screen = createSell(
        () => ({ ...FACTS, spot: 0n }),
        (id) => listed.push(id)
      )
      screen.type('amount', '100')
      screen.type('price', '0.051')
      await screen.submit(unguarded)
      return screen.state.get()
    }
    test.breakAt('/v1/p2p/order', 'answer lost')
    await attempt()
    expect(test.said()).toContain(texts.askingAgain)
    const orders = await test.ask(seller, 'listOwnP2pOrders')
    expect(orders).toMatchObject([{ id: listed[0], price_per_coin: '0.05100000', status: 'PENDING' }])
  })
})

async function listed(amount: bigint, price: string, smallest?: bigint): Promise<BookOrder> {
  const seller = await test.customer()
  await p2p.fund(seller, 'CPC', amount * COIN)
  const id = await p2p.listed(seller, { amount: amount * COIN, price, ...(smallest && { smallest: smallest * COIN }) })
  return (await test.ask(seller, 'listOwnP2pOrders')).find((order: { id: string }) => order.id === id)
}

describe('buying', () => {
  it('computes what is paid and what of it comes from spot, and refuses what would leave too little', async () => {
    const order = await listed(1000n, '0.0499', 100n)
    const facts = { funding: 10n * DOLLAR, spot: 30n * DOLLAR }
    expect(purchaseOf(facts, order, '500')).toMatchObject({ gross: 24_950_000n, gap: 14_950_000n, problem: undefined })
    expect(purchaseOf(facts, order, '950').problem).toBe('What is left must be at least 100 CPC.')
    expect(purchaseOf(facts, order, '1001').problem).toBe('From 100 CPC to 1,000 CPC.')
    expect(purchaseOf(facts, order, '99').problem).toBe('From 100 CPC to 1,000 CPC.')
    expect(purchaseOf(facts, order, '1000').problem).toBe('Insufficient funds in USDC.')
    expect(purchaseOf(facts, order, '').problem).toBe('Please enter asset amount!')
  })

  it('buys once where the answer was lost and the same is sent again', async () => {
    const order = await listed(200n, '0.0498')
    const buyer = await customer(0n, 100n)
    const bought: string[] = []
    let asked = 0
    const attempt = async () => {
      const screen = createBuy(() => ({ funding: 100n * DOLLAR, spot: 0n }), {
        onBought: (amount) => bought.push(amount),
        onGone: () => {
          asked += 1
        }
      })
      screen.open(order)
      screen.type('amount', '50')
      await screen.submit(unguarded)
      return screen.state.get()
    }
    test.breakAt(`/v1/p2p/order/${order.id}/fill`, 'answer lost')
    expect((await attempt()).error).toBeUndefined()
    expect(test.said()).toContain(texts.askingAgain)
    expect([bought, asked]).toEqual([['50 CPC'], 0])
    expect(await test.ask(buyer, 'listP2pTrades')).toHaveLength(1)
  })

  it('says what the product says: one’s own order, an order that is over', async () => {
    const seller = await customer(100n, 10n)
    const id = await p2p.listed(seller, { amount: 100n * COIN })
    const [own] = await test.ask(seller, 'listOwnP2pOrders')
    const screen = createBuy(() => ({ funding: 10n * DOLLAR, spot: 0n }), { onBought: () => undefined, onGone: () => undefined })
    screen.open(own)
    await screen.submit(unguarded)
    expect(screen.state.get().error).toBe('Action Denied. You cannot buy your own order.')
    await p2p.cancel(seller, id)
    await screen.submit(unguarded)
    expect(screen.state.get().error).toBe('This order is no longer open.')
  })
})

describe('buying across the book', () => {
  it('buys what was shown once, where the answer was lost and it is confirmed again', async () => {
    await listed(40n, '0.0301')
    await listed(60n, '0.0302')
    const buyer = await customer(0n, 100n)
    const plan = (await planFor(String(100n * COIN))) as Plan
    expect(plan).toMatchObject({ assetAmount: String(100n * COIN), grossSettlementAmount: '3016000', averagePrice: '0.03016' })
    const bought: string[] = []
    let changed = 0
    const attempt = async () => {
      const screen = createSweep({
        onBought: (amount) => bought.push(amount),
        onChanged: () => {
          changed += 1
        }
      })
      await Promise.all([screen.submit(plan, unguarded), screen.submit(plan, unguarded)])
      return screen.state.get()
    }
    test.breakAt('/v1/p2p/orders/fill', 'answer lost')
    expect((await attempt()).error).toBeUndefined()
    expect(test.said()).toContain(texts.askingAgain)
    expect([bought, changed]).toEqual([['100 CPC'], 0])
    expect(await test.ask(buyer, 'listP2pTrades')).toHaveLength(2)
  })

  it('of which nobody knows whether it was made is not made again with the book that it has changed', async () => {
    await listed(40n, '0.0301')
    await listed(60n, '0.0302')
    await listed(100n, '0.0305')
    const buyer = await customer(0n, 100n)
    const plan = (await planFor(String(100n * COIN))) as Plan
    const bought: string[] = []
    let changed = 0
    const screen = createSweep({
      onBought: (amount) => bought.push(amount),
      onChanged: () => {
        changed += 1
      }
    })
    test.breakAt('/v1/p2p/orders/fill', 'answer lost', 7)
    await inNoTime(() => screen.submit(plan, unguarded))
    expect(screen.state.get().error).toBe(texts.stillUnknown)
    expect([bought, changed]).toEqual([[], 0])
    screen.reset()
    await screen.submit((await planFor(String(100n * COIN))) as Plan, unguarded)
    expect(bought).toEqual(['100 CPC'])
    expect(await test.ask(buyer, 'listP2pTrades')).toHaveLength(2)
  })

  it('says that the book has changed, and buys nothing', async () => {
    const buyer = await customer(0n, 100n)
    const seller = await test.customer()
    await p2p.fund(seller, 'CPC', 40n * COIN)
    const id = await p2p.listed(seller, { amount: 40n * COIN, price: '0.0303' })
    const plan = (await planFor(String(40n * COIN))) as Plan
    expect(plan.grossSettlementAmount).toBe('1212000')
    await p2p.cancel(seller, id)
    const screen = createSweep({ onBought: () => undefined, onChanged: () => undefined })
    await screen.submit(plan, unguarded)
    expect(screen.state.get().error).toMatch(/^(The book has changed: 40 CPC cost|The book has .* CPC for you)/)
    expect(await test.ask(buyer, 'listP2pTrades')).toHaveLength(0)
  })
})

describe('the book', () => {
  beforeAll(() => void vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false })))
  afterAll(() => void vi.unstubAllGlobals())
  const tradedAmounts = () => market.get()?.last.map(({ assetAmount }) => assetAmount)

  it('is live: what somebody lists comes by itself, until it is no longer followed', async () => {
    await customer(0n)
    const stop = followBook(STREAM)
    await vi.waitFor(() => expect(book.get().isLive).toBe(true))
    const { id } = await listed(30n, '0.0497')
    await vi.waitFor(() => expect(book.get().orders?.some((order) => order.id === id)).toBe(true), { timeout: 3000 })
    stop()
    const { length } = test.asked
    await new Promise((resume) => setTimeout(resume, 300))
    expect(test.asked).toHaveLength(length)
  })

  it('is not called live while the tab is hidden, nor after that until something comes', async () => {
    await customer(0n)
    const stop = followBook(STREAM)
    await vi.waitFor(() => expect(book.get().isLive).toBe(true))
    const look = (hidden: boolean) => Object.assign(document, { hidden }).dispatchEvent(new Event('visibilitychange'))
    look(true)
    expect(book.get()).toMatchObject({ isLive: false, orders: expect.any(Array) })
    look(false)
    expect(book.get().isLive).toBe(false)
    await vi.waitFor(() => expect(book.get().isLive).toBe(true))
    stop()
  })

  it('brings the trades too, and tells those who watch the book only of the book', async () => {
    const buyer = await customer(0n, 10n)
    const stop = followBook(STREAM)
    await vi.waitFor(() => expect(market.get()).toBeDefined())
    const books: unknown[] = []
    const unwatch = book.listen(({ orders }) => void books.push(orders))
    const { id } = await listed(30n, '0.0497')
    await vi.waitFor(() => expect(books).not.toHaveLength(0), { timeout: 3000 })
    await p2p.fill(buyer, id, { amount: 30n * COIN })
    await vi.waitFor(() => expect(tradedAmounts()).toContain(String(30n * COIN)), { timeout: 8000 })
    expect(new Set(books).size).toBe(books.length)
    unwatch()
    stop()
  })

  it('is never older than before: answers that were overtaken, and what another tab has, are left out', async () => {
    const buyer = await customer(0n, 10n)
    const otherTab = new BroadcastChannel('p2p-book')
    const stop = followBook(STREAM)
    await vi.waitFor(() => expect(market.get()).toBeDefined())
    const older = market.get()
    const [inOtherTab, answered] = [[{ id: 'in the other tab' }], Promise.withResolvers<void>()]
    const answer = test.app.api.fetch
    const slow = vi.spyOn(test.app.api, 'fetch').mockImplementation(async (...asked) => {
      const response = await answer(...asked)
      await answered.promise
      return response
    })
    const asking = refreshBook()
    otherTab.postMessage({ orders: inOtherTab, isLive: true })
    await vi.waitFor(() => expect(book.get().orders).toEqual(inOtherTab))
    answered.resolve()
    await asking
    slow.mockRestore()
    expect(book.get().orders).toEqual(inOtherTab)
    const { id } = await listed(32n, '0.0495')
    await p2p.fill(buyer, id, { amount: 32n * COIN })
    await refreshBook()
    const newest = market.get()
    expect(tradedAmounts()).toContain(String(32n * COIN))
    const { today: _, ...ofLastRelease } = { ...newest }
    for (const one of [older, ofLastRelease]) otherTab.postMessage({ market: one, isLive: true })
    otherTab.postMessage({ orders: inOtherTab, isLive: true })
    await vi.waitFor(() => expect(book.get().orders).toEqual(inOtherTab))
    expect(market.get()).toBe(newest)
    stop()
    otherTab.close()
  })

  it('is asked for where there is no stream, and on demand', async () => {
    const buyer = await customer(0n, 10n)
    test.breakAt(`/v1${STREAM}`, 'unreachable')
    const stop = followBook(STREAM)
    await vi.waitFor(() => expect(test.asked).toContain('/v1/p2p/orders'), { timeout: 5000 })
    // When a process ends, all its customers ask at once: the trades come with the next stream.
    expect(test.asked).not.toContain('/v1/p2p/market')
    await vi.waitFor(() => expect(book.get().isLive).toBe(true), { timeout: 5000 })
    stop()
    const { id } = await listed(31n, '0.0496')
    await refreshBook()
    expect(book.get().orders?.some((order) => order.id === id)).toBe(true)
    await p2p.fill(buyer, id, { amount: 31n * COIN })
    await refreshBook()
    expect(tradedAmounts()).toContain(String(31n * COIN))
  })
})
