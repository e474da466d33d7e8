/** The customers of the load, and a day's mixture of what they ask. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { fillFund } from '#lib/server/staking/index.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import type { Customer, TestApp } from '#support/testApp.ts'
import type { Ask } from './measured.ts'

export const isQuick = process.argv.includes('quick')
const CUSTOMERS = isQuick ? 500 : 10_000
const ENTRIES = isQuick ? 200 : 5000
export const AT_ONCE = 16
/** A package with a stake, and the account that is paid to. */
const PACKAGE = { comboConfigId: 83, bankAccountId: 1 }
/** Settings of processes under load: no limit of a customer counts, and packages are sold without coins of their own. */
export const LOADED = { SANDBOX: 'public', LIMIT_SCALE: '100000', LOG_LEVEL: 'info', OWED_MOST_CPC: '1000000000' }

/** Of a hundred requests. Pages as a customer walks; two in three requests only read. */
const MIXTURE: [number, string, (customer: Customer, world: World) => Omit<Ask, 'name' | 'headers'>][] = [
  [18, 'page /dashboard', () => ({ method: 'GET', path: '/dashboard' })],
  [8, 'page /activity', () => ({ method: 'GET', path: '/activity' })],
  [6, 'page /token-list', () => ({ method: 'GET', path: '/token-list' })],
  [6, 'page /p2p', () => ({ method: 'GET', path: '/p2p' })],
  [4, 'page /news', () => ({ method: 'GET', path: '/news' })],
  [4, 'page /buy-package', () => ({ method: 'GET', path: '/buy-package' })],
  [4, 'page /help', () => ({ method: 'GET', path: '/help' })],
  [20, 'call balance', () => ({ method: 'GET', path: '/v1/users/balance' })],
  [6, 'call notices', () => ({ method: 'GET', path: '/v1/users/notices' })],
  [
    16,
    'call transfer',
    () => ({
      method: 'POST',
      path: `/v1/users/balance/transfer-from-${Math.random() < 0.5 ? 'spot-to-funding' : 'funding-to-spot'}`,
      body: JSON.stringify({ currency: 'CPC', amount: '1000' })
    })
  ],
  [
    5,
    'call P2P fill',
    (_, { order }) => ({
      method: 'POST',
      path: `/v1/p2p/order/${order}/fill`,
      body: JSON.stringify({ amount: String(10n * COIN) })
    })
  ],
  [3, 'call order', () => ({ method: 'POST', path: '/v1/orders/combo', body: JSON.stringify(PACKAGE) })]
]
const WEIGHTS = MIXTURE.reduce((sum, [weight]) => sum + weight, 0)

export type World = { test: TestApp; customers: Customer[]; order: string; entries: { reference: string; cents: bigint }[] }

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  let at = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = items[at++]; item !== undefined; item = items[at++]) await work(item)
    })
  )
}

export async function makeWorld(test: TestApp): Promise<World> {
  const customers: Customer[] = []
  await inParallel(
    Array.from({ length: CUSTOMERS }, (_, index) => index + 1),
    async () => customers.push(await test.customer())
  )
  const gifts = customers.flatMap(({ userId }) =>
    (
      [
        ['CPC', 'spot', 10n ** 6n * COIN],
        ['CPC', 'funding', 10n ** 6n * COIN],
        ['USDC', 'funding', 10n ** 5n * DOLLAR]
      ] as const
    ).map(([currency, kind, amount]) => ({
      source: house('treasury'),
      destination: customerAccount(userId, kind),
      currency,
      amount
    }))
  )
  for (let from = 0; from < gifts.length; from += 300) await test.adjust(gifts.slice(from, from + 300))
  for (const currency of ['CPC', 'PTC'])
    await fillFund(test.app.context, { currency, units: 10n ** 17n, reference: currency, actor: { kind: 'system', id: 'load' } })
  const p2p = p2pOf(test)
  const maker = await test.customer()
  await p2p.fund(maker, 'CPC', 10n ** 7n * COIN)
  const order = await p2p.listed(maker, { amount: 10n ** 6n * COIN, price: '0.05' })
  const entries: World['entries'] = []
  await inParallel(customers.slice(0, ENTRIES), async (customer) => {
    const { body } = await test.send('POST', '/orders/combo', { token: customer.token, body: PACKAGE })
    entries.push({ reference: body.data.id, cents: 0n })
  })
  const cents = new Map(
    rowsOf<{ id: string; cents: string }>(
      await test.app.context.db.execute(sql`select id, euro_cents_to_pay::text as cents from orders`)
    ).map(({ id, cents }) => [id, BigInt(cents)])
  )
  return { test, customers, order, entries: entries.map(({ reference }) => ({ reference, cents: cents.get(reference) ?? 0n })) }
}

/** The next request of somebody. */
export function nextOf(world: World): () => Ask {
  return () => {
    const customer = world.customers[Math.floor(Math.random() * world.customers.length)] as Customer
    let at = Math.random() * WEIGHTS
    const [, name, make] =
      MIXTURE.find(([weight]) => {
        at -= weight
        return at < 0
      }) ?? (MIXTURE[0] as (typeof MIXTURE)[number])
    const made = make(customer, world)
    const headers: Record<string, string> = made.path.startsWith('/v1')
      ? { authorization: `Bearer ${customer.token}` }
      : { cookie: `session=${customer.cookie}`, accept: 'text/html' }
    if (made.method === 'POST') Object.assign(headers, { 'content-type': 'application/json', 'idempotency-key': randomUUID() })
    return { name, ...made, headers }
  }
}
