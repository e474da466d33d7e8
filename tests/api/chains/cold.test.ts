/** Refills out of cold storage against real nodes, signed on another machine; and the proofs that somebody holds a cold key. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { parseTransaction, serializeTransaction } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { CHAINS, type Chain, type ChainToken } from '#lib/domain/chains/chains.ts'
import { readConfig } from '#lib/server/app/config.ts'
import { coldWalletOf } from '#lib/server/app/ports.ts'
import { bitcoinColdWallet, bitcoinRefills } from '#lib/server/chains/adapters/bitcoin/cold.ts'
import { bitcoinNode } from '#lib/server/chains/adapters/bitcoin/node.ts'
import { cpcColdWallet, cpcRefills } from '#lib/server/chains/adapters/cpc/cold.ts'
import { cpcNode } from '#lib/server/chains/adapters/cpc/node.ts'
import { ethereumColdWallet, ethereumRefills } from '#lib/server/chains/adapters/ethereum/cold.ts'
import { ethereumNode } from '#lib/server/chains/adapters/ethereum/node.ts'
import {
  acceptRefill,
  type ChainNode,
  type ColdWallet,
  chainOfFile,
  coldAddress,
  coldChallenge,
  followChain,
  RefillError,
  type RefillFormat,
  writeRefill
} from '#lib/server/chains/index.ts'
import { houseBalance } from '#lib/server/ledger/index.ts'
import { compareCustody } from '#lib/server/withdrawals/index.ts'
import { startBitcoin } from '#support/bitcoinNode.ts'
import { COLD_ENV, signChallenge, signOffline } from '#support/cold.ts'
import { startCpc } from '#support/cpcNode.ts'
import { startEthereum } from '#support/ethereumNode.ts'
import { createTestApp } from '#support/testApp.ts'

const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

/** An application on a real node whose house has coins in cold storage: somebody sent them there. */
async function onNode(chain: Chain, node: ChainNode, format: RefillFormat, wallet: ColdWallet, env: Record<string, string> = {}) {
  const test = await createTestApp({
    env: { ...COLD_ENV, ...env },
    ports: (ports) => ({ ...ports, chainNode: async () => node, coldWallet: async (one) => (one === chain ? wallet : undefined) })
  })
  closers.push(async () => {
    expect((await test.verifyLedger()).problems).toEqual([])
    await test.close()
  })
  const { context, chains } = test.app
  const { proof } = chains.deposits
  const refilling = { node, format, proof, confirmations: chains.following.confirmations, wallet }
  await test.app.sandbox?.chains.fillPool()
  await followChain(context, node, chains.following)
  const cold = (await coldAddress(context.db, proof, wallet))?.address ?? ''
  return {
    cold,
    follow: () => followChain(context, node, chains.following),
    write: async (token: ChainToken, amount: bigint) => (await writeRefill(context, refilling, { token, amount })).file,
    accept: async (file: Uint8Array) => acceptRefill(context, refilling, await format.read(file)),
    expectAgreement: async () => {
      for (const { token, onChain, expected } of (await compareCustody(context, node, test.app.chains.deposits.proof)) ?? [])
        expect([token, onChain]).toEqual([token, expected])
    },
    /** Hot and cold coins by the books. */
    books: async (token: ChainToken) => [
      -(await houseBalance(context.db, 'chain', token)),
      -(await houseBalance(context.db, 'cold', token))
    ]
  }
}

