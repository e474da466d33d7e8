/** Bitcoin against a real node. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinedSize } from '#lib/domain/chains/coins.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { bitcoinNode } from '#lib/server/chains/adapters/bitcoin/node.ts'
import { bitcoinSigner } from '#lib/server/chains/adapters/bitcoin/sign.ts'
import {
  broadcastDue,
  type ChainNode,
  findStop,
  followChain,
  houseAddress,
  joinCoins,
  openJournal,
  replaceStuck
} from '#lib/server/chains/index.ts'
import { freeCoins } from '#lib/server/chains/sending/plan.ts'
import { signSend } from '#lib/server/chains/sending/send.ts'
import { compareCustody } from '#lib/server/withdrawals/custody.ts'
import { signApproved } from '#lib/server/withdrawals/index.ts'
import { olderForm } from '#support/bitcoinForms.ts'
import { startBitcoin } from '#support/bitcoinNode.ts'
import { chainsOf } from '#support/chains.ts'
import { resumeSending } from '#support/stops.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'
import { units, withdrawalsOf } from '#support/withdrawals.ts'

let test: TestApp
let bitcoin: Awaited<ReturnType<typeof startBitcoin>>
let node: ChainNode
let customer: Customer
let address: string
let withdrawals: ReturnType<typeof withdrawalsOf>
const BTC = 100_000_000n
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

beforeAll(async () => {
  bitcoin = await startBitcoin()
  node = bitcoinNode(bitcoin.url, 'regtest')
  const { seed = new Uint8Array() } = readConfig({}).chains
  test = await createTestApp({
    ports: (ports) => ({ ...ports, chainNode: async () => node, planSigner: async () => bitcoinSigner(seed, 'regtest') })
  })
  withdrawals = withdrawalsOf(test)
})
beforeEach(async () => {
  customer = await test.customer()
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

it('credits what was paid to the older spelling of an address, and spends it', async () => {
  await bitcoin.pay({ address: olderForm(address), amount: BTC / 50n })
  await bitcoin.mine(3)
  await follow()
  expect(await history()).toMatchObject([{ amount: String(BTC / 50n), status: 'CREDITED', p2wpkh_address: address }])
  expect(await spot()).toBe(BTC / 50n)
  const { db } = test.app.context
  const signing = await test.app.chains.signingOf?.('bitcoin')
  if (!signing) throw new Error('The test has the seed')
  const [coin] = (await freeCoins(db, signing.proof, 3)).filter(({ isOlderForm }) => isOlderForm)
  const hot = await houseAddress(db, signing.proof, 'bitcoin', 'hot')
  if (!coin || !hot) throw new Error('The coin is there')
  const { most } = await node.price()
  const outcome = await signSend(test.app.context, signing, {
    id: randomUUID(),
    purpose: 'sweep',
    payout: { to: hot.address, token: 'BTC', amount: coin.amount - joinedSize([coin]) * most },
    coins: [coin],
    mostFee: joinedSize([coin]) * most,
    cents: 0n,
    claim: async () => true
  })
  expect(outcome).toBe('signed')
  await broadcastDue(test.app.context, node)
  await bitcoin.mine(3)
  await follow()
  expect((await freeCoins(db, signing.proof, 3)).map(({ outpoint }) => outpoint)).not.toContain(coin.outpoint)
  const [line] = (await compareCustody(test.app.context, node, test.app.chains.deposits.proof)) ?? []
  expect(line?.onChain).toBe(line?.expected)
})

it('says the time of the newest block', async () => {
  await bitcoin.mine()
  const newest = await node.newestTime?.()
  expect(Math.abs(Date.now() - (newest?.getTime() ?? 0))).toBeLessThan(3_600_000)
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
    // Changes one byte of the last output's script: another receiver.
    const forged = `${raw.slice(0, -20)}${raw.slice(-20, -18) === '00' ? '01' : '00'}${raw.slice(-18)}`
    response.end(JSON.stringify({ result: method === 'getblock' ? forged : await bitcoin.rpc(method, ...params), error: null }))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const lying = bitcoinNode(`http://127.0.0.1:${(liar.address() as AddressInfo).port}/`, 'regtest')
  await expect(lying.blockAt(height)).rejects.toThrow(/other transactions than its header says|can't be read/)
  liar.close()
})

it('refuses a block without its proof of work, and one that is easier than the network allows', async () => {
  const { hash } = await node.tip()
  const raw = await bitcoin.rpc<string>('getblock', hash, false)
  const digest = (data: Uint8Array) => sha256(sha256(data))
  /** The block with another bits field, or with the first nonce whose hash has this first byte in Bitcoin's notation. */
  const forge = (change: { bits?: string; isHard: boolean }) => {
    const header = hexToBytes(raw.slice(0, 160))
    if (change.bits) header.set(hexToBytes(change.bits), 72)
    for (let nonce = 0; ; nonce += 1) {
      new DataView(header.buffer).setUint32(76, nonce, true)
      const found = digest(header).toReversed()
      if ((found[0] ?? 0) >= 0x80 === change.isHard) continue
      return { hash: bytesToHex(found), raw: bytesToHex(header) + raw.slice(160) }
    }
  }
  const answerWith = async (forged: { hash: string; raw: string }) => {
    const liar = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { method, params } = JSON.parse(text)
      const result = method === 'getblock' ? forged.raw : params[0] === 0 ? await bitcoin.rpc(method, 0) : forged.hash
      response.end(JSON.stringify({ result, error: null }))
    })
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`
    return bitcoinNode(url, 'regtest')
      .blockAt(5)
      .finally(() => liar.close())
  }
  await expect(answerWith(forge({ isHard: true })), 'enough work').resolves.toMatchObject({ height: 5 })
  await expect(answerWith(forge({ isHard: false }))).rejects.toThrow('lacks its proof of work')
  await expect(answerWith(forge({ isHard: true, bits: 'ffff7f21' })), 'too easy').rejects.toThrow('lacks its proof of work')
})

it('neither credits nor spends newly mined coins for a hundred blocks', async () => {
  await bitcoin.mine(1, address)
  await bitcoin.mine(5)
  await follow()
  expect(await history()).toMatchObject([{ status: 'PENDING', confirmations: 6, confirmationsNeeded: 100 }])
  const free = async () =>
    (await freeCoins(test.app.context.db, test.app.chains.deposits.proof, 3)).filter((coin) => coin.address.address === address)
  expect(await free()).toEqual([])
  await bitcoin.mine(93)
  await follow()
  expect(await spot()).toBe(0n)
  expect(await free()).toEqual([])
  await bitcoin.mine(1)
  await follow()
  expect(await spot()).toBeGreaterThan(0n)
  expect(await free()).toHaveLength(1)
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

describe('a withdrawal', () => {
  const context = () => test.app.context
  async function signing() {
    const found = await test.app.chains.signingOf?.('bitcoin')
    if (!found) throw new Error('The test has the seed')
    return found
  }
  const sign = async () => {
    await follow()
    await signApproved(context(), test.app.chains.withdrawals, await signing())
  }
  const state = async () => (await withdrawals.list(customer))[0]
  const idOf = (bytes: string) => Transaction.fromRaw(hexToBytes(bytes)).id
  const outputsOf = async (id: string) =>
    (await bitcoin.rpc<{ vout: { value: number; scriptPubKey: { addresses?: string[] } }[] }>('getrawtransaction', id, true)).vout

  beforeEach(async () => {
    // Withdrawals are paid with coins at customers' addresses: Bitcoin needs no sweep.
    await bitcoin.pay({ address, amount: BTC / 200n }, { address, amount: (3n * BTC) / 1000n })
    await bitcoin.mine(3)
    await follow()
  })

  it('is paid with confirmed coins, change comes back, and the node takes the signature', async () => {
    await withdrawals.confirmed(customer, 'BTC', units('BTC', 0.004))
    await sign()
    await broadcastDue(context(), node)
    const { transactionId } = await state()
    const [paid, change] = await outputsOf(transactionId)
    expect(paid?.value).toBe(0.00397)
    expect(change).toBeDefined()
    await bitcoin.mine(3)
    await follow()
    expect(await state()).toMatchObject({ state: 'confirmed', transactionId })
    expect(await history(), 'change is no deposit').toHaveLength(2)
  })

  it.each([
    ['its newer spelling', (to: string) => to],
    ['its older spelling', olderForm]
  ])('to another customer’s address, in %s, is paid and credited there like any other', async (_, spelling) => {
    const other = await test.customer()
    const theirs = await chainsOf(test).addressFor(other, 'BTC')
    await withdrawals.confirmed(customer, 'BTC', units('BTC', 0.004), { to: spelling(theirs) })
    await sign()
    await broadcastDue(context(), node)
    await bitcoin.mine(3)
    await follow()
    expect(await state()).toMatchObject({ state: 'confirmed' })
    expect(await chainsOf(test).spotOf(other, 'BTC')).toBe(units('BTC', 0.00397))
    expect(await chainsOf(test).history(other), 'the change is no deposit').toHaveLength(1)
    const [line] = (await compareCustody(context(), node, test.app.chains.deposits.proof)) ?? []
    expect(line?.onChain).toBe(line?.expected)
  })

  it('sends its change to an address that nobody was paid at before, and that change pays the next one', async () => {
    const changeOf = async (id: string) => (await outputsOf(id))[1]?.scriptPubKey.addresses?.[0]
    const used: unknown[] = []
    for (const amount of [0.004, 0.003]) {
      await chainsOf(test).fillPool()
      const id = await withdrawals.confirmed(customer, 'BTC', units('BTC', amount))
      await sign()
      await broadcastDue(context(), node)
      const mine = async () => (await withdrawals.list(customer)).find((one) => one.id === id)
      used.push(await changeOf((await mine()).transactionId))
      await bitcoin.mine(3)
      await follow()
      expect(await mine()).toMatchObject({ state: 'confirmed' })
    }
    expect(new Set(used).size).toBe(2)
    const { proof, confirmations } = await signing()
    const coins = await freeCoins(context().db, proof, confirmations.BTC)
    expect(coins.map((coin) => coin.address.address)).toContain(used[1])
  })

  it('that is stuck gets a dearer attempt with the same coins; whichever the miners take counts', async () => {
    await withdrawals.confirmed(customer, 'BTC', units('BTC', 0.003))
    await sign()
    // The first attempt never reaches the miners.
    await broadcastDue(context(), { ...node, broadcast: async () => undefined })
    const { transactionId } = await state()
    test.pass(3600)
    await replaceStuck(context(), await signing())
    const { transactionId: dearer } = await state()
    expect(dearer).not.toBe(transactionId)
    await broadcastDue(context(), {
      ...node,
      broadcast: async (bytes) => (dearer === idOf(bytes) ? node.broadcast(bytes) : undefined)
    })
    await bitcoin.mine(3)
    await follow()
    expect(await state()).toMatchObject({ state: 'confirmed', transactionId: dearer })
  })

  it('may confirm by its first attempt after a dearer one was made', async () => {
    await withdrawals.confirmed(customer, 'BTC', units('BTC', 0.003))
    await sign()
    await broadcastDue(context(), node)
    const { transactionId } = await state()
    test.pass(3600)
    await replaceStuck(context(), await signing())
    await broadcastDue(context(), node)
    await bitcoin.mine(3)
    await follow()
    expect(await state()).toMatchObject({ state: 'confirmed', transactionId })
  })

  it('that a lost signer has sent already is not sent again: the chain shows it', async () => {
    await withdrawals.confirmed(customer, 'BTC', units('BTC', 0.002))
    await follow()
    const { sign: plan, ...rest } = await signing()
    let bytes = ''
    // A lost copy of the signer: it signs and broadcasts, but its journal and the database have no record of it.
    const journal = openJournal(undefined)
    const lost = {
      ...rest,
      journal: {
        ...journal,
        write: () => {
          throw new Error('lost')
        }
      },
      sign: async (drawn: Parameters<typeof plan>[0]) => {
        const signed = await plan(drawn)
        bytes = signed.bytes
        return signed
      }
    }
    await signApproved(context(), test.app.chains.withdrawals, lost)
    expect(await state()).toMatchObject({ state: 'approved', waits: 'refused' })
    await node.broadcast(bytes)
    await bitcoin.mine()
    const { txid, index } = Transaction.fromRaw(hexToBytes(bytes)).getInput(0)
    const outpoints = [`${bytesToHex(txid ?? new Uint8Array())}:${index}`]
    const known = { address: '', nextNonce: 0n, onTheWay: [] }
    expect(await node.findUnknown({ ...known, outpoints })).toContain('is spent')
    await sign()
    expect(await state()).toMatchObject({ state: 'approved', waits: 'halted' })
    expect((await findStop(context().db, 'bitcoin', 'sending'))?.why).toContain('none of ours')
    await resumeSending(context(), 'bitcoin', { actor: { kind: 'staff', id: 'grace' }, why: 'Looked at' })
  })
})

it('a wallet of many small coins waits with its reason, and pays once these were joined in a cheap hour', async () => {
  // The last test of this file: another application with the same seed, which begins to read here.
  const { seed = new Uint8Array() } = readConfig({}).chains
  const own = await createTestApp({
    ports: (ports) => ({ ...ports, chainNode: async () => node, planSigner: async () => bitcoinSigner(seed, 'regtest') })
  })
  const { context, chains } = own.app
  const w = withdrawalsOf(own)
  const step = async (blocks = 3) => {
    if (blocks > 0) await bitcoin.mine(blocks)
    await followChain(context, node, chains.following)
  }
  await w.fillPool()
  await step(0)
  const found = await chains.signingOf?.('bitcoin')
  if (!found) throw new Error('The test has the seed')
  const hot = await houseAddress(context.db, found.proof, 'bitcoin', 'hot')
  await bitcoin.pay(...Array.from({ length: 90 }, () => ({ address: hot?.address ?? '', amount: BTC / 1000n })))
  await step()
  const at = (most: bigint) => ({ ...found, node: { ...node, price: async () => ({ most, tip: 0n }) } })
  const coins = () => freeCoins(context.db, found.proof, found.confirmations.BTC)
  const rich = await own.customer()
  await w.fund(rich, 'BTC', units('BTC', 0.08))
  await w.confirmed(rich, 'BTC', units('BTC', 0.04), { details: { party: 'self', name: 'Ada Lovelace' } })
  await signApproved(context, chains.withdrawals, at(10n))
  expect((await w.list(rich))[0]).toMatchObject({ state: 'approved', waits: 'small_coins' })
  expect(await joinCoins(context, at(10n)), 'too dear').toBeUndefined()
  expect(await joinCoins(context, at(2n))).toBe('signed')
  await broadcastDue(context, node)
  await step()
  expect(await coins()).toHaveLength(31)
  await signApproved(context, chains.withdrawals, at(10n))
  await broadcastDue(context, node)
  await step()
  expect((await w.list(rich))[0]).toMatchObject({ state: 'confirmed' })
  const [line] = (await compareCustody(context, node, chains.deposits.proof)) ?? []
  expect(line?.onChain).toBe(line?.expected)
  await own.close()
})
