/** Sweeps, top-ups, and the comparison of coins on the chains with the ledger. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHAINS, type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { type ChainNode, findStop, houseAddress, openStops, resumeSending } from '#lib/server/chains/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { compareCustody, watchCustody } from '#lib/server/withdrawals/index.ts'
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
    lines.push(...((await compareCustody(test.app.context, await test.app.ports.chainNode(chain))) ?? []))
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
  const watched = { rates: test.app.ports.rates, ceilingCents: chains.ceilingCents }
  await watchCustody({ ...context, log: log as never }, 'cpc', { ...watched, nodeOf: async () => node })
  expect(await findStop(context.db, 'cpc', 'sending')).toBeUndefined()
  expect(JSON.stringify(said)).toContain('move coins to cold storage')
  await watchCustody({ ...context, log: log as never }, 'cpc', { ...watched, nodeOf: async () => poor })
  expect((await findStop(context.db, 'cpc', 'sending'))?.why).toMatch(
    /^The coins are not those of the books. CPC: [\d,.]+ missing$/
  )
})

it('stops sending where coins are too many; resumed, the same surplus does not stop it again, another one and missing coins do', async () => {
  const { context } = test.app
  const node = await test.app.ports.chainNode('ethereum')
  await w.follow('ethereum')
  const hot = await houseAddress(context.db, test.app.chains.deposits.proof, 'ethereum', 'hot')
  const watch = async (difference: bigint) => {
    const other: ChainNode = {
      ...node,
      holds: async (place, height) => {
        const isHotEther = 'address' in place && place.address === hot?.address && place.token === 'ETH'
        return (await node.holds(place, height)) + (isHotEther ? difference : 0n)
      }
    }
    const watched = { rates: test.app.ports.rates, ceilingCents: test.app.chains.ceilingCents }
    await watchCustody(context, 'ethereum', { ...watched, nodeOf: async () => other })
    return (await openStops(context.db, 'ethereum', 'sending')).map(({ why }) => why)
  }
  const resume = () => resumeSending(context, 'ethereum', { actor: { kind: 'staff', id: 'grace' }, why: 'A gift.' })
  const [gift, words] = [units('ETH', 0.001), 'The coins are not those of the books. ETH: 0.001 too many']
  expect(await watch(0n)).toEqual([])
  expect(await watch(gift)).toEqual([words])
  expect(await watch(gift)).toEqual([words])
  await resume()
  expect(await watch(gift)).toEqual([])
  expect(await watch(gift + 1n)).toEqual(['The coins are not those of the books. ETH: 0.001000000000000001 too many'])
  await resume()
  for (const _ of ['first', 'again']) {
    expect(await watch(-gift)).toEqual(['The coins are not those of the books. ETH: 0.001 missing'])
    await resume()
  }
})