it('Bitcoin: a PSBT for any offline wallet, signed there and paid, once', async () => {
  const bitcoin = await startBitcoin()
  closers.push(bitcoin.stop)
  const own = await onNode(
    'bitcoin',
    bitcoinNode(bitcoin.url, 'regtest'),
    bitcoinRefills('regtest'),
    bitcoinColdWallet(COLD_ENV.COLD_BITCOIN, 'regtest')
  )
  await bitcoin.pay({ address: own.cold, amount: 3_0000_0000n })
  await bitcoin.mine(3)
  await own.follow()
  expect(await own.books('BTC')).toEqual([0n, 3_0000_0000n])
  const file = await own.write('BTC', 5000_0000n)
  expect(chainOfFile(file)).toBe('bitcoin')
  const input = Transaction.fromPSBT(file).getInput(0)
  expect(input.bip32Derivation?.[0]?.[1].path, 'the path of its key').toEqual(
    [84, 1, 0].map((step) => step + 2 ** 31).concat([0, 0])
  )
  await expect(own.accept(file), 'not signed').rejects.toThrow(RefillError)
  expect(Transaction.fromPSBT(file).getOutput(1).bip32Derivation?.[0]?.[1].path, 'its change, which the wallet knows').toEqual(
    [84, 1, 0].map((step) => step + 2 ** 31).concat([1, 0])
  )
  // Whoever carries the file needs no key to make this one: it would hold the coins of cold storage for ever.
  const forged = Transaction.fromPSBT(file)
  const key = input.bip32Derivation?.[0]?.[0]
  for (let at = 0; at < forged.inputsLength; at += 1)
    forged.updateInput(at, { finalScriptWitness: [new Uint8Array(71).fill(7), key as Uint8Array] }, true)
  await expect(own.accept(Buffer.from(bytesToHex(forged.extract()))), 'a signature of nonsense').rejects.toThrow('signatures')
  const signed = await signOffline.bitcoin(file)
  const altered = Transaction.fromPSBT(file)
  altered.addOutputAddress(STRANGER, 1000n, { ...REGTEST })
  await expect(own.accept(await signOffline.bitcoin(altered.toPSBT())), 'another output').rejects.toThrow(
    'neither the hot wallet'
  )
  // As base64 text, which some wallets write.
  expect(chainOfFile(Buffer.from(base64.encode(signed)))).toBe('bitcoin')
  expect(await own.accept(Buffer.from(base64.encode(signed)))).toMatchObject({ amount: 5000_0000n, isBroadcast: true })
  await expect(own.accept(signed), 'twice').rejects.toThrow('accepted before')
  await bitcoin.mine()
  await own.follow()
  await own.expectAgreement()
  await bitcoin.mine(3)
  await own.follow()
  await own.expectAgreement()
  const [hot = 0n, cold = 0n] = await own.books('BTC')
  expect(hot).toBe(5000_0000n)
  expect(cold).toBeLessThan(2_5000_0000n)
  expect(cold).toBeGreaterThan(2_4999_0000n)
  // The change came back, and pays the next one; as a whole transaction, which other wallets write.
  const next = Transaction.fromPSBT(await signOffline.bitcoin(await own.write('BTC', 1000_0000n)))
  next.finalize()
  expect((await own.accept(Buffer.from(bytesToHex(next.extract())))).isBroadcast).toBe(true)
  await bitcoin.mine(4)
  await own.follow()
  await own.expectAgreement()
})
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

it('Ethereum: ether and the token, as unsigned transactions', async () => {
  const ethereum = await startEthereum()
  closers.push(ethereum.stop)
  const contracts = { USDC: ethereum.token }
  const onMissingTraces = () => expect.unreachable('this node has traces')
  const own = await onNode(
    'ethereum',
    ethereumNode({ url: ethereum.url, chainId: 31_337, contracts, onMissingTraces }),
    ethereumRefills(31_337, contracts),
    ethereumColdWallet(COLD_ENV.COLD_ETHEREUM, 31_337),
    { USDC_CONTRACT: ethereum.token }
  )
  await ethereum.send(own.cold, 10n ** 18n)
  await ethereum.mint(ethereum.token, own.cold, 900_000_000n)
  await ethereum.mine(12)
  await own.follow()
  for (const [token, amount] of [
    ['USDC', 400_000_000n],
    ['ETH', 3n * 10n ** 17n]
  ] as const) {
    const file = await own.write(token, amount)
    expect(chainOfFile(file)).toBe('ethereum')
    await expect(own.accept(file), 'not signed').rejects.toThrow('not signed')
    const signed = await signOffline.ethereum(file)
    const { r, s, v: _, yParity, ...rest } = parseTransaction(Buffer.from(signed).toString() as never) as SignedFields
    const other = { r, s: `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}` as const, yParity: 1 - yParity }
    await expect(own.accept(Buffer.from(serializeTransaction(rest as never, other))), 'its other form').rejects.toThrow('form')
    expect(await own.accept(signed)).toMatchObject({ token, amount, isBroadcast: true })
    await expect(own.accept(signed), 'twice').rejects.toThrow('accepted before')
    await ethereum.mine()
    await own.follow()
    await own.expectAgreement()
    await ethereum.mine(12)
    await own.follow()
    await own.expectAgreement()
    expect((await own.books(token))[0]).toBe(amount)
  }
  expect((await own.books('USDC'))[1]).toBe(500_000_000n)
  await expect(own.write('USDC', 500_000_001n), 'too much').rejects.toThrow('does not hold')
})

type SignedFields = { r: `0x${string}`; s: `0x${string}`; v: bigint; yParity: number }
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

