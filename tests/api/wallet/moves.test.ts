/** Moves between a customer's accounts, many at once: they share statements, and each is answered for itself. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerAccount, house, lockedHolding } from '#lib/server/ledger/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'
let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

async function holders(count: number): Promise<Customer[]> {
  const made = await Promise.all(Array.from({ length: count }, () => test.customer()))
  await test.adjust(
    made.map(({ userId }) => ({
      source: house('chain'),
      destination: customerAccount(userId, 'spot'),
      currency: 'CPC',
      amount: 100n
    }))
  )
  return made
}

const move = (customer: Customer, amount: string, key: string = randomUUID()) =>
  test.send('POST', '/users/balance/transfer-from-spot-to-funding', {
    token: customer.token,
    body: { currency: 'CPC', amount },
    headers: { 'idempotency-key': key }
  })
const fundingOf = async (customer: Customer) => (await test.ask(customer, 'getBalance')).CPC.wallet.fundingBalance.total

it('answers each of many at once with its own balance, and refuses one that has too little alone', async () => {
  const all = await holders(8)
  const answers = await Promise.all(all.map((customer, index) => move(customer, index === 3 ? '101' : String(index + 1))))
  for (const [index, { status, body }] of answers.entries()) {
    if (index === 3) expect(body.code).toBe('insufficient_spot')
    else expect([status, body.data.wallet.fundingBalance.total]).toEqual([200, String(index + 1)])
  }
})

it('answers those of one customer in turn, each with the balance after it', async () => {
  const [one, ...others] = await holders(4)
  if (!one) throw new Error('There is no customer')
  const answers = await Promise.all([...[1, 2, 3, 4].map(() => move(one, '10')), ...others.map((other) => move(other, '5'))])
  // In whatever order they arrived: a busy machine may begin with a later one.
  const balances = answers.slice(0, 4).map(({ body }) => body.data.wallet.fundingBalance.total)
  expect(balances.toSorted()).toEqual(['10', '20', '30', '40'])
})

it('books a key once, however often it is sent at the same moment, and refuses it for another amount', async () => {
  const all = await holders(5)
  const key = randomUUID()
  const [one] = all
  if (!one) throw new Error('There is no customer')
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => move(one, '7', key)),
    ...all.slice(1).map((other) => move(other, '7', key))
  ])
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200))
  expect(new Set(answers.slice(0, 3).map(({ body }) => JSON.stringify(body)))).toHaveProperty('size', 1)
  expect(await fundingOf(one)).toBe('7')
  const again = await Promise.all([move(one, '8', key), ...all.slice(1).map((other) => move(other, '1'))])
  expect(again.map(({ body }) => body.code)).toEqual(['idempotency_key_reused', ...all.slice(1).map(() => undefined)])
})

it('keeps the key of a refused move free for the next try', async () => {
  const [one, other] = await holders(2)
  if (!one || !other) throw new Error('There is no customer')
  const key = randomUUID()
  const refused = await Promise.all([move(one, '101', key), move(other, '1')])
  expect(refused.map(({ status }) => status)).toEqual([422, 200])
  expect((await move(one, '100', key)).status).toBe(200)
})

it.skipIf(!isPostgres)('an account that is locked keeps its own customer waiting, and nobody else', async () => {
  const [locked, ...others] = await holders(5)
  if (!locked) throw new Error('There is no customer')
  const [isHeld, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = test.app.context.db.transaction(async (tx) => {
    await lockedHolding(tx, locked.userId, 'CPC')
    isHeld.resolve()
    await isFree.promise
  })
  await isHeld.promise
  let isAnswered = false
  const waiting = [move(locked, '1'), move(locked, '1')]
  for (const one of waiting) void one.then(() => (isAnswered = true))
  const quick = await Promise.all(others.map((other) => move(other, '1')))
  expect(quick.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(isAnswered).toBe(false)
  isFree.resolve()
  await holder
  for (const one of waiting) expect((await one).status).toBe(200)
  expect(await fundingOf(locked)).toBe('2')
})
