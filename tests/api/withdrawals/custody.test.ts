/** Sweeps, top-ups, and the comparison of coins on the chains with the ledger. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHAINS, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import {
  broadcastDue,
  type ChainNode,
  findStop,
  houseAddress,
  NodeError,
  openStops,
  replaceStuck,
  sweepDue
} from '#lib/server/chains/index.ts'
import { decideSuspended, suspendedCoins } from '#lib/server/deposits/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { compareCustody, watchCustody } from '#lib/server/withdrawals/index.ts'
import { resumeSending } from '#support/stops.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
})

const compare = async () => {
  const lines = []
  for (const chain of CHAINS) {
    await w.follow(chain)
    lines.push(
      ...((await compareCustody(test.app.context, await test.app.ports.chainNode(chain), test.app.chains.deposits.proof)) ?? [])
    )
  }
  return lines
}
const expectAgreement = async (when: string) => {
  for (const { token, onChain, expected } of await compare()) expect(onChain, `${token} ${when}`).toBe(expected)
}
const lies = async (address: string, token: ChainToken) =>
  (await test.app.ports.chainNode(chainOf(token))).holds({ address, token })

it('moves a token to the hot wallet, with gas that is sent first; the books agree at every step', async () => {
  const customer = await test.customer()
  const address = await w.addressFor(customer, 'USDC')
  await expectAgreement('before')
  await w.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 900) })
  await expectAgreement('while it arrives')
  await w.confirm('ethereum')
  await expectAgreement('credited')
  const hot = await houseAddress(test.app.context.db, test.app.chains.deposits.proof, 'ethereum', 'hot')
  const before = await lies(hot?.address ?? '', 'USDC')
  await w.sweep('ethereum')
  await w.mine('ethereum', 1)
  expect(await lies(address, 'ETH'), 'gas').toBeGreaterThan(0n)
  await expectAgreement('topped up')
  await w.mine('ethereum', 12)
  await w.sweep('ethereum')
  await w.mine('ethereum', 1)
  await expectAgreement('swept, not deep')
  await w.mine('ethereum', 12)
  expect(await lies(address, 'USDC')).toBe(0n)
  expect((await lies(hot?.address ?? '', 'USDC')) - before).toBe(units('USDC', 900))
  await expectAgreement('swept')
  await w.sweep('ethereum')
  await w.sweep('ethereum')
  const open = rowsOf(await test.app.context.db.execute(sql`select id from chain_sends where state = 'signed'`))
  expect(open, 'what is left is not worth moving').toEqual([])
  expect(await w.history(customer), 'gas is no deposit').toHaveLength(1)
})

it('sends no more gas than a sweep may cost, whatever the node says it needs', async () => {
  const { context, chains } = test.app
  const customer = await test.customer()
  const address = await w.addressFor(customer, 'USDC')
  await w.pay('ethereum', { address, token: 'USDC', amount: units('USDC', 700) })
  await w.confirm('ethereum')
  const signing = await chains.signingOf?.('ethereum')
  if (!signing) throw new Error('The test has the seed')
  // 300 ether of gas.
  const lying = { ...signing.node, sizeOf: async () => 15_000_000_000n }
  await sweepDue(context, { ...signing, node: lying })
  await w.mine('ethereum', 1)
  expect(await lies(address, 'ETH')).toBe(0n)
  await w.sweep('ethereum')
  await w.mine('ethereum', 12)
  expect(await lies(address, 'ETH'), 'from an honest one').toBeGreaterThan(0n)
  await w.sweep('ethereum')
  await w.mine('ethereum', 12)
})

it('offers for a sweep no price that its account cannot pay', async () => {
  const { context, chains } = test.app
  const address = await w.addressFor(await test.customer(), 'ETH')
  await w.pay('ethereum', { address, token: 'ETH', amount: units('ETH', 1) })
  await w.confirm('ethereum')
  const signing = await chains.signingOf?.('ethereum')
  if (!signing) throw new Error('The test has the seed')
  await sweepDue(context, signing)
  const sweep = signing.journal.since('ethereum', new Date(0)).findLast(({ purpose }) => purpose === 'sweep')
  const node: ChainNode = { ...signing.node, broadcast: async () => Promise.reject(new NodeError('mempool min fee not met')) }
  await broadcastDue(context, node)
  await w.fault('ethereum', { priceTimes: 2 })
  for (let tries = 0; tries < 3; tries += 1) {
    test.pass(301)
    await replaceStuck(context, signing)
  }
  // All of the account but the first fee goes out: a dearer attempt would need more than there is.
  expect(signing.journal.of(sweep?.sendId ?? '')).toHaveLength(1)
  await w.fault('ethereum', { priceTimes: 1 })
  test.pass(301)
  await w.send('ethereum')
  await w.mine('ethereum', 12)
  expect(await lies(address, 'ETH')).toBeLessThan(units('ETH', 0.1))
  await expectAgreement('swept in a dear hour')
})

it('sends no gas to an address that the signer has not made', async () => {
  const { db } = test.app.context
  const evil = '0x000000000000000000000000000000000000dEaD'
  await db.execute(sql`
    insert into chain_addresses (chain, purpose, position, address, signature, created_at)
    values ('ethereum', 'deposit', 999999, ${evil}, 'x', now())`)
  await w.pay('ethereum', { address: evil, token: 'USDC', amount: units('USDC', 900) })
  await w.confirm('ethereum')
  await w.sweep('ethereum')
  await w.mine('ethereum', 1)
  expect(await lies(evil, 'ETH')).toBe(0n)
})

it.each(['ETH', 'CPC'] as const)('moves %s less what it costs', async (currency) => {
  const customer = await test.customer()
  const address = await w.addressFor(customer, currency)
  const chain = chainOf(currency)
  await w.pay(chain, { address, token: currency, amount: units(currency, 100) })
  await w.confirm(chain)
  await w.sweep(chain)
  await w.mine(chain, 12)
  expect(await lies(address, currency)).toBeLessThan(units(currency, 1))
  await expectAgreement('swept')
})

it('agrees while a withdrawal is on its way, in its first block, and after it', async () => {
  for (const currency of ['BTC', 'ETH', 'CPC'] as const) {
    const customer = await test.customer()
    await w.fund(customer, currency, units(currency, currency === 'CPC' ? 100 : 0.004))
    await w.confirmed(customer, currency, units(currency, currency === 'CPC' ? 100 : 0.004))
    await w.follow(chainOf(currency))
    await w.send(chainOf(currency))
    await expectAgreement(`${currency} sent`)
    await w.mine(chainOf(currency), 1)
    await expectAgreement(`${currency} in a block`)
    await w.mine(chainOf(currency), 12)
    await expectAgreement(`${currency} confirmed`)
  }
  const line = (await compare()).find(({ token }) => token === 'CPC')
  expect(line?.claims).toBeGreaterThan(0n)
})

it('stops sending on a chain whose coins are not those of the books, names the difference, and warns of a full hot wallet', async () => {
  const { context, chains } = test.app
  const node = await test.app.ports.chainNode('cpc')
  const poor: ChainNode = { ...node, holds: async (place, height) => (await node.holds(place, height)) / 2n }
  const said: unknown[] = []
  const log = { ...context.log, error: (...words: unknown[]) => said.push(words) }
  const watched = {
    rates: test.app.ports.rates,
    ceilingCents: chains.ceilingCents,
    floors: chains.cold.floors,
    confirmations: CONFIRMATIONS,
    proof: test.app.chains.deposits.proof
  }
  await watchCustody({ ...context, log: log as never }, 'cpc', { ...watched, nodeOf: async () => node })
  expect(await findStop(context.db, 'cpc', 'sending')).toBeUndefined()
  expect(JSON.stringify(said)).toContain('set up cold storage')
  await watchCustody({ ...context, log: log as never }, 'cpc', { ...watched, nodeOf: async () => poor })
  expect((await findStop(context.db, 'cpc', 'sending'))?.why).toMatch(
    /^The coins are not those of the books. CPC: [\d,.]+ missing$/
  )
})

const CONFIRMATIONS = { BTC: 3, ETH: 12, USDC: 12, CPC: 10 }

/** Compares Ethereum as if its hot wallet held this much more; returns why sending is stopped. */
async function watchWith(difference: bigint): Promise<string[]> {
  const { context } = test.app
  const node = await test.app.ports.chainNode('ethereum')
  await w.follow('ethereum')
  const hot = await houseAddress(context.db, test.app.chains.deposits.proof, 'ethereum', 'hot')
  const other: ChainNode = {
    ...node,
    holds: async (place, height) => {
      const isHotEther = 'token' in place && place.address === hot?.address && place.token === 'ETH'
      return (await node.holds(place, height)) + (isHotEther ? difference : 0n)
    }
  }
  const watched = {
    rates: test.app.ports.rates,
    ceilingCents: test.app.chains.ceilingCents,
    floors: test.app.chains.cold.floors,
    confirmations: CONFIRMATIONS,
    proof: test.app.chains.deposits.proof
  }
  await watchCustody(context, 'ethereum', { ...watched, nodeOf: async () => other })
  return (await openStops(context.db, 'ethereum', 'sending')).map(({ why }) => why)
}
const suspense = async () =>
  BigInt(
    rowsOf<{ sum: string }>(
      await test.app.context.db.execute(
        sql`select coalesce(sum(balance), 0)::text as sum from accounts where kind = 'suspense' and currency = 'ETH'`
      )
    )[0]?.sum ?? 0
  )

