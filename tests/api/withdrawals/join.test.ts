/** A Bitcoin wallet of many small coins: it cannot pay, says why, and joins them while the network is cheap. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChainNode, houseAddress, joinCoins, type Signing } from '#lib/server/chains/index.ts'
import { freeCoins } from '#lib/server/chains/sending/plan.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

const COINS = 90
let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.fillPool()
  await w.follow('bitcoin')
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'bitcoin', 'hot')
  const payments = Array.from({ length: COINS }, () => ({
    address: hot?.address ?? '',
    token: 'BTC',
    amount: units('BTC', 0.001)
  }))
  await w.pay('bitcoin', ...payments)
  await w.mine('bitcoin', 3)
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const coins = () => freeCoins(test.app.context.db, test.app.chains.deposits.proof, 3)
async function signing(price?: bigint): Promise<Signing> {
  const found = await test.app.chains.signingOf?.('bitcoin')
  if (!found) throw new Error('The test has the seed')
  const node: ChainNode = price ? { ...found.node, price: async () => ({ most: price, tip: 0n }) } : found.node
  return { ...found, node }
}

it('pays nobody with coins that were paid to the older spelling of a key, before these are joined', async () => {
  const [first] = await coins()
  if (!first) throw new Error('There are coins')
  const { db } = test.app.context
  const isOlder = (value: boolean) =>
    db.execute(sql`update chain_outputs set is_older_form = ${value} where outpoint <> ${first.outpoint}`)
  await isOlder(true)
  const customer = await test.customer()
  await w.fund(customer, 'BTC', units('BTC', 0.01))
  const id = await w.confirmed(customer, 'BTC', units('BTC', 0.005))
  await w.follow('bitcoin')
  await signApproved(test.app.context, test.app.chains.withdrawals, await signing(1n))
  expect((await w.list(customer))[0]).toMatchObject({ id, state: 'approved', waits: 'hot_wallet' })
  await test.send('POST', `/users/withdraw/${id}/cancel`, { token: customer.token })
  await isOlder(false)
  const back = { source: customerAccount(customer.userId, 'spot'), destination: house('treasury') }
  await test.adjust([{ ...back, currency: 'BTC', amount: units('BTC', 0.01) }])
})

it('waits with a reason of its own, and goes out once the coins were joined in a cheap hour', async () => {
  const customer = await test.customer()
  await w.fund(customer, 'BTC', units('BTC', 0.08))
  await w.confirmed(customer, 'BTC', units('BTC', 0.04), { details: { party: 'self', name: 'Ada Lovelace' } })
  await w.follow('bitcoin')
  await signApproved(test.app.context, test.app.chains.withdrawals, await signing(10n))
  expect((await w.list(customer))[0]).toMatchObject({ state: 'approved', waits: 'small_coins' })
  expect(await joinCoins(test.app.context, await signing(10n)), 'too dear').toBeUndefined()
  expect(await joinCoins(test.app.context, await signing(1n))).toBe('signed')
  await w.send('bitcoin')
  await w.mine('bitcoin', 3)
  expect(await coins()).toHaveLength(31)
  expect(await joinCoins(test.app.context, await signing(1n)), 'few enough').toBeUndefined()
  await signApproved(test.app.context, test.app.chains.withdrawals, await signing(10n))
  await w.send('bitcoin')
  await w.mine('bitcoin', 3)
  expect((await w.list(customer))[0]).toMatchObject({ state: 'confirmed' })
})
