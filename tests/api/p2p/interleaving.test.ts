/** Customers list, buy and cancel concurrently, at random: in every interleaving, nothing is created, lost or sold twice. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { coverOf, houseBalance } from '#lib/server/ledger/index.ts'
import { tendOrders } from '#lib/server/p2p/jobs.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

/** Total steps. For a long run: `P2P_STEPS=100000 npx vitest run --project api-postgres tests/api/p2p/interleaving`. */
const STEPS = Number(process.env.P2P_STEPS ?? 400)
const AT_ONCE = 8
const PEOPLE = 5
const MOST_ORDERS = 12
/** Error codes that an otherwise valid action may get because of concurrent ones. */
const EXPECTED = [
  'p2p_order_over',
  'p2p_own_order',
  'p2p_order_not_found',
  'p2p_fill_amount',
  'p2p_funds_missing',
  'p2p_orders_open',
  'amount_invalid'
]

let test: TestApp
let p2p: ReturnType<typeof p2pOf>
const people: Customer[] = []
beforeAll(async () => {
  // A high daily limit: thousands of trades, each a little off the reference price, add up.
  test = await createTestApp({ env: { WITHDRAWAL_DAY_USD: '1000000000' } })
  p2p = p2pOf(test)
  for (let index = 0; index < PEOPLE; index += 1) {
    const customer = await test.customer()
    people.push(customer)
    await p2p.fund(customer, 'CPC', 100_000n * COIN, index % 2 === 0 ? 'funding' : 'spot')
    await p2p.fund(customer, 'USDC', 100_000n * DOLLAR, index % 2 === 0 ? 'spot' : 'funding')
  }
})
afterAll(() => test.close())

const person = fc.integer({ min: 0, max: PEOPLE - 1 })
const coins = fc.bigInt({ min: 10n * COIN, max: 900n * COIN })
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      by: person,
      amount: coins,
      price: fc.integer({ min: 4501, max: 5499 })
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      by: person,
      order: fc.nat(),
      amount: fc.option(coins, { nil: undefined })
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), order: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tend' as const) }) }
)

it(`${STEPS} steps, ${AT_ONCE} at a time, leave the books and every amount in order`, { timeout: 3_600_000 }, async () => {
  const { db } = test.app.context
  const amounts = async () => ({
    cpc: (await coverOf(db, 'CPC')).claims,
    usdc: (await coverOf(db, 'USDC')).claims + (await houseBalance(db, 'fees', 'USDC'))
  })
  const before = await amounts()
  const orders: { id: string; by: number }[] = []
  const outcomes = new Map<string, number>()

  async function run(step: ReturnType<typeof fc.sample<typeof action extends fc.Arbitrary<infer T> ? T : never>>[number]) {
    if (step.do === 'tend') return tendOrders(test.app.context)
    const order = 'order' in step ? orders[step.order % Math.max(orders.length, 1)] : undefined
    const by = people[step.do === 'cancel' ? (order?.by ?? 0) : step.by]
    if (!by || (step.do !== 'sell' && !order)) return
    const { status, body } =
      step.do === 'sell'
        ? await p2p.sell(by, { amount: step.amount, price: `0.0${step.price}`, days: 7 })
        : step.do === 'fill'
          ? await p2p.fill(by, order?.id ?? '', step.amount === undefined ? {} : { amount: step.amount })
          : await p2p.cancel(by, order?.id ?? '')
    if (status === 200 && step.do === 'sell') orders.push({ id: body.data.id, by: step.by })
    if (status !== 200) expect(EXPECTED, JSON.stringify(body)).toContain(body.code)
    const isOver = body.code === 'p2p_order_over' || (status === 200 && step.do === 'cancel')
    if (isOver && order && orders.includes(order)) orders.splice(orders.indexOf(order), 1)
    const outcome = `${step.do} ${status === 200 ? 'done' : body.code}`
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  const steps = fc.sample(action, STEPS)
  for (let from = 0; from < steps.length; from += AT_ONCE) {
    await Promise.all(steps.slice(from, from + AT_ONCE).map(run))
    // Few open orders: many actions meet at the same one, and nobody reaches the limit of open orders.
    if (orders.length > MOST_ORDERS) await run({ do: 'cancel', order: 0 })
  }
  expect(await amounts()).toEqual(before)
  expect((await test.verifyLedger()).problems).toEqual([])
  for (const outcome of ['sell done', 'fill done', 'cancel done', 'fill p2p_order_over'])
    expect(outcomes.get(outcome), outcome).toBeGreaterThan(0)
  if (process.env.P2P_STEPS) console.log(Object.fromEntries(outcomes))
})