it('CPC: unsigned bytes, which expire', async () => {
  const cpc = await startCpc()
  closers.push(cpc.stop)
  const honest = cpcNode(cpc.url)
  let isLying = false
  const node: ChainNode = {
    ...honest,
    prepare: async (asked) => {
      const bytes = Buffer.from((await honest.prepare?.(asked)) ?? '', 'hex')
      if (isLying) bytes.writeBigUInt64LE(890n * 10n ** 8n, 48)
      return bytes.toString('hex')
    }
  }
  const own = await onNode(
    'cpc',
    node,
    cpcRefills('CPC'),
    cpcColdWallet(COLD_ENV.COLD_CPC, { prefix: 'CPC', genesis: undefined })
  )
  await cpc.pay(own.cold, 900n * 10n ** 8n)
  cpc.mine(10)
  await own.follow()
  isLying = true
  await expect(own.write('CPC', 100n * 10n ** 8n), 'another amount than was asked for').rejects.toThrow('its amount')
  isLying = false
  const file = await own.write('CPC', 100n * 10n ** 8n)
  expect(chainOfFile(file)).toBe('cpc')
  await expect(own.accept(file), 'not signed').rejects.toThrow('not signed')
  const early = Buffer.from(Buffer.from(file).toString(), 'hex')
  early.writeUInt32LE(early.readUInt32LE(2) + 90_000, 2)
  const ahead = await signOffline.cpc(Buffer.from(early.toString('hex')))
  await expect(own.accept(ahead), 'of tomorrow').rejects.toThrow('expires later')
  const late = Buffer.from(Buffer.from(file).toString(), 'hex')
  late.writeUInt32LE(late.readUInt32LE(2) - 90_000, 2)
  await expect(own.accept(await signOffline.cpc(Buffer.from(late.toString('hex')))), 'expired').rejects.toThrow('expired')
  const other = Buffer.from(Buffer.from(file).toString(), 'hex')
  other.writeBigUInt64LE(77n, 40)
  await expect(own.accept(await signOffline.cpc(Buffer.from(other.toString('hex')))), 'to another').rejects.toThrow(
    'neither the hot wallet'
  )
  expect((await own.accept(await signOffline.cpc(file))).isBroadcast).toBe(true)
  cpc.mine(1)
  await own.follow()
  await own.expectAgreement()
  cpc.mine(10)
  await own.follow()
  await own.expectAgreement()
  expect(await own.books('CPC')).toEqual([100n * 10n ** 8n, 799n * 10n ** 8n])
})

describe('the proof that somebody holds a cold key', () => {
  const { chains } = readConfig(COLD_ENV)
  const walletOf = async (chain: Chain, config = chains) => {
    const wallet = await coldWalletOf(config, chain)
    if (!wallet) throw new Error('It is in the settings')
    return wallet
  }

  it.each(CHAINS)('is a signature of the challenge on %s, and of nothing else', async (chain) => {
    const wallet = await walletOf(chain)
    const challenge = coldChallenge(wallet)
    expect(await wallet.isSigned(challenge, await signChallenge[chain](challenge))).toBe(true)
    expect(await wallet.isSigned(challenge, await signChallenge[chain](`${challenge}.`)), 'another text').toBe(false)
    for (const nonsense of ['', 'x', '0x00', '0'.repeat(160), 'A'.repeat(88)])
      expect(await wallet.isSigned(challenge, nonsense)).toBe(false)
  })

  it('is for one key of one network', async () => {
    const main = await walletOf('ethereum', readConfig({ ...COLD_ENV, ETHEREUM_CHAIN_ID: '1', USDC_CONTRACT: '' }).chains)
    const other = await walletOf(
      'ethereum',
      readConfig({ ...COLD_ENV, ETHEREUM_CHAIN_ID: '5', USDC_CONTRACT: COLD_ENV.COLD_ETHEREUM }).chains
    )
    expect(main.id).not.toBe(other.id)
    expect(() => bitcoinColdWallet(COLD_ENV.COLD_BITCOIN, 'main')).toThrow('no extended public key of the network main')
  })
})

it('the journal’s commands show the challenge and keep its signature', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cold-'))
  closers.push(async () => rmSync(folder, { recursive: true }))
  const env = { ...process.env, ...COLD_ENV, SIGNER_JOURNAL: `${folder}/signer.sqlite` }
  const run = (...words: string[]) =>
    execFileSync('node', ['src/lib/server/app/journal.tool.ts', ...words], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    })
  const [challenge = '', first] = run('challenge', 'ethereum').trim().split('\n')
  expect(first).toBe(`First address: ${COLD_ENV.COLD_ETHEREUM}`)
  const by = ['--why', 'Set up']
  expect(() => run('prove', 'ethereum', '0x00', ...by)).toThrow('is not that of the key')
  expect(run('prove', 'ethereum', await signChallenge.ethereum(challenge), ...by)).toContain('Kept.')
})