it('stops sending where coins are missing, again after an operator has resumed it', async () => {
  const gap = units('ETH', 0.001)
  expect(await watchWith(0n)).toEqual([])
  for (const _ of ['first', 'again']) {
    expect(await watchWith(-gap)).toEqual(['The coins are not those of the books. ETH: 0.001 missing'])
    await resumeSending(test.app.context, 'ethereum', { actor: { kind: 'staff', id: 'grace' }, why: 'Looked at.' })
  }
})

it('stops nothing where coins are too many: what lasts as long as a deposit is booked to suspense, once', async () => {
  const before = await suspense()
  const gift = units('ETH', 0.001)
  expect(await watchWith(gift)).toEqual([])
  await w.mine('ethereum', 10)
  expect(await watchWith(gift)).toEqual([])
  expect(await suspense(), 'not deep yet').toBe(before)
  await w.mine('ethereum', 1)
  expect(await watchWith(gift)).toEqual([])
  expect((await suspense()) - before).toBe(gift)
  await w.mine('ethereum', 12)
  for (const _ of [1, 2]) expect(await watchWith(gift)).toEqual([])
  expect((await suspense()) - before, 'booked once').toBe(gift)
  expect(await watchWith(gift - 1n), 'a later loss of a part is missing').toEqual([
    'The coins are not those of the books. ETH: 0.000000000000000001 missing'
  ])
  await resumeSending(test.app.context, 'ethereum', { actor: { kind: 'staff', id: 'grace' }, why: 'Looked at.' })
})

