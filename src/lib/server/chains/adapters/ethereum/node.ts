/**
 * Ethereum through its JSON-RPC. Reads transfers of ether, including those inside contract calls if the node has `trace_block`, and
 * transfers of ERC-20 tokens from their logs.
 */
import { type Address, createPublicClient, getAddress, http, MethodNotFoundRpcError, numberToHex } from 'viem'
import { z } from 'zod'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { type ChainNode, NodeError } from '../../port.ts'
import { block, hash, header, height, present, quantity, type Read, receipts, type Trace, traces } from './blocks.ts'
import { callOf } from './call.ts'

const TIMEOUT_MS = 10_000
/** The first four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '0x70a08231'
const WORD = 64
/** Gas of a transfer to an address without a contract. */
const PLAIN_TRANSFER = 21_000n
const SPARE_GAS = { times: 5n, by: 4n }
/** The most gas that the receiver of ether may use: its contract spends it at our cost. */
const MOST_TRANSFER_GAS = 60_000n
/** The first four bytes of keccak256("decimals()"). */
const DECIMALS = '0x313ce567'

export type EthereumSettings = {
  url: string
  /** Id of the network, e.g. 1: a node of another network is refused. */
  chainId: number
  /** The contract address of each known token, by code. */
  contracts: Record<string, string>
  /** Called if the node has no `trace_block`: ether that contracts pass on is then not seen. If it throws, no block is read so. */
  onMissingTraces: () => void
}

export function ethereumNode({ url, chainId, contracts, onMissingTraces }: EthereumSettings): ChainNode {
  const client = createPublicClient({
    transport: http(url, { timeout: TIMEOUT_MS, retryCount: 1, fetchOptions: { redirect: 'error' } })
  })
  const codes = new Map(Object.entries(contracts).map(([code, contract]) => [getAddress(contract), code]))
  let isRightNetwork = false
  let hasTraces = true

  async function rpc<T>(method: string, params: unknown[], shape: z.ZodType<T>): Promise<T> {
    const answered = await client.request({ method, params } as never).catch((error: unknown) => {
      throw new NodeError(`${method}: ${error instanceof Error ? error.message.split('\n')[0] : error}`, { cause: error })
    })
    const result = shape.safeParse(answered)
    if (!result.success) throw new NodeError(`${method}: the node answered something else`)
    return result.data
  }

  async function checkNetwork(): Promise<void> {
    if (isRightNetwork) return
    const found = await rpc('eth_chainId', [], height)
    if (found !== chainId) throw new NodeError(`The node speaks for network ${found}, not for ${chainId}`)
    for (const [token, contract] of Object.entries(contracts)) {
      const digits = await rpc('eth_call', [{ to: contract, data: DECIMALS }, 'latest'], quantity)
      if (digits !== BigInt(decimalsOf(token)))
        throw new NodeError(`The contract of ${token} has ${digits} decimals: it is another token`)
    }
    isRightNetwork = true
  }

  async function tracesOf({ number, hash: blockHash, transactions }: Read): Promise<Trace[] | undefined> {
    if (!hasTraces) return undefined
    try {
      const found = await rpc('trace_block', [numberToHex(number)], traces)
      if (found.some((trace) => trace.blockHash !== blockHash)) throw new NodeError('trace_block: the block changed meanwhile')
      // Each transaction has one root call. If it is missing, the node has not traced the transaction yet.
      const begun = new Set(
        found.flatMap(({ traceAddress, transactionHash }) => (traceAddress.length === 0 ? [transactionHash] : []))
      )
      if (transactions.some(({ hash: id }) => !begun.has(id)))
        throw new NodeError(`trace_block: block ${number} is not traced completely`)
      return found
    } catch (error) {
      if (!(error instanceof NodeError && isMissing(error.cause))) throw error
      // Throws where that is a fault; the next block then asks again.
      onMissingTraces()
      hasTraces = false
      return undefined
    }
  }

  const count = (account: string, at: 'latest' | 'pending') => rpc('eth_getTransactionCount', [account, at], quantity)

  /** An unknown token is named by the address of its contract. */
  const tokenOf = (contract: Address) => codes.get(getAddress(contract)) ?? getAddress(contract)

  return {
    chain: 'ethereum',
    price: async () => {
      await checkNetwork()
      const [{ baseFeePerGas }, tip] = await Promise.all([
        rpc('eth_getBlockByNumber', ['latest', false], z.object({ baseFeePerGas: quantity })),
        rpc('eth_maxPriorityFeePerGas', [], quantity)
      ])
      // Room for the base fee to double before the payment is in a block.
      return { most: 2n * baseFeePerGas + tip, tip }
    },
    sizeOf: async (from, payout) => {
      const { to, value, data } = callOf(payout, contracts)
      const asked = { from, to, value: numberToHex(value), ...(data && { data }) }
      const gas = await rpc('eth_estimateGas', [asked], quantity)
      if (payout.token === 'ETH' && gas > MOST_TRANSFER_GAS)
        throw new NodeError(`${to} is a contract that uses ${gas} gas to take ether: more than ${MOST_TRANSFER_GAS} are not paid`)
      return gas === PLAIN_TRANSFER ? gas : (gas * SPARE_GAS.times) / SPARE_GAS.by
    },
    holds: async (place, at) => {
      if ('outpoint' in place) return 0n
      const block = at === undefined ? 'latest' : numberToHex(at)
      if (place.token === 'ETH') return rpc('eth_getBalance', [place.address, block], quantity)
      const data = `${BALANCE_OF}${place.address.slice(2).toLowerCase().padStart(WORD, '0')}`
      return rpc('eth_call', [{ to: contracts[place.token], data }, block], quantity)
    },
    countOf: (account, isPool = false) => count(account, isPool ? 'pending' : 'latest'),
    findUnknown: async ({ address: account, nextNonce }) => {
      const [mined, pending] = await Promise.all([count(account, 'latest'), count(account, 'pending')])
      if (mined <= nextNonce && pending <= nextNonce) return undefined
      return `The node counts ${pending > mined ? pending : mined} payments of ${account}, and we know of ${nextNonce}.`
    },
    broadcast: async (bytes) => {
      await rpc('eth_sendRawTransaction', [bytes], hash)
    },
    tip: async () => {
      await checkNetwork()
      // While the node syncs, its newest block lags behind.
      const syncing = await rpc('eth_syncing', [], z.union([z.boolean(), z.object({})]))
      if (syncing !== false) throw new NodeError('The node is syncing')
      const { number, hash: newest } = await rpc('eth_getBlockByNumber', ['latest', false], header)
      return { height: number, hash: newest }
    },
    newestTime: async () => {
      const { timestamp } = await rpc('eth_getBlockByNumber', ['latest', false], z.object({ timestamp: height }))
      return new Date(timestamp * 1000)
    },
    hashAt: async (at) => (await rpc('eth_getBlockByNumber', [numberToHex(at), false], header)).hash,
    blockAt: async (at) => {
      await checkNetwork()
      const found = await rpc('eth_getBlockByNumber', [numberToHex(at), true], block)
      const [told, traced] = await Promise.all([rpc('eth_getBlockReceipts', [numberToHex(at)], receipts), tracesOf(found)])
      if (told.length !== found.transactions.length || told.some(({ blockHash }) => blockHash !== found.hash))
        throw new NodeError(`The receipts of block ${at} are not those of its transactions`)
      return present(found, told, traced, tokenOf)
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error instanceof MethodNotFoundRpcError || isMissing(error.cause))
}
