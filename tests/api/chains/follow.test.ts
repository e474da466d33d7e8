import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sandboxChain } from '#lib/server/chains/adapters/sandbox.ts'
import { sandboxMine, sandboxPay, sandboxReorganise } from '#lib/server/chains/adapters/sandboxWorld.ts'
import { type BlockListener, type ChainNode, followChain, resumeChain } from '#lib/server/chains/index.ts'
import { NodeError } from '#lib/server/chains/port.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { chainsOf } from '#support/chains.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let node: ChainNode
let heard: string[]
const BTC = 100_000_000n

const listener: BlockListener = {
  added: async (_, { height, payments }) => {
    heard.push(`+${height}${payments.map(({ amount }) => ` ${amount}`).join('')}`)
  },
  removed: async (_, __, fromHeight) => {
    heard.push(`-${fromHeight}`)
  },
  grown: async (_, height) => {
    heard.push(`=${height}`)
  }
}

beforeAll(async () => {
  test = await createTestApp()
  node = sandboxChain(test.app.context, 'bitcoin')
})
beforeEach(async () => {
  heard = []
  for (const table of ['chain_blocks', 'chain_outputs', 'chain_stops', 'sandbox_blocks', 'sandbox_mempool'])
    await test.app.context.db.execute(sql.raw(`delete from ${table}`))
})
afterAll(() => test.close())

const following = () => ({ ...test.app.chains.following, blocks: [listener], sends: [] })
const follow = (from: ChainNode = node) => followChain(test.app.context, from, following())
const mine = (count = 1) => sandboxMine(test.app.context, 'bitcoin', count)
const kept = async () =>
  rowsOf<{ count: number }>(await test.app.context.db.execute(sql`select count(*)::int as count from chain_blocks`))[0]?.count

it('starts at the newest block, then reads every block once and in order, however long it was away', async () => {
  await mine(5)
  await follow()
  await mine(3)
  await follow()
  await follow()
  expect(heard).toEqual(['+5', '=5', '+6', '+7', '+8', '=8', '=8'])
})

it('credits once what came while the watcher was down for a day', async () => {
  const chains = chainsOf(test)
  const customer = await test.customer()
  const address = await chains.addressFor(customer, 'BTC')
  await chains.follow('bitcoin')
  for (let day = 0; day < 144; day += 1) {
    if (day % 50 === 0) await sandboxPay(test.app.context, 'bitcoin', [{ address, token: 'BTC', amount: BTC }])
    await mine()
  }
  await chains.follow('bitcoin')
  await chains.follow('bitcoin')
  expect(await chains.spotOf(customer, 'BTC')).toBe(3n * BTC)
  expect(await kept()).toBe(100)
  expect((await test.verifyLedger()).problems).toEqual([])
})

it('is read by two workers at once as by one', async () => {
  const chains = chainsOf(test)
  const customer = await test.customer()
  const address = await chains.addressFor(customer, 'BTC')
  await chains.follow('bitcoin')
  await sandboxPay(test.app.context, 'bitcoin', [{ address, token: 'BTC', amount: BTC }])
  await mine(8)
  await Promise.all([chains.follow('bitcoin'), chains.follow('bitcoin'), chains.follow('bitcoin')])
  expect(await chains.spotOf(customer, 'BTC')).toBe(BTC)
  await sandboxReorganise(test.app.context, 'bitcoin', 8, true)
  await Promise.all([chains.follow('bitcoin'), chains.follow('bitcoin'), chains.follow('bitcoin')])
  expect(await chains.spotOf(customer, 'BTC')).toBe(0n)
  expect(await chains.history(customer)).toHaveLength(1)
  expect((await test.verifyLedger()).problems).toEqual([])
})

it('waits for a node that is behind, and takes nothing back', async () => {
  await mine(3)
  await follow()
  const behind: ChainNode = { ...node, tip: async () => ({ height: 1, hash: await node.hashAt(1) }) }
  await follow(behind)
  expect(heard).toEqual(['+3', '=3', '=3'])
})

