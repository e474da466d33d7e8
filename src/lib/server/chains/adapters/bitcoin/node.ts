/**
 * Bitcoin through the JSON-RPC of Bitcoin Core. Blocks are read as bytes: their hash is computed here, and amounts never pass through a
 * floating-point number. Source: https://developer.bitcoin.org/reference/rpc/
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, CompactSize, RawTx } from '@scure/btc-signer'
import { array, bytes, struct } from 'micro-packed'
import { z } from 'zod'
import type { Networks } from '#lib/domain/chains/address.ts'
import { type Block, type ChainNode, type ChainTransaction, NodeError, type Place } from '../../port.ts'
import { requestJson } from '../request.ts'
import { BITCOIN_NETWORKS } from './networks.ts'

const HEADER_BYTES = 80
const PARENT_FROM = 4
const ROOT_FROM = 36
const HASH_BYTES = 32
const TIME_FROM = 68
const BITS_FROM = 72
/**
 * The easiest target that a block may have: the hash, read as a number, must not be above it. A made-up block then costs what a real one
 * costs. `main`: a difficulty of 10,000,000,000,000, less than a tenth of that of 2026; `test` and `regtest`: the networks' own limits.
 */
const DIFFICULTY_1 = 0xffffn << 208n
const EASIEST_TARGET: Record<Networks['bitcoin'], bigint> = {
  main: DIFFICULTY_1 / 10_000_000_000_000n,
  test: DIFFICULTY_1,
  regtest: 0x7fffffn << 232n
}
/** The first block of each network. */
const GENESIS: Record<Networks['bitcoin'], string> = {
  main: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  test: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
}
/** What stands before and after the 20 bytes of a key's hash: P2WPKH, the script of all our addresses, and P2PKH, the older one. */
const KEY_HASH_SCRIPTS = [
  { before: [0x00, 0x14], after: [], isOlderForm: false },
  { before: [0x76, 0xa9, 0x14], after: [0x88, 0xac], isOlderForm: true }
]
const KEY_HASH_BYTES = 20

const RawBlock = struct({ header: bytes(HEADER_BYTES), transactions: array(CompactSize, RawTx) })
const answer = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).nullish() })
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const headerHex = z.string().regex(/^[0-9a-f]{160}$/)

/** Satoshi per virtual byte, if the node has no estimate. It may be too low: a stuck payment is replaced by one with a higher fee. */
const FALLBACK_PRICE = 10
const ESTIMATED_BLOCKS = 4
const SATOSHI = 100_000_000
const coin = z.object({ value: z.number().nonnegative(), scriptPubKey: z.object({ hex: z.string() }) }).nullable()
/** In bitcoin per thousand virtual bytes. Bitcoin Core calls it `feerate`, other nodes `fee`. */
const estimate = z.object({ feerate: z.number().optional(), fee: z.number().optional() })

const doubleHash = (data: Uint8Array) => sha256(sha256(data))
/** In Bitcoin's notation of hashes: double SHA-256, bytes reversed. */
const hashOf = (data: Uint8Array) => bytesToHex(doubleHash(data).toReversed())
/** The hash of the key that an output pays, if it is of one of the two kinds. */
function keyHashOf(script: Uint8Array): { hash: Uint8Array; isOlderForm: boolean } | undefined {
  for (const { before, after, isOlderForm } of KEY_HASH_SCRIPTS) {
    const hash = script.subarray(before.length, before.length + KEY_HASH_BYTES)
    const whole = [...before, ...hash, ...after]
    if (hash.length === KEY_HASH_BYTES && script.length === whole.length && whole.every((byte, at) => script[at] === byte))
      return { hash, isOlderForm }
  }
  return undefined
}

const hashIn = (header: Uint8Array, from: number) => bytesToHex(header.slice(from, from + HASH_BYTES).toReversed())

const numberIn = (header: Uint8Array, from: number) =>
  new DataView(header.buffer, header.byteOffset, header.byteLength).getUint32(from, true)

/** The target that a header claims, in its compact form: three bytes of digits and one of length. */
function targetOf(header: Uint8Array): bigint {
  const bits = numberIn(header, BITS_FROM)
  const [digits, length] = [BigInt(bits & 0x7f_ff_ff), BigInt(bits >>> 24)]
  return length <= 3n ? digits >> (8n * (3n - length)) : digits << (8n * (length - 3n))
}

/** The Merkle root, as in the header: hashes of pairs of hashes until one is left; an odd last one is paired with itself. */
function rootOf(ids: string[]): string {
  let level = ids.map((id) => hexToBytes(id).toReversed())
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => [
      level[2 * at],
      level[2 * at + 1] ?? level[2 * at]
    ])
    level = pairs.map(([left, right]) => doubleHash(Uint8Array.from([...(left ?? []), ...(right ?? [])])))
  }
  return bytesToHex((level[0] ?? new Uint8Array()).toReversed())
}

