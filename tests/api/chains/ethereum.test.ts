/** Ethereum and its tokens against a real node. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keccak256, pad, toBytes } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#lib/server/app/config.ts'
import { agreeingNode } from '#lib/server/chains/adapters/agreeing.ts'
import { ethereumNode } from '#lib/server/chains/adapters/ethereum/node.ts'
import { ethereumSigner } from '#lib/server/chains/adapters/ethereum/sign.ts'
import {
  broadcastDue,
  type ChainNode,
  followChain,
  houseAddress,
  NodeError,
  orderSend,
  replaceStuck,
  sweepDue
} from '#lib/server/chains/index.ts'
import { compareCustody, signApproved } from '#lib/server/withdrawals/index.ts'
import { chainsOf } from '#support/chains.ts'
import { startEthereum } from '#support/ethereumNode.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { COLLEAGUE_ENV, colleague, operator, STRANGER, units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let ethereum: Awaited<ReturnType<typeof startEthereum>>
let node: ChainNode
let customer: Customer
let address: string
let withdrawals: ReturnType<typeof withdrawalsOf>
const ETH = 10n ** 18n
const CONFIRMATIONS = 12
const fail = () => expect.unreachable('this node has traces')

beforeAll(async () => {
  ethereum = await startEthereum()
  node = ethereumNode({ url: ethereum.url, chainId: 31_337, contracts: { USDC: ethereum.token }, onMissingTraces: fail })
  const { seed = new Uint8Array() } = readConfig({}).chains
  const signer = ethereumSigner(seed, 31_337, { USDC: ethereum.token })
  test = await createTestApp({
    env: { USDC_CONTRACT: ethereum.token, ...COLLEAGUE_ENV },
    ports: (ports) => ({ ...ports, chainNode: async () => node, planSigner: async () => signer })
  })
  withdrawals = withdrawalsOf(test)
})
beforeEach(async () => {
  customer = await test.customer()
  address = await chainsOf(test).addressFor(customer, 'ETH')
  await follow()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  await ethereum.stop()
})

const follow = () => followChain(test.app.context, node, test.app.chains.following)
const confirm = async () => {
  await ethereum.mine(CONFIRMATIONS)
  await follow()
}
const history = () => chainsOf(test).history(customer)
const spot = (currency: string) => chainsOf(test).spotOf(customer, currency)

it('credits ether and the token, each once, with the digits of the registry', async () => {
  const hash = await ethereum.send(address, ETH)
  await ethereum.mint(ethereum.token, address, 25_000_000n)
  await ethereum.mine()
  await follow()
  expect(await history()).toMatchObject([
    { blockchain: 'ETH', currency: 'USDC', amount: '25000000', status: 'PENDING', confirmations: 1, receiver: address },
    { currency: 'ETH', amount: String(ETH), transactionHash: hash }
  ])
  await confirm()
  await confirm()
  expect([await spot('ETH'), await spot('USDC')]).toEqual([ETH, 25_000_000n])
})

it('credits what a contract passes on, and nothing of a call that was undone', async () => {
  await ethereum.forward(address, ETH / 2n)
  await ethereum.forwardAndFail(address, ETH / 4n)
  await ethereum.failing(ethereum.token, address)
  await ethereum.mine()
  await confirm()
  expect((await history()).map(({ amount, status }) => [amount, status])).toEqual([[String(ETH / 2n), 'CREDITED']])
})

it('counts two payments of one transaction as two', async () => {
  await ethereum.mintTwice(ethereum.token, address, 6_000_000n)
  await ethereum.mine()
  await confirm()
  expect(await spot('USDC')).toBe(12_000_000n)
})

it('shows dust and a token that we do not support, and credits neither', async () => {
  await ethereum.send(address, ETH / 1000n)
  await ethereum.mint(ethereum.otherToken, address, 7n)
  await ethereum.mine()
  await confirm()
  expect((await history()).map(({ currency, note, status }) => [currency, note, status])).toEqual([
    [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), 'unsupported', 'TX_CONFIRMED'],
    ['ETH', 'small', 'TX_CONFIRMED']
  ])
  expect(await spot('ETH')).toBe(0n)
})

it('takes back what a reorganisation removed, before and after the credit', async () => {
  await ethereum.send(address, ETH)
  await ethereum.mine()
  await follow()
  await ethereum.reorganise(1)
  await ethereum.mine()
  await follow()
  expect(await history()).toMatchObject([{ status: 'PENDING', note: 'reorganised' }])
  await ethereum.send(address, ETH)
  await ethereum.mine()
  await confirm()
  expect(await spot('ETH')).toBe(ETH)
  await ethereum.reorganise(CONFIRMATIONS + 1)
  await ethereum.mine()
  await follow()
  expect(await spot('ETH')).toBe(0n)
})

it('reads without traces where the node has none: what a contract passes on is then not seen', async () => {
  const told: string[] = []
  let isLate = true
  const proxy = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = JSON.parse(text)
    const missing = { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method does not exist' } }
    const body =
      method === 'trace_block'
        ? JSON.stringify(isLate ? { jsonrpc: '2.0', id, result: [] } : missing)
        : await (
            await fetch(ethereum.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
          ).text()
    response.end(body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const plain = ethereumNode({
    url,
    chainId: 31_337,
    contracts: { USDC: ethereum.token },
    onMissingTraces: () => told.push('no traces')
  })
  await ethereum.send(address, ETH)
  await ethereum.forward(address, ETH / 2n)
  await ethereum.mine()
  const { height } = await plain.tip()
  // While the node has not traced the block completely, ordinary transfers would be lost too.
  await expect(plain.blockAt(height)).rejects.toThrow('is not traced completely')
  isLate = false
  const { transactions } = await plain.blockAt(height)
  await plain.blockAt(height)
  expect(told, 'said once').toEqual(['no traces'])
  const both = (await node.blockAt(height)).transactions
  const toUs = (found: typeof transactions) => found.flatMap(({ payments }) => payments.filter((one) => one.address === address))
  expect(toUs(transactions)).toEqual([{ index: 'value', address, token: 'ETH', amount: ETH }])
  expect(toUs(both).map(({ index, amount }) => [index, amount])).toEqual([
    ['value', ETH],
    ['value.0', ETH / 2n]
  ])
  proxy.close()
})

/** The node, with answers that `change` makes. */
async function proxied(change: (method: string, answer: Record<string, unknown>) => object) {
  const proxy = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const asked = await fetch(ethereum.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.end(JSON.stringify(change(JSON.parse(body).method, (await asked.json()) as Record<string, unknown>)))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const onMissingTraces = () => {
    throw new NodeError('no traces')
  }
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const contracts = { USDC: ethereum.token }
  return { node: ethereumNode({ url, chainId: 31_337, contracts, onMissingTraces }), close: () => proxy.close() }
}

it('refuses a node that has no traces for every block, where they are wanted', async () => {
  const missing = { code: -32_601, message: 'the method does not exist' }
  const plain = await proxied((method, { id, ...answer }) =>
    method === 'trace_block' ? { jsonrpc: '2.0', id, error: missing } : { id, ...answer }
  )
  const { height } = await plain.node.tip()
  for (const _ of ['once', 'again']) await expect(plain.node.blockAt(height)).rejects.toThrow('no traces')
  plain.close()
})

it('believes no payment that an honest second node does not show, although both have the same hashes', async () => {
  const made = {
    address: ethereum.token,
    topics: [keccak256(toBytes('Transfer(address,address,uint256)')), `0x${'0'.repeat(64)}`, pad(address as `0x${string}`)],
    data: pad('0x174876e800')
  }
  const liar = await proxied((method, answer) =>
    method === 'eth_getBlockReceipts' && Array.isArray(answer.result)
      ? { ...answer, result: answer.result.map((receipt: object) => ({ ...receipt, logs: [made] })) }
      : answer
  )
  await ethereum.send('0x000000000000000000000000000000000000dEaD', 1n)
  await ethereum.mine(14)
  const { following } = test.app.chains
  await expect(followChain(test.app.context, agreeingNode(liar.node, node, 3), following)).rejects.toThrow(
    'different payments of ours'
  )
  // Hidden by the first one is as bad as made up.
  await expect(followChain(test.app.context, agreeingNode(node, liar.node, 3), following)).rejects.toThrow(
    'different payments of ours'
  )
  expect(await history()).toEqual([])
  // One that is behind is waited for: what both have is read.
  const { height } = await node.tip()
  const behind = { ...node, tip: async () => ({ height: height - 1, hash: await node.hashAt(height - 1) }) }
  const both = agreeingNode(node, behind, 3)
  await followChain(test.app.context, both, following)
  expect((await both.tip()).height).toBe(height - 1)
  liar.close()
  await follow()
})

it('says the time of the newest block', async () => {
  await ethereum.mine()
  const newest = await node.newestTime?.()
  expect(Math.abs(Date.now() - (newest?.getTime() ?? 0))).toBeLessThan(3_600_000)
})

it('refuses a node of another network, one that is silent and one that answers nonsense', async () => {
  const wrong = ethereumNode({ url: ethereum.url, chainId: 1, contracts: {}, onMissingTraces: fail })
  await expect(wrong.tip()).rejects.toThrow('The node speaks for network 31337, not for 1')
  const silent = ethereumNode({ url: 'http://127.0.0.1:9', chainId: 1, contracts: {}, onMissingTraces: fail })
  await expect(silent.tip()).rejects.toMatchObject({ name: 'NodeError' })
  const liar = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{"number":"seven"}}'))
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const lying = ethereumNode({
    url: `http://127.0.0.1:${(liar.address() as AddressInfo).port}`,
    chainId: 1,
    contracts: {},
    onMissingTraces: fail
  })
  await expect(lying.tip()).rejects.toMatchObject({ name: 'NodeError' })
  liar.close()
})

