/** A Bitcoin wallet of many small coins: it cannot pay, says why, and joins them while the network is cheap. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  broadcastDue,
  type ChainNode,
  findStop,
  houseAddress,
  joinCoins,
  joinJob,
  type Signing
} from '#lib/server/chains/index.ts'
import { freeCoins } from '#lib/server/chains/sending/plan.ts'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
import { claimSigned, signApproved } from '#lib/server/withdrawals/index.ts'
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

it('one over a limit takes no large coin from the one behind it', async () => {
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'bitcoin', 'hot')
  await w.pay('bitcoin', { address: hot?.address ?? '', token: 'BTC', amount: units('BTC', 0.02) })
  await w.mine('bitcoin', 3)
  const [large] = (await coins()).toSorted((one, other) => Number(other.amount - one.amount))
  if (!large) throw new Error('There are coins')
  const made = []
  for (const amount of [large.amount - units('BTC', 0.001), units('BTC', 0.006)]) {
    const customer = await test.customer()
    await w.fund(customer, 'BTC', amount)
    await w.confirmed(customer, 'BTC', amount, { details: { party: 'self', name: 'Ada Lovelace' } })
    made.push(customer)
  }
  await w.follow('bitcoin')
  const signer = await signing(25n)
  const { limits } = signer
  const BTC = { ...limits.coins.BTC, payment: units('BTC', 0.007) }
  await signApproved(test.app.context, test.app.chains.withdrawals, {
    ...signer,
    limits: { ...limits, coins: { ...limits.coins, BTC } }
  })
  const states = await Promise.all(made.map(async (customer) => (await w.list(customer))[0]))
  expect(states.map(({ state, waits }) => waits ?? state)).toEqual(['signer_limit', 'signed'])
})

it('joins no coin that pays something which the journal has and the database lacks', async () => {
  const customer = await test.customer()
  await w.fund(customer, 'BTC', units('BTC', 0.006))
  const id = await w.confirmed(customer, 'BTC', units('BTC', 0.006), { details: { party: 'self', name: 'Ada Lovelace' } })
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'bitcoin', 'hot')
  const small = Array.from({ length: 40 }, () => ({ address: hot?.address ?? '', token: 'BTC', amount: units('BTC', 0.001) }))
  await w.pay('bitcoin', ...small)
  await w.mine('bitcoin', 3)
  const signer = await signing(1n)
  const { journal } = signer
  const dying = {
    ...journal,
    write: (...all: Parameters<typeof journal.write>) => {
      journal.write(...all)
      throw new Error('killed')
    }
  }
  await expect(signApproved(test.app.context, test.app.chains.withdrawals, { ...signer, journal: dying })).rejects.toThrow(
    'killed'
  )
  await joinJob(test.app.context, async () => signer, claimSigned).run(undefined as never, undefined as never)
  const joined = journal.since('bitcoin', new Date(0)).filter(({ purpose }) => purpose === 'sweep')
  const paying = journal.of(id).flatMap(({ outpoints }) => outpoints)
  expect(joined.length).toBeGreaterThan(0)
  expect(joined.flatMap(({ outpoints }) => outpoints).filter((outpoint) => paying.includes(outpoint))).toEqual([])
  await w.send('bitcoin')
  await w.mine('bitcoin', 3)
  expect((await w.list(customer))[0]).toMatchObject({ state: 'confirmed' })
})

it('that are joined while the signer asks the node for them stop nothing', async () => {
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'bitcoin', 'hot')
  const small = Array.from({ length: COINS }, () => ({ address: hot?.address ?? '', token: 'BTC', amount: units('BTC', 0.001) }))
  await w.pay('bitcoin', ...small)
  await w.mine('bitcoin', 3)
  const customer = await test.customer()
  await w.fund(customer, 'BTC', units('BTC', 0.006))
  await w.confirmed(customer, 'BTC', units('BTC', 0.006), { details: { party: 'self', name: 'Ada Lovelace' } })
  await w.follow('bitcoin')
  const signer = await signing(10n)
  const node: ChainNode = {
    ...signer.node,
    findUnknown: async (asked) => {
      expect(await joinCoins(test.app.context, await signing(1n))).toBe('signed')
      await broadcastDue(test.app.context, signer.node)
      return signer.node.findUnknown(asked)
    }
  }
  await signApproved(test.app.context, test.app.chains.withdrawals, { ...signer, node })
  expect(await findStop(test.app.context.db, 'bitcoin', 'sending')).toBeUndefined()
  await w.mine('bitcoin', 3)
  await signApproved(test.app.context, test.app.chains.withdrawals, await signing(10n))
  expect((await w.list(customer))[0]).toMatchObject({ state: 'signed' })
  await w.send('bitcoin')
  await w.mine('bitcoin', 3)
})
