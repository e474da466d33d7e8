/** Bitcoin against a real node. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bitcoinNode } from '#lib/server/chains/bitcoin/node.ts'
import { type ChainNode, followChain } from '#lib/server/chains/index.ts'
import { startBitcoin } from '#support/bitcoinNode.ts'
import { chainsOf } from '#support/chains.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let bitcoin: Awaited<ReturnType<typeof startBitcoin>>
let node: ChainNode
let customer: Customer
let address: string
const BTC = 100_000_000n
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

beforeAll(async () => {
  bitcoin = await startBitcoin()
  node = bitcoinNode(bitcoin.url, 'regtest')
  test = await createTestApp({ ports: (ports) => ({ ...ports, chainNode: async () => node }) })
})
beforeEach(async () => {
  customer = await test.signUp()
  address = await chainsOf(test).addressFor(customer, 'BTC')
  await follow()
})
afterAll(async () => {
  expect((await test.verifyLedger()).problems).toEqual([])
  await test.close()
  await bitcoin.stop()
})

const follow = () => followChain(test.app.context, node, test.app.chains.following)
const history = () => chainsOf(test).history(customer)
const spot = () => chainsOf(test).spotOf(customer, 'BTC')

it('credits what arrived, once, at the third confirmation', async () => {
  const txId = await bitcoin.pay({ address, amount: BTC })
  await bitcoin.mine()
  await follow()
  expect(await history()).toMatchObject([
    { blockchain: 'BTC', txId, amount: String(BTC), status: 'PENDING', confirmations: 1, p2wpkh_address: address }
  ])
  await bitcoin.mine()
  await follow()
  expect(await spot()).toBe(0n)
  await bitcoin.mine(4)
  await follow()
  await follow()
  expect(await spot()).toBe(BTC)
})

it('counts two outputs of one transaction as two, an old address as the customer’s, and a stranger’s as nobody’s', async () => {
  const other = await chainsOf(test).addressFor(customer, 'BTC', true)
  await bitcoin.pay(
    { address, amount: BTC },
    { address: STRANGER, amount: BTC },
    { address: other, amount: BTC / 2n },
    { address, amount: BTC / 4n }
  )
  await bitcoin.mine(3)
  await follow()
  expect(await spot()).toBe((BTC * 7n) / 4n)
})

it('shows dust and does not credit it', async () => {
  await bitcoin.pay({ address, amount: 9_999n })
  await bitcoin.mine(3)
  await follow()
  expect(await history()).toMatchObject([{ status: 'TX_CONFIRMED', note: 'small' }])
})

it('takes back what a reorganisation removed, and credits it anew with its new block', async () => {
  await bitcoin.pay({ address, amount: BTC })
  await bitcoin.mine()
  await follow()
  await bitcoin.reorganise(1)
  await follow()
  expect(await history()).toMatchObject([{ confirmations: 2, status: 'PENDING', note: null }])
  await bitcoin.mine(2)
  await follow()
  expect(await spot()).toBe(BTC)
  const [before] = await history()
  await bitcoin.reorganise(5)
  await follow()
  const [after] = await history()
  expect(after).toMatchObject({ txId: before.txId, status: 'CREDITED' })
  expect(after.id).not.toBe(before.id)
  expect(await spot()).toBe(BTC)
})

it('finds the ids, parents and spent outputs that the node itself names', async () => {
  await bitcoin.pay({ address: STRANGER, amount: BTC })
  const [hash] = await bitcoin.mine()
  const told = await bitcoin.rpc<{ previousblockhash: string; tx: { txid: string; vin: { txid?: string; vout?: number }[] }[] }>(
    'getblock',
    hash,
    true,
    true
  )
  const { height } = await node.tip()
  const block = await node.blockAt(height)
  expect(block).toMatchObject({ hash, parent: told.previousblockhash })
  expect(block.transactions.map(({ id }) => id)).toEqual(told.tx.map(({ txid }) => txid))
  const [input] = told.tx[1]?.vin ?? []
  expect(block.transactions[1]?.spends).toEqual([`${input?.txid}:${input?.vout}`])
})

it('refuses a node of another network, and transactions that are not those of the header', async () => {
  await expect(bitcoinNode(bitcoin.url, 'main').tip()).rejects.toThrow('The node is not one of the network "main"')
  const { height, hash } = await node.tip()
  const raw = await bitcoin.rpc<string>('getblock', hash, false)
  const liar = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method, params } = JSON.parse(text)
    // The last byte of an output's script: another receiver.
    const forged = `${raw.slice(0, -20)}${raw.slice(-20, -18) === '00' ? '01' : '00'}${raw.slice(-18)}`
    response.end(JSON.stringify({ result: method === 'getblock' ? forged : await bitcoin.rpc(method, ...params), error: null }))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const lying = bitcoinNode(`http://127.0.0.1:${(liar.address() as AddressInfo).port}/`, 'regtest')
  await expect(lying.blockAt(height)).rejects.toThrow(/other transactions than its header says|can't be read/)
  liar.close()
})

it('refuses a node that is silent, refuses us, or answers another block', async () => {
  await expect(bitcoinNode('http://127.0.0.1:9/', 'regtest').tip()).rejects.toMatchObject({ name: 'NodeError' })
  await expect(bitcoinNode(bitcoin.url.replace('secret', 'wrong'), 'regtest').tip()).rejects.toMatchObject({ name: 'NodeError' })
  const genesisHash = await bitcoin.rpc<string>('getblockhash', 0)
  const genesis = await bitcoin.rpc<string>('getblock', genesisHash, false)
  const liar = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method, params } = JSON.parse(text)
    const [first] = params
    const hash = first === 0 ? genesisHash : 'ab'.repeat(32)
    response.end(JSON.stringify({ result: method === 'getblock' ? genesis : hash, error: null }))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`
  await expect(bitcoinNode(url, 'regtest').blockAt(1)).rejects.toThrow('is not the one of its hash')
  await expect(bitcoinNode(url, 'regtest').tip()).rejects.toThrow('answered something else')
  liar.close()
})
