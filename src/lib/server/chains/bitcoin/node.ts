/**
 * Bitcoin by the JSON-RPC of Bitcoin Core. Blocks are read as bytes: their hash is computed here, and amounts never pass through a
 * floating-point number. Source: https://developer.bitcoin.org/reference/rpc/
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, CompactSize, RawTx } from '@scure/btc-signer'
import { array, bytes, struct } from 'micro-packed'
import { z } from 'zod'
import type { Networks } from '#lib/domain/chains/address.ts'
import { type Block, type ChainNode, type ChainTransaction, NodeError } from '../port.ts'
import { requestJson } from '../request.ts'
import { BITCOIN_NETWORKS } from './networks.ts'

const HEADER_BYTES = 80
const PARENT_FROM = 4
const HASH_BYTES = 32
/** `OP_0` and a push of 20 bytes: the only script that our addresses have. */
const WITNESS_KEY_HASH = [0x00, 0x14]
const SCRIPT_BYTES = 22

const RawBlock = struct({ header: bytes(HEADER_BYTES), transactions: array(CompactSize, RawTx) })
const answer = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).nullish() })
const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** As Bitcoin writes hashes: twice SHA-256, backwards. */
const hashOf = (data: Uint8Array) => bytesToHex(sha256(sha256(data)).toReversed())

/** `url`: with user and password of the RPC, e.g. `http://user:password@127.0.0.1:8332/`. */
export function bitcoinNode(url: string, network: Networks['bitcoin']): ChainNode {
  const endpoint = new URL(url)
  const addresses = Address(BITCOIN_NETWORKS[network])
  let calls = 0

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

  const hashAt = (height: number) => rpc('getblockhash', [height], hash)

  function read(transaction: ReturnType<typeof RawTx.decode>): ChainTransaction {
    return {
      // The id leaves the witnesses out.
      id: hashOf(RawTx.encode({ ...transaction, segwitFlag: false, witnesses: undefined })),
      senders: [],
      spends: transaction.inputs.map(({ txid, index }) => `${bytesToHex(txid)}:${index}`),
      payments: transaction.outputs.flatMap(({ amount, script }, index) => {
        const isOurKind = script.length === SCRIPT_BYTES && WITNESS_KEY_HASH.every((byte, at) => script[at] === byte)
        if (!isOurKind) return []
        const address = addresses.encode({ type: 'wpkh', hash: script.subarray(WITNESS_KEY_HASH.length) })
        return [{ index: String(index), address, token: 'BTC', amount }]
      })
    }
  }

  function decode(height: number, expected: string, hex: string): Block {
    const { header, transactions } = RawBlock.decode(hexToBytes(hex))
    if (hashOf(header) !== expected) throw new NodeError(`The node's block ${height} is not the one of its hash`)
    const parent = bytesToHex(header.slice(PARENT_FROM, PARENT_FROM + HASH_BYTES).toReversed())
    return { height, hash: expected, parent, transactions: transactions.map(read) }
  }

  return {
    chain: 'bitcoin',
    tip: async () => {
      const height = await rpc('getblockcount', [], z.number().int().nonnegative())
      return { height, hash: await hashAt(height) }
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
