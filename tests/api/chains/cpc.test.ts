/** CPC against a node that speaks the documented protocol and verifies every signature. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#lib/server/app/config.ts'
import { cpcNode } from '#lib/server/chains/adapters/cpc/node.ts'
import { cpcSigner } from '#lib/server/chains/adapters/cpc/sign.ts'
import { broadcastDue, type ChainNode, followChain, houseAddress } from '#lib/server/chains/index.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { chainsOf } from '#support/chains.ts'
import { signCpc, startCpc } from '#support/cpcNode.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { STRANGER, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let cpc: Awaited<ReturnType<typeof startCpc>>
let node: ChainNode
let customer: Customer
let address: string
let withdrawals: ReturnType<typeof withdrawalsOf>
const CPC = 100_000_000n
const CONFIRMATIONS = 10

beforeAll(async () => {
  cpc = await startCpc()
  node = cpcNode(cpc.url)
  const { seed = new Uint8Array() } = readConfig({}).chains
  test = await createTestApp({
    ports: (ports) => ({ ...ports, chainNode: async () => node, planSigner: async () => cpcSigner(seed) })
  })
  withdrawals = withdrawalsOf(test)
})
beforeEach(async () => {
  customer = await test.customer()
  address = await chainsOf(test).addressFor(customer, 'CPC')
  await follow()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  await cpc.stop()
})

const follow = () => followChain(test.app.context, node, test.app.chains.following)
const history = () => chainsOf(test).history(customer)
const spot = () => chainsOf(test).spotOf(customer, 'CPC')

it('credits what arrived, once, at the tenth confirmation', async () => {
  const txId = await cpc.pay(address, 25n * CPC)
  cpc.mine()
  await follow()
  expect(await history()).toMatchObject([
    { blockchain: 'CPCx0', txId, amount: String(25n * CPC), accountRs: address, status: 'PENDING', confirmations: 1 }
  ])
  cpc.mine(CONFIRMATIONS - 2)
  await follow()
  expect(await spot()).toBe(0n)
  cpc.mine(3)
  await follow()
  await follow()
  expect(await spot()).toBe(25n * CPC)
})

it('shows what is too small, and credits a payment that waits for votes when it has them', async () => {
  await cpc.pay(address, 19n * CPC)
  const approve = cpc.phase(address, 1000n * CPC)
  cpc.mine(CONFIRMATIONS)
  await follow()
  expect(await history()).toMatchObject([{ amount: String(19n * CPC), status: 'TX_CONFIRMED', note: 'small' }])
  approve()
  cpc.mine(CONFIRMATIONS)
  await follow()
  expect(await spot()).toBe(1000n * CPC)
})

it('takes back what a reorganisation removed, and credits it anew with its new block', async () => {
  await cpc.pay(address, 30n * CPC)
  cpc.mine(CONFIRMATIONS)
  await follow()
  expect(await spot()).toBe(30n * CPC)
  cpc.reorganise(CONFIRMATIONS)
  await follow()
  expect(await history()).toMatchObject([{ status: 'CREDITED' }])
  expect(await spot()).toBe(30n * CPC)
  const { lines } = await test.ask(customer, 'getStatement', { query: { currency: 'CPC' } })
  expect(lines.map(({ amount }: { amount: string }) => amount)).toEqual(['3000000000', '-3000000000', '3000000000'])
})

it('has a node that takes nothing with a wrong signature', async () => {
  const body = { publicKey: cpc.richKey, recipient: address, amountNQT: '2000000000', broadcast: 'false' }
  const { unsignedTransactionBytes = '' } = await cpc.ask('sendMoney', body)
  const transactionBytes = signCpc(unsignedTransactionBytes, 'somebody else')
  expect(await cpc.ask('broadcastTransaction', { transactionBytes })).toMatchObject({
    errorDescription: 'Transaction signature verification failed'
  })
})

it('says the time of the newest block', async () => {
  cpc.mine()
  const newest = await node.newestTime?.()
  expect(Math.abs(Date.now() - (newest?.getTime() ?? 0))).toBeLessThan(3_600_000)
})

it('refuses a node of another network, where the first block is known', async () => {
  const genesis = await node.hashAt(0)
  await expect(cpcNode(cpc.url, '1').tip()).rejects.toThrow('another CPC network')
  expect((await cpcNode(cpc.url, genesis).tip()).hash).toMatch(/^\d+$/)
})

it('refuses a node that is silent, refuses us, is scanning, or answers nonsense', async () => {
  await expect(cpcNode('http://127.0.0.1:9/nxt').tip()).rejects.toMatchObject({ name: 'NodeError' })
  await expect(node.blockAt(1_000_000)).rejects.toThrow('Unknown block')
  const said = ['{"lastBlock":"1","numberOfBlocks":7,"isScanning":true}', '{"lastBlock":"x"}', '<html>', '[]']
  const liar = createServer((_, response) => response.end(said.shift()))
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const lying = cpcNode(`http://127.0.0.1:${(liar.address() as AddressInfo).port}/nxt`)
  await expect(lying.tip()).rejects.toThrow('scanning')
  for (let count = 0; count < 3; count += 1) await expect(lying.tip()).rejects.toMatchObject({ name: 'NodeError' })
  liar.close()
})

describe('a withdrawal', () => {
  const context = () => test.app.context
  const sign = async (changed: Partial<ChainNode> = {}) => {
    await follow()
    const signing = await test.app.chains.signingOf?.('cpc')
    if (!signing) throw new Error('The test has the seed')
    await signApproved(context(), test.app.chains.withdrawals, { ...signing, node: { ...node, ...changed } })
  }
  const state = async () => (await withdrawals.list(customer))[0]

  beforeEach(async () => {
    const hot = await houseAddress(context().db, test.app.chains.deposits.proof, 'cpc', 'hot')
    await cpc.pay(hot?.address ?? '', 10_000n * CPC)
    cpc.mine(CONFIRMATIONS)
    await withdrawals.fund(customer, 'CPC', 500n * CPC)
    await withdrawals.confirmed(customer, 'CPC', 100n * CPC)
  })

  it('is paid by bytes that the node prepared and we checked and signed', async () => {
    const before = cpc.balanceOf(STRANGER.CPC)
    await sign()
    expect(await state()).toMatchObject({ state: 'signed' })
    await broadcastDue(context(), node)
    cpc.mine(CONFIRMATIONS)
    await follow()
    expect(await state()).toMatchObject({ state: 'confirmed', received: String(90n * CPC) })
    expect(cpc.balanceOf(STRANGER.CPC) - before).toBe(90n * CPC)
  })

  it.each([
    ['another receiver', 40],
    ['another amount', 48],
    ['another fee', 56],
    ['another sender', 8],
    ['another transaction that it depends on', 64],
    ['an attachment', 160],
    ['another kind', 1]
  ])('is not signed where the node prepared %s', async (_, at) => {
    const lying = async (asked: Parameters<NonNullable<ChainNode['prepare']>>[0]) => {
      const bytes = Buffer.from((await node.prepare?.(asked)) ?? '', 'hex')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes.toString('hex')
    }
    await sign({ prepare: lying })
    expect(await state()).toMatchObject({ state: 'approved', waits: 'refused' })
  })
})