it.each<[string, (right: ChainNode) => Partial<ChainNode>]>([
  ['is silent', () => ({ tip: () => Promise.reject(new NodeError('timeout')) })],
  ['answers another block', (right) => ({ blockAt: async (at) => ({ ...(await right.blockAt(at)), height: at + 1 }) })],
  ['answers without a hash', (right) => ({ blockAt: async (at) => ({ ...(await right.blockAt(at)), hash: '' }) })],
  [
    'answers a payment below zero',
    (right) => ({
      blockAt: async (at) => ({
        ...(await right.blockAt(at)),
        transactions: [{ id: 'a', senders: [], spends: [], payments: [{ index: '0', address: 'x', token: 'BTC', amount: -1n }] }]
      })
    })
  ],
  [
    'names a transaction twice',
    (right) => ({
      blockAt: async (at) => ({
        ...(await right.blockAt(at)),
        transactions: ['a', 'a'].map((id) => ({ id, senders: [], spends: [], payments: [] }))
      })
    })
  ]
])('changes nothing where the node %s, and goes on where it is right again', async (_, wrong) => {
  await mine(2)
  await follow()
  await mine(1)
  await expect(follow({ ...node, ...wrong(node) })).rejects.toThrow(NodeError)
  expect(await kept()).toBe(1)
  await follow()
  expect(heard).toEqual(['+2', '=2', '+3', '=3'])
})

it('goes back to where the chain was reorganised, and reads the new blocks', async () => {
  await mine(2)
  await follow()
  await mine(5)
  await follow()
  heard = []
  await sandboxReorganise(test.app.context, 'bitcoin', 3)
  await follow()
  expect(heard).toEqual(['-5', '+5', '+6', '+7', '+8', '=8'])
})

it('takes a chain back that was replaced by one of the same length', async () => {
  await mine(2)
  await follow()
  await mine(2)
  await follow()
  heard = []
  const tip = await node.tip()
  await sandboxReorganise(test.app.context, 'bitcoin', 1)
  const shorter: ChainNode = { ...node, tip: async () => ({ height: tip.height, hash: await node.hashAt(tip.height) }) }
  await follow(shorter)
  expect(heard).toEqual(['-4', '+4', '=4'])
})

it('stops at a reorganisation deeper than 100 blocks, raises an alarm, and goes on when somebody says so', async () => {
  const chains = chainsOf(test)
  const customer = await test.customer()
  const address = await chains.addressFor(customer, 'BTC')
  await chains.follow('bitcoin')
  await sandboxPay(test.app.context, 'bitcoin', [{ address, token: 'BTC', amount: BTC }])
  await mine(105)
  await chains.follow('bitcoin')
  await sandboxPay(test.app.context, 'bitcoin', [{ address, token: 'BTC', amount: BTC }])
  await mine(4)
  await chains.follow('bitcoin')
  expect(await chains.spotOf(customer, 'BTC')).toBe(2n * BTC)
  await sandboxReorganise(test.app.context, 'bitcoin', 106)
  const said: unknown[] = []
  const log = { ...test.app.context.log, error: (...words: unknown[]) => said.push(words) }
  await followChain({ ...test.app.context, log: log as never }, node, following())
  expect(said).toHaveLength(1)
  await chains.mine('bitcoin', 3)
  expect(heard).toEqual([])
  expect(await chains.spotOf(customer, 'BTC')).toBe(2n * BTC)
  const staff = { kind: 'staff', id: 'grace' } as const
  const real = test.app.chains.following
  const by = { actor: staff, why: 'Looked at it' }
  await expect(resumeChain(test.app.context, node, real, { ...by, fromHeight: 5000 })).rejects.toThrow('beyond what was read')
  await expect(resumeChain(test.app.context, node, real, { ...by, fromHeight: 50 })).rejects.toThrow('give a lower one')
  await resumeChain(test.app.context, node, real, { actor: staff, why: 'Looked at it', fromHeight: 1 })
  await chains.follow('bitcoin')
  // Both were taken back, and credited again from their new blocks.
  expect((await chains.history(customer)).map(({ status }) => status)).toEqual(['CREDITED', 'CREDITED'])
  expect(await chains.spotOf(customer, 'BTC')).toBe(2n * BTC)
  expect((await test.verifyLedger()).problems).toEqual([])
})
