/** A page that calls a handler directly has the same answer as a program that asks over HTTP: the same keys, no date, no bigint. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CallName, calls, pathOf } from '#lib/contract/calls.ts'
import { shapes } from '#lib/contract/shapes/index.ts'
import type { CallInput } from '#lib/server/app/inProcess.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { newsImages } from '#lib/server/news/schema.ts'
import { syncNews } from '#lib/server/news/sync.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

/** Each with the input that it needs; an answer that is not JSON has no counterpart on a page. */
const STREAMED: CallName[] = ['streamP2pOrders']
const names = (Object.keys(calls) as CallName[]).filter((name) => calls[name].method === 'GET' && !STREAMED.includes(name))

let test: TestApp
let customer: Customer
const inputs: Partial<Record<CallName, CallInput[]>> = {}

/** A customer with something of everything: orders, a stake, a deposit, a withdrawal, P2P, an invitation, notices. */
beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1000' } })
  customer = await test.customer()
  const { token } = customer
  const w = withdrawalsOf(test)
  const p2p = p2pOf(test)
  await w.stock()
  const { referralCode } = (await test.send('GET', '/users/profile', { token })).body.data
  const invitee = await test.signUp({ referralCode })
  const orders = []
  for (const [owner, comboConfigId] of [
    [customer, 19],
    [customer, 83],
    [invitee, 19]
  ] as const) {
    const made = await test.send('POST', '/orders/combo', { token: owner.token, body: { comboConfigId, bankAccountId: 1 } })
    expect(made.status).toBe(200)
    orders.push(made.body.data)
  }
  for (const { id, euroCentsToPay, euroToPay } of orders)
    await test.arrive({ remittance: id, amountCents: BigInt(euroCentsToPay ?? Math.round(Number(euroToPay) * 100)) })
  await w.pay('ethereum', { address: await w.addressFor(customer, 'ETH'), token: 'ETH', amount: units('ETH', 0.2) })
  await w.mine('ethereum', 15)
  await w.confirmed(customer, 'ETH', units('ETH', 0.05))
  await p2p.fund(customer, 'CPC', 5000n * COIN)
  await p2p.fund(invitee, 'USDC', 500n * DOLLAR, 'spot')
  const sold = await p2p.listed(customer, { amount: 2000n * COIN })
  expect((await p2p.fill(invitee, sold, { amount: 1000n * COIN })).status).toBe(200)
  await test.adjust([
    { source: house('treasury'), destination: customerAccount(customer.userId, 'spot'), currency: 'PTC', amount: 1n }
  ])
  const stakes = (await test.send('GET', '/orders/staking', { token })).body.data
  expect((await test.send('POST', '/orders/promo', { token, body: { code: 'ANNIVERSARY' } })).status).toBe(200)
  if (test.app.ports.news) await syncNews(test.app.context, test.app.ports.news)
  // The application's own worker fetches the pictures: otherwise one could arrive between two answers that are compared.
  const waiting = () => test.app.context.db.$count(newsImages, eq(newsImages.state, 'waiting'))
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 20_000 })
  await test.send('POST', '/support', { token, body: { message: 'Where is it?' } })
  const news = (await test.send('GET', '/news', { token })).body.data
  const [stake] = stakes.results
  const [entry] = news.data
  Object.assign(inputs, {
    getStatement: [{ query: { currency: 'CPC' } }, { query: { currency: 'ETH' } }],
    getValueLine: [{ query: { range: '1M' } }, {}],
    getCost: [{ query: { in: 'EUR' } }],
    getBonusOffer: [{ query: { type: 'CPC' } }],
    listComboConfigs: [{ query: { type: 'CPC' } }, { query: { type: 'PTC' } }],
    previewCombo: [{ params: { id: 19 } }],
    getOrder: orders.slice(0, 2).map(({ id }) => ({ params: { id } })),
    previewP2pSweep: [{ query: { amount: String(100n * COIN) } }],
    getStake: [{ params: { id: stake.orderId } }],
    getNews: [{ params: { id: entry.id } }],
    listActivity: [{}, { query: { kind: 'deposit' } }]
  })
})
afterAll(() => test?.close())

/** As a page of the customer's own session does. */
async function askAsPage(name: CallName, input: CallInput): Promise<unknown> {
  const { sessions } = await test.ask(customer, 'getSecurity')
  const { userId, email } = customer
  const expiresAt = new Date(test.app.context.clock().getTime() + 1)
  const session = { sessionId: sessions[0]?.id ?? '', expiresAt, provedAt: null, lockedAt: null }
  const caller = { userId, email, ...session, displayCurrency: 'USD', timeZone: null } as const
  return test.app.ask({ customer: caller, browser: { headers: new Headers(), remoteAddress: '127.0.0.1' } }, name, input as never)
}

describe.each(names)('%s', (name) => {
  it('answers a page as it answers over HTTP, by its shape', async () => {
    for (const input of inputs[name] ?? [{}]) {
      const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]))
      const path = `${pathOf(name, input.params)}${query.size > 0 ? `?${query}` : ''}`
      const overHttp = await test.send('GET', path, { token: customer.token })
      expect(overHttp, JSON.stringify(overHttp.body)).toMatchObject({ status: 200 })
      const answer = await askAsPage(name, input)
      expect(answer).toStrictEqual(overHttp.body.data)
      expect(shapes[name].answer.parse(answer), 'no key that the shape does not name').toStrictEqual(answer)
    }
  })
})

it('finds something to compare in every list', async () => {
  const empty = []
  for (const name of names)
    for (const input of inputs[name] ?? [{}]) {
      const answer = await askAsPage(name, input)
      if (Array.isArray(answer) && answer.length === 0) empty.push(name)
    }
  // A document is made by a worker, when somebody asks for one.
  expect(empty).toEqual(['listDocuments'])
})
