/** The stock: what the treasury does not have is owed, whatever is booked together, and is settled once coins have arrived. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { houseAddress } from '#lib/server/chains/index.ts'
import { coverOf, customerAccount, house, houseBalance, settleStock, type Transfer } from '#lib/server/ledger/index.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterEach(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
})
afterAll(() => test.close())

const of = (kind: 'treasury' | 'owed' | 'rewards') => houseBalance(test.app.context.db, kind, 'CPC')
const give = (customer: Customer, amount: bigint, currency = 'CPC'): Transfer => ({
  source: house('treasury'),
  destination: customerAccount(customer.userId, 'spot'),
  currency,
  amount
})

/** The treasury gets coins by a payment on the chain. */
async function fundHouse(amount: bigint): Promise<void> {
  const w = withdrawalsOf(test)
  await w.fillPool()
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'cpc', 'hot')
  await w.pay('cpc', { address: hot?.address ?? '', token: 'CPC', amount })
  await w.confirm('cpc')
}

/** An invitee buys and pays a package of $5,000: tokens for the invitee, and a reward for the inviter. */
async function buyInvited(): Promise<void> {
  const inviter = await test.customer()
  const invitee = await test.customer({ referralCode: (await test.ask(inviter, 'getProfile')).referralCode })
  const { id, euroToPay } = await test.ask(invitee, 'createOrder', { body: { comboConfigId: 19, bankAccountId: 1 } })
  await test.arrive({ entryId: randomUUID(), remittance: id, amountCents: BigInt(euroToPay.replace('.', '')) })
}

it('tokens that are sold without coins are owed, and the books agree', async () => {
  await test.adjust([give(await test.customer(), 500n)])
  expect([await of('treasury'), await of('owed')]).toEqual([0n, -500n])
  expect(await coverOf(test.app.context.db, 'CPC')).toEqual({ coins: 0n, claims: 500n, owed: 500n })
  await test.adjust([give(await test.customer(), 7n, 'PTC')])
  expect(await houseBalance(test.app.context.db, 'owed', 'PTC'), 'PTC has no chain').toBe(0n)
})

it('coins that arrive pay what is owed, and the rest is stock', async () => {
  await fundHouse(2000n * 10n ** 8n)
  await settleStock(test.app.context)
  expect([await of('treasury'), await of('owed')]).toEqual([2000n * 10n ** 8n - 500n, 0n])
})

it('an order and its reward together never take more from the treasury than it has', async () => {
  // Exactly the tokens of the next order: its reward is on top.
  await buyInvited()
  await settleStock(test.app.context)
  const owedByOne = -(await of('owed'))
  await fundHouse(owedByOne)
  await settleStock(test.app.context)
  expect([await of('treasury'), await of('owed')]).toEqual([0n, 0n])
  await buyInvited()
  const both = -(await of('owed'))
  await fundHouse(both + both - 1n)
  await settleStock(test.app.context)
  expect(await of('treasury')).toBe(both - 1n)
  await buyInvited()
  expect([await of('treasury'), await of('owed'), await of('rewards')]).toEqual([0n, -1n, 0n])
})

it('customers who are given tokens at once take no more from the treasury than it has', async () => {
  await fundHouse(1001n)
  await settleStock(test.app.context)
  const owed = await of('owed')
  const stock = await of('treasury')
  const customers = await Promise.all(Array.from({ length: 6 }, () => test.customer()))
  await Promise.all(customers.map((customer) => test.adjust([give(customer, stock / 3n)])))
  expect(await of('treasury')).toBeGreaterThanOrEqual(0n)
  expect((await of('owed')) - owed).toBe(stock - (await of('treasury')) - 6n * (stock / 3n))
})