describe('a withdrawal', () => {
  const context = () => test.app.context
  async function signing() {
    const found = await test.app.chains.signingOf?.('ethereum')
    if (!found) throw new Error('The test has the seed')
    return found
  }
  const sign = async () => {
    await follow()
    await signApproved(context(), test.app.chains.withdrawals, await signing())
    await broadcastDue(context(), node)
  }
  const state = async () => (await withdrawals.list(customer))[0]
  const balance = (token: 'ETH' | 'USDC') => node.holds({ address: STRANGER[token], token })

  beforeEach(async () => {
    const hot = await houseAddress(context().db, test.app.chains.deposits.proof, 'ethereum', 'hot')
    await ethereum.send(hot?.address ?? '', 2n * ETH)
    await ethereum.mint(ethereum.token, hot?.address ?? '', 1_000_000_000n)
    await ethereum.mine()
    await confirm()
  })

  it.each(['ETH', 'USDC'] as const)('of %s arrives, by transactions in the order of their nonces', async (token) => {
    const amount = token === 'ETH' ? 0.05 : 40
    const before = await balance(token)
    await withdrawals.fund(customer, token, units(token, 2 * amount))
    await withdrawals.confirmed(customer, token, units(token, amount))
    test.pass(1)
    await withdrawals.confirmed(customer, token, units(token, amount))
    await sign()
    await ethereum.mine()
    await confirm()
    expect(await withdrawals.list(customer)).toMatchObject([{ state: 'confirmed' }, { state: 'confirmed' }])
    const fee = token === 'ETH' ? 0.0008 : 3
    expect((await balance(token)) - before).toBe(2n * units(token, amount - fee))
  })

  it('leaves from coins that were swept, after gas was sent for them; coins and books agree', async () => {
    await ethereum.mint(ethereum.token, address, 300_000_000n)
    await ethereum.mine()
    await confirm()
    for (let step = 0; step < 3; step += 1) {
      await sweepDue(context(), await signing())
      await broadcastDue(context(), node)
      await ethereum.mine()
      await confirm()
    }
    expect(await node.holds({ address, token: 'USDC' })).toBe(0n)
    const lines = await compareCustody(context(), node, test.app.chains.deposits.proof)
    // Only ETH is compared: the test of a failing transfer drains USDC behind the contract's back.
    const ether = lines?.find(({ token }) => token === 'ETH')
    expect(ether?.onChain).toBe(ether?.expected)
  })

  it('to a contract that sends the ether back to a deposit address is credited there; nobody else waits', async () => {
    const contract = await ethereum.boomerang(address)
    await withdrawals.fund(customer, 'ETH', units('ETH', 0.05))
    await withdrawals.confirmed(customer, 'ETH', units('ETH', 0.05), { to: contract })
    await sign()
    await ethereum.mine()
    await confirm()
    expect(await state()).toMatchObject({ state: 'confirmed' })
    expect(await spot('ETH')).toBe(units('ETH', 0.0492))
    const ether = (await compareCustody(context(), node, test.app.chains.deposits.proof))?.find(({ token }) => token === 'ETH')
    expect(ether?.onChain).toBe(ether?.expected)
  })

  it('to a contract that uses too much gas waits as refused, and costs us nothing', async () => {
    const contract = await ethereum.burner()
    await withdrawals.fund(customer, 'ETH', units('ETH', 0.05))
    await withdrawals.confirmed(customer, 'ETH', units('ETH', 0.05), { to: contract })
    await sign()
    expect(await state()).toMatchObject({ state: 'approved', waits: 'refused' })
    expect((await test.send('POST', `/users/withdraw/${(await state()).id}/cancel`, { token: customer.token })).status).toBe(200)
  })

  it('of a token whose contract answers "no" without failing is not booked as paid', async () => {
    await ethereum.deaf(ethereum.token, true)
    const before = await balance('USDC')
    await withdrawals.fund(customer, 'USDC', units('USDC', 40))
    await withdrawals.confirmed(customer, 'USDC', units('USDC', 40))
    await sign()
    await ethereum.mine()
    await ethereum.deaf(ethereum.token, false)
    await confirm()
    expect(await balance('USDC')).toBe(before)
    expect(await state()).toMatchObject({ state: 'given_back' })
  })

  it('that is stuck is replaced at the same nonce', async () => {
    await withdrawals.fund(customer, 'ETH', units('ETH', 0.1))
    await withdrawals.confirmed(customer, 'ETH', units('ETH', 0.1))
    await sign()
    const { transactionId } = await state()
    test.pass(3600)
    await replaceStuck(context(), await signing())
    await broadcastDue(context(), node)
    await ethereum.mine()
    await confirm()
    const ended = await state()
    expect(ended).toMatchObject({ state: 'confirmed' })
    expect(ended.transactionId).not.toBe(transactionId)
  })

  it.each(['bump', 'cancel'] as const)('that no block takes, because gas is dear, ends by an order: %s', async (kind) => {
    await withdrawals.fund(customer, 'ETH', units('ETH', 0.1))
    const id = await withdrawals.confirmed(customer, 'ETH', units('ETH', 0.1))
    const before = await balance('ETH')
    // Signed while gas was cheap. From then on a block wants more than three times our fee would pay.
    await sign()
    const dear = 200_000_000_000n
    for (let count = 0; count < 2; count += 1) {
      await ethereum.client.setNextBlockBaseFeePerGas({ baseFeePerGas: dear })
      await ethereum.mine()
      await follow()
    }
    expect(await state(), 'no block takes it').toMatchObject({ state: 'signed' })
    test.pass(400)
    const other = await test.customer()
    await withdrawals.fund(other, 'ETH', units('ETH', 0.1))
    await withdrawals.confirmed(other, 'ETH', units('ETH', 0.1))
    await sign()
    expect((await withdrawals.list(other))[0], 'nothing is signed behind it').toMatchObject({ state: 'approved', waits: 'stuck' })
    await replaceStuck(context(), await signing())
    const { journal } = await signing()
    expect(journal.of(id), 'by itself it pays no more').toHaveLength(1)
    const asked = { sendId: id, kind, mostFee: units('ETH', 0.05) }
    for (const by of [operator, colleague])
      expect(await orderSend(context(), asked, { ...by, why: 'It has waited for hours.' })).toBe(true)
    await replaceStuck(context(), await signing())
    await broadcastDue(context(), node)
    await ethereum.client.setNextBlockBaseFeePerGas({ baseFeePerGas: dear })
    await ethereum.mine()
    await ethereum.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    await confirm()
    const paid = (await balance('ETH')) - before
    if (kind === 'bump') expect([(await state()).state, paid]).toEqual(['confirmed', units('ETH', 0.0992)])
    else {
      expect([(await state()).state, paid]).toEqual(['given_back', 0n])
      expect(await withdrawals.holding(customer, 'ETH')).toMatchObject({ spot: units('ETH', 0.1), outgoing: 0n })
    }
    await sign()
    await ethereum.mine()
    await confirm()
    expect((await withdrawals.list(other))[0], 'those behind it go on').toMatchObject({ state: 'confirmed' })
    const lines = await compareCustody(context(), node, test.app.chains.deposits.proof)
    const ether = lines?.find(({ token }) => token === 'ETH')
    expect(ether?.onChain).toBe(ether?.expected)
  })

  it('that is undone in its block is given back, and only its fee is lost', async () => {
    await withdrawals.fund(customer, 'USDC', units('USDC', 40))
    await withdrawals.confirmed(customer, 'USDC', units('USDC', 40))
    await sign()
    const hot = await houseAddress(context().db, test.app.chains.deposits.proof, 'ethereum', 'hot')
    // Removes the hot wallet's tokens before the block, so that the transfer fails in it.
    await ethereum.drain(ethereum.token, hot?.address ?? '')
    await ethereum.mine()
    await confirm()
    expect(await state()).toMatchObject({ state: 'given_back' })
    // The network fee is not given back.
    expect(await withdrawals.holding(customer, 'USDC')).toMatchObject({ spot: units('USDC', 37), outgoing: 0n })
  })
})
