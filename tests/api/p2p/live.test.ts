import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '#lib/contract/types.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
let seller: Customer
let buyer: Customer
beforeAll(async () => {
  test = await createTestApp()
  p2p = p2pOf(test)
  seller = await test.customer()
  buyer = await test.customer()
  await p2p.fund(seller, 'CPC', 2000n * COIN)
  await p2p.fund(buyer, 'USDC', 500n * DOLLAR)
})
afterAll(() => test.close())

async function stream(customer: Customer) {
  const response = await test.app.api.request('/v1/p2p/orders/stream', { headers: { authorization: `Bearer ${customer.token}` } })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = response.body?.getReader()
  const text = new TextDecoder()
  let held = ''
  /** The next event of this name; undefined once the stream has ended. */
  async function nextOf<Data>(name: string): Promise<Data | undefined> {
    while (!held.includes('\n\n')) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      held += text.decode(value, { stream: true })
    }
    const [event = ''] = held.split('\n\n', 1)
    held = held.slice(event.length + 2)
    const start = `event: ${name}\ndata: `
    return event.startsWith(start) ? JSON.parse(event.slice(start.length)) : nextOf(name)
  }
  return {
    next: () => nextOf<{ id: string; remaining_asset_amount: string; is_own: boolean }[]>('book'),
    nextMarket: () => nextOf<Answer<'getP2pMarket'>>('market'),
    cancel: () => reader?.cancel()
  }
}

it('sends the book at first, and again after each change, to everybody, as nobody’s own', async () => {
  const [first, second] = [await stream(buyer), await stream(seller)]
  expect([await first.next(), await second.next()]).toEqual([[], []])
  const id = await p2p.listed(seller)
  for (const one of [first, second]) expect(await one.next()).toMatchObject([{ id, is_own: false }])
  await p2p.fill(buyer, id, { amount: 100n * COIN })
  expect(await first.next()).toMatchObject([{ id, remaining_asset_amount: String(900n * COIN) }])
  await second.next()
  await p2p.cancel(seller, id)
  expect([await first.next(), await second.next()]).toEqual([[], []])
  await first.cancel()
  await second.cancel()
})

it('sends the market at first, and again after a trade, as the call answers it, to everybody', async () => {
  const one = await stream(buyer)
  const first = await one.nextMarket()
  expect(first).toEqual(await test.ask(buyer, 'getP2pMarket'))
  const id = await p2p.listed(seller)
  await p2p.fill(buyer, id, { amount: 100n * COIN })
  const market = await one.nextMarket()
  expect(market).toEqual(await test.ask(buyer, 'getP2pMarket'))
  expect(market?.today).toBe(test.app.context.clock().toISOString().slice(0, 10))
  expect(market?.days.at(-1)).toMatchObject({ day: market?.today })
  expect(market?.last).toHaveLength((first?.last.length ?? 0) + 1)
  const other = await stream(seller)
  expect(await other.nextMarket()).toEqual(market)
  await p2p.cancel(seller, id)
  await one.cancel()
  await other.cancel()
})

it('sends the book where the market cannot be read', async () => {
  const { db } = test.app.context
  await db.execute(sql`alter table p2p_trades rename gross to gross_away`)
  const one = await stream(buyer).finally(() => db.execute(sql`alter table p2p_trades rename gross_away to gross`))
  expect(await one.next()).toEqual([])
  await one.cancel()
})

it('ends when the session ends, when the token expires, and when the process stops', { timeout: 20_000 }, async () => {
  const customer = await test.customer()
  const ended = await stream(customer)
  await ended.next()
  await test.send('POST', '/users/signout', { token: customer.token })
  expect(await ended.next()).toBeUndefined()
  const late = await stream(buyer)
  await late.next()
  test.pass(31 * 60)
  expect(await late.next()).toBeUndefined()
  const other = await test.customer()
  const last = await stream(other)
  await last.next()
  await test.app.endStreams()
  expect(await last.next()).toBeUndefined()
  expect(await test.send('GET', '/p2p/orders/stream', { token: other.token })).toMatchObject({ status: 503 })
})