/** `url` contains the user and password of the RPC, e.g. `http://user:password@127.0.0.1:8332/`. */
export function bitcoinNode(url: string, network: Networks['bitcoin']): ChainNode {
  const endpoint = new URL(url)
  const addresses = Address(BITCOIN_NETWORKS[network])
  let calls = 0
  let isRightNetwork = false

  async function rpc<T>(method: string, params: unknown[], shape: z.ZodType<T>): Promise<T> {
    calls += 1
    const body = JSON.stringify({ jsonrpc: '1.0', id: calls, method, params })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const answered = answer.safeParse(await requestJson(endpoint, init))
    if (!answered.success) throw new NodeError(`${method}: the node's answer is no JSON-RPC`)
    if (answered.data.error) throw new NodeError(`${method}: ${answered.data.error.message}`)
    const result = shape.safeParse(answered.data.result)
    if (!result.success) throw new NodeError(`${method}: the node answered something else`)
    return result.data
  }

  async function hashAt(height: number): Promise<string> {
    if (!isRightNetwork) {
      if ((await rpc('getblockhash', [0], hash)) !== GENESIS[network])
        throw new NodeError(`The node is not one of the network "${network}"`)
      isRightNetwork = true
    }
    return rpc('getblockhash', [height], hash)
  }

  function addressOf(script: Uint8Array): { address: string; isOlderForm: boolean } | undefined {
    const found = keyHashOf(script)
    return found && { address: addresses.encode({ type: 'wpkh', hash: found.hash }), isOlderForm: found.isOlderForm }
  }

  function read(transaction: ReturnType<typeof RawTx.decode>): ChainTransaction {
    return {
      // The id leaves the witnesses out.
      id: hashOf(RawTx.encode({ ...transaction, segwitFlag: false, witnesses: undefined })),
      senders: [],
      spends: transaction.inputs.map(({ txid, index }) => `${bytesToHex(txid)}:${index}`),
      payments: transaction.outputs.flatMap(({ amount, script }, index) => {
        const found = addressOf(script)
        if (!found) return []
        return [
          { index: String(index), address: found.address, token: 'BTC', amount, ...(found.isOlderForm && { isOlderForm: true }) }
        ]
      })
    }
  }

  function checkHeader(height: number, expected: string, header: Uint8Array): void {
    if (hashOf(header) !== expected) throw new NodeError(`The node's block ${height} is not the one of its hash`)
    const target = targetOf(header)
    if (target > EASIEST_TARGET[network] || BigInt(`0x${expected}`) > target)
      throw new NodeError(`The node's block ${height} lacks its proof of work`)
  }

  function decode(height: number, expected: string, hex: string): Block {
    const { header, transactions } = RawBlock.decode(hexToBytes(hex))
    checkHeader(height, expected, header)
    // The first transaction makes new coins.
    const found = transactions.map((one, at) => ({ ...read(one), ...(at === 0 && { isNewlyMined: true }) }))
    if (rootOf(found.map(({ id }) => id)) !== hashIn(header, ROOT_FROM))
      throw new NodeError(`The node's block ${height} has other transactions than its header says`)
    return { height, hash: expected, parent: hashIn(header, PARENT_FROM), transactions: found }
  }

  /**
   * The amount of a coin in satoshi as of the node's newest block, and the address that it pays; with `isPool`, its mempool counts too.
   * Undefined if the coin is spent or unknown.
   */
  async function coinAt(outpoint: string, isPool: boolean): Promise<{ amount: bigint; address: string | undefined } | undefined> {
    const [id, index] = outpoint.split(':')
    const found = await rpc('gettxout', [id, Number(index), isPool], coin)
    // At most 21 million with eight decimals: a double is precise enough for every such amount.
    return found
      ? { amount: BigInt(Math.round(found.value * SATOSHI)), address: addressOf(hexToBytes(found.scriptPubKey.hex))?.address }
      : undefined
  }

  async function tip() {
    const height = await rpc('getblockcount', [], z.number().int().nonnegative())
    return { height, hash: await hashAt(height) }
  }

  return {
    chain: 'bitcoin',
    price: async () => {
      const { feerate, fee } = await rpc('estimatesmartfee', [ESTIMATED_BLOCKS], estimate)
      const perByte = Math.ceil(((feerate ?? fee ?? 0) * SATOSHI) / 1000)
      return { most: BigInt(perByte > 0 ? perByte : FALLBACK_PRICE), tip: 0n }
    },
    sizeOf: async () => 1n,
    holds: async (place: Place) => {
      const found = 'outpoint' in place ? await coinAt(place.outpoint, false) : undefined
      return found?.address === place.address ? (found?.amount ?? 0n) : 0n
    },
    findUnknown: async ({ outpoints }) => {
      for (const outpoint of outpoints) {
        if ((await coinAt(outpoint, true)) === undefined) return `The node says that our coin ${outpoint} is spent.`
      }
      return undefined
    },
    broadcast: async (bytes) => {
      await rpc('sendrawtransaction', [bytes], z.string())
    },
    tip,
    newestTime: async () => {
      const { height, hash: newest } = await tip()
      const header = hexToBytes(await rpc('getblockheader', [newest, false], headerHex))
      checkHeader(height, newest, header)
      return new Date(numberIn(header, TIME_FROM) * 1000)
    },
    hashAt,
    blockAt: async (height) => {
      const expected = await hashAt(height)
      const hex = await rpc('getblock', [expected, false], z.string().regex(/^([0-9a-f]{2})+$/))
      try {
        return decode(height, expected, hex)
      } catch (error) {
        if (error instanceof NodeError) throw error
        throw new NodeError(`The node's block ${height} can't be read`, { cause: error })
      }
    }
  }
}