it('books the least that was there all the time, and nothing that was gone in between', async () => {
  const base = units('ETH', 0.001)
  const before = await suspense()
  await watchWith(base + 50n)
  await w.mine('ethereum', 6)
  await watchWith(base + 30n)
  await w.mine('ethereum', 6)
  await watchWith(base + 40n)
  expect((await suspense()) - before).toBe(30n)
  await watchWith(base + 37n)
  await w.mine('ethereum', 6)
  await watchWith(base + 30n)
  await w.mine('ethereum', 6)
  await watchWith(base + 37n)
  expect((await suspense()) - before, 'gone in between').toBe(30n)
})

it.each([false, true])(
  'takes a deposit that is read later out of the surplus, and never books the coins twice; decided about: %s',
  async (isDecided) => {
    const hidden = units('ETH', 0.05)
    // What the tests before left, the first of these two included.
    const base = units('ETH', 0.001) + 30n + (isDecided ? hidden : 0n)
    await watchWith(base)
    const before = await suspense()
    await watchWith(base + hidden)
    const { height } = await (await test.app.ports.chainNode('ethereum')).tip()
    await w.mine('ethereum', 12)
    await watchWith(base + hidden)
    expect((await suspense()) - before).toBe(hidden)
    const customer = await test.customer()
    const address = await w.addressFor(customer, 'ETH')
    if (isDecided) {
      const coins = (await suspendedCoins(test.app.context.db)).find(({ amount }) => amount === hidden)
      if (!coins) throw new Error('The surplus is in suspense')
      const made = { actor: { kind: 'staff', id: 'grace' }, why: 'They sent a proof.', userId: customer.userId } as const
      expect(await decideSuspended(test.app.context, coins, made)).toBeUndefined()
      expect(await w.spotOf(customer, 'ETH')).toBe(hidden)
    }
    test.pass(1)
    await test.app.context.db.execute(sql`
    insert into deposits (user_id, address_id, chain, currency, amount, transaction_id, payment_index, block_hash, block_height, status, seen_at)
    select ${customer.userId}, a.id, 'ethereum', 'ETH', ${hidden.toString()}::numeric, ${`0xinner${isDecided}`}, 'value.0', b.hash, b.height, 'PENDING', ${test.app.context.clock().toISOString()}::timestamptz
    from chain_addresses a, chain_blocks b where a.address = ${address} and b.chain = 'ethereum' and b.height = ${height}`)
    await w.mine('ethereum', 1)
    expect(await w.spotOf(customer, 'ETH')).toBe(hidden)
    expect(await suspense()).toBe(before)
    expect(await watchWith(base + hidden)).toEqual([])
  }
)
