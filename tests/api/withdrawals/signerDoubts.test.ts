/** The signer and the custody check where the database, a node or a price says something wrong. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { chainOf } from '#lib/domain/chains/chains.ts'
import { agreeingNode } from '#lib/server/chains/adapters/agreeing.ts'
import { broadcastDue, type ChainNode, findStop, followChain, houseAddress, replaceStuck } from '#lib/server/chains/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { mostFeeOf } from '#lib/server/withdrawals/fee.ts'
import { compareCustody, differencesOf, signApproved, uncoveredOf } from '#lib/server/withdrawals/index.ts'
import { behindTheBack } from '#support/behindTheBack.ts'
import { resumeSending } from '#support/stops.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let w: ReturnType<typeof withdrawalsOf>
let customer: Customer
const staff = { kind: 'staff', id: 'grace' } as const

beforeAll(async () => {
  test = await createTestApp()
  w = withdrawalsOf(test)
  await w.stock()
})
beforeEach(async () => {
  test.pass(25 * 3600)
  customer = await test.customer()
})
afterAll(() => test.close())

const db = () => test.app.context.db
const proof = () => test.app.chains.deposits.proof
const first = async () => (await w.list(customer))[0]
async function signing(currency: ChainToken) {
  const found = await test.app.chains.signingOf?.(chainOf(currency))
  if (!found) throw new Error('The test has the seed')
  return found
}
async function approved(currency: ChainToken, amount: number): Promise<string> {
  await w.fund(customer, currency, units(currency, amount))
  const id = await w.confirmed(customer, currency, units(currency, amount))
  await w.follow(chainOf(currency))
  return id
}

it('a CPC payment that is in a block is not signed again, whatever the database says about it', async () => {
  const id = await approved('CPC', 100)
  await w.send('cpc')
  const before = await w.received('CPC')
  await w.mine('cpc', 1)
  // One statement of whoever has the worker's password, before the block is deep.
  await behindTheBack(db(), sql`update chain_attempts set height = null, block_hash = null where send_id = ${id}`)
  test.pass(25 * 3600)
  await w.mine('cpc', 11)
  await w.replace('cpc')
  await w.mine('cpc', 2)
  expect((await signing('CPC')).journal.of(id)).toHaveLength(1)
  expect((await w.received('CPC')) - before).toBe(units('CPC', 90))
  await behindTheBack(db(), sql`update chain_attempts set height = 1, block_hash = 'x' where send_id = ${id}`)
  await w.mine('cpc', 1)
  expect(await first()).toMatchObject({ state: 'confirmed' })
})

it('a CPC node that hides a payment and moves time on pays nothing twice beside an honest second one', async () => {
  const { context, chains, ports } = test.app
  const honest = await ports.chainNode('cpc')
  let ahead = 0n
  const liar: ChainNode = {
    ...honest,
    knows: async () => false,
    blockAt: async (height) => {
      const block = await honest.blockAt(height)
      const transactions = block.transactions.filter(({ payments }) => !payments.some(({ address }) => address === STRANGER.CPC))
      return { ...block, time: (block.time ?? 0n) + ahead, transactions }
    }
  }
  const node = agreeingNode(liar, honest, 10)
  const id = await approved('CPC', 100)
  await signApproved(context, chains.withdrawals, { ...(await signing('CPC')), node })
  await broadcastDue(context, honest)
  ahead = 14_400n
  await w.mine('cpc', 12)
  await expect(followChain(context, node, chains.following)).resolves.toBeUndefined()
  await expect(agreeingNode(liar, honest, 10).blockAt((await honest.tip()).height)).rejects.toThrow('different blocks')
  await replaceStuck(context, { ...(await signing('CPC')), node })
  expect((await signing('CPC')).journal.of(id)).toHaveLength(1)
  expect(await first()).toMatchObject({ state: 'confirmed' })
})

it('a nonce that nobody has reached is not used: sending stops', async () => {
  const hot = await houseAddress(db(), proof(), 'ethereum', 'hot')
  const id = await approved('ETH', 0.1)
  const nonce = (value: number | string) => sql`
    insert into chain_accounts (address_id, next_nonce) values (${hot?.id.toString()}::bigint, ${String(value)}::bigint)
    on conflict (address_id) do update set next_nonce = excluded.next_nonce`
  const [account] = rowsOf<{ next: string }>(
    await db().execute(sql`select next_nonce::text as next from chain_accounts where address_id = ${hot?.id.toString()}::bigint`)
  )
  await behindTheBack(db(), nonce(1000))
  await w.send('ethereum')
  expect((await signing('ETH')).journal.of(id)).toEqual([])
  expect((await findStop(db(), 'ethereum', 'sending'))?.why).toContain('names 1000 as the next nonce')
  await behindTheBack(db(), nonce(account?.next ?? 0))
  await resumeSending(test.app.context, 'ethereum', { actor: staff, why: 'Put right' })
  await w.carryOut('ETH')
  expect(await first()).toMatchObject({ state: 'confirmed' })
})

it('a price that is far too low does not lift the highest network fee', async () => {
  const rates = await test.app.ports.rates.current()
  const cheap = { ...rates, pricesUsd: { ...rates.pricesUsd, values: { ...rates.pricesUsd.values, ETH: '0.0001' } } }
  expect(mostFeeOf(rates, 'USDC')).toBeLessThan(units('ETH', 0.05))
  expect(mostFeeOf(cheap, 'USDC')).toBe(units('ETH', 0.05))
})

it('a lost CPC payment that has expired is over: it holds no coins for ever', async () => {
  await approved('CPC', 100)
  await w.carryOut('CPC')
  const { journal, limits } = await signing('CPC')
  const [entry] = journal.since('cpc', new Date(0)).slice(-1)
  if (!entry) throw new Error('Something was signed')
  const [sendId, transactionId] = [randomUUID(), 'f'.repeat(64)]
  const bytes = entry.bytes.replace(entry.transactionId, transactionId)
  journal.write([{ ...entry, sendId, transactionId, bytes, cents: 0n, at: test.app.context.clock() }], limits)
  await w.send('cpc')
  await resumeSending(test.app.context, 'cpc', { actor: staff, why: 'It was never sent' })
  test.pass(25 * 3600)
  await w.mine('cpc', 12)
  expect(rowsOf(await db().execute(sql`select purpose, state from chain_sends where id = ${sendId}`))).toEqual([
    { purpose: 'lost', state: 'failed' }
  ])
})

it('coins at addresses that the signer has not signed, or that a coin does not pay, hide no loss', async () => {
  const compared = async (chain: 'bitcoin' | 'ethereum') =>
    (await compareCustody(test.app.context, await test.app.ports.chainNode(chain), proof())) ?? []
  for (const [chain, token, rich] of [
    ['bitcoin', 'BTC', STRANGER.BTC],
    ['ethereum', 'ETH', '0x000000000000000000000000000000000000dEaD']
  ] as const) {
    const before = await compared(chain)
    const txid = await w.pay(chain, { address: rich, token, amount: units(token, 20) })
    await w.mine(chain, 1)
    if (chain === 'bitcoin')
      await db().execute(sql`
        insert into chain_outputs (chain, outpoint, address_id, amount, height)
        select 'bitcoin', ${`${txid}:0`}, id, 2000000000, 1 from chain_addresses where chain = 'bitcoin' and purpose = 'hot' limit 1`)
    else
      await db().execute(sql`
        insert into chain_addresses (chain, purpose, position, address, signature, created_at)
        values ('ethereum', 'hot', 77, ${rich}, 'x', now())`)
    const after = await compared(chain)
    expect(after.map(({ onChain }) => onChain)).toEqual(before.map(({ onChain }) => onChain))
    expect(differencesOf(after)).toEqual([])
  }
  await db().execute(sql`delete from chain_outputs where height = 1 and amount = 2000000000`)
})

it('customers are covered while a withdrawal is in a block and not settled', async () => {
  await approved('BTC', 0.01)
  await w.send('bitcoin')
  await w.mine('bitcoin', 1)
  const lines = (await compareCustody(test.app.context, await test.app.ports.chainNode('bitcoin'), proof())) ?? []
  const exact = lines.map((line) => ({ ...line, claims: line.onChain + line.leaving, owed: 0n }))
  expect(lines[0]?.leaving).toBeGreaterThan(0n)
  expect(uncoveredOf(exact)).toEqual([])
  expect(uncoveredOf(exact.map((line) => ({ ...line, claims: line.claims + 1n })))).toHaveLength(1)
  await w.mine('bitcoin', 12)
})
