/**
 * Ethereum through its JSON-RPC. Reads transfers of ether, including those inside contract calls if the node has `trace_block`, and
 * transfers of ERC-20 tokens from their logs.
 */
import {
  type Address,
  createPublicClient,
  getAddress,
  type Hex,
  hexToBigInt,
  http,
  MethodNotFoundRpcError,
  numberToHex
} from 'viem'
import { z } from 'zod'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { type Block, type ChainNode, type ChainPayment, NodeError } from '../../port.ts'
import { callOf } from './call.ts'

const TIMEOUT_MS = 10_000
/** keccak256("Transfer(address,address,uint256)"). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ADDRESS_IN_TOPIC = 26
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

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
const hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value))
const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value))
const quantity = hex.transform((text) => hexToBigInt(text))
const height = quantity.transform(Number)
const block = z.object({
  number: height,
  hash,
  parentHash: hash,
  transactions: z.array(z.object({ hash, from: address, to: address.nullish(), value: quantity, nonce: quantity }))
})
const header = block.pick({ number: true, hash: true })
const receipts = z.array(
  z.object({
    transactionHash: hash,
    blockHash: hash,
    status: quantity,
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    contractAddress: address.nullish(),
    logs: z.array(z.object({ address, topics: z.array(hash), data: hex }))
  })
)
const traces = z.array(
  z.object({
    type: z.string(),
    blockHash: hash,
    transactionHash: hash.nullish(),
    traceAddress: z.array(z.number().int()),
    error: z.string().nullish(),
    action: z.object({
      callType: z.string().nullish(),
      to: address.nullish(),
      value: quantity.nullish(),
      refundAddress: address.nullish(),
      balance: quantity.nullish()
    }),
    result: z.object({ address: address.nullish() }).nullish()
  })
)
type Read = z.output<typeof block>
type Receipt = z.output<typeof receipts>[number]
type Trace = z.output<typeof traces>[number]
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
  const client = createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 1 }) })
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

function present(found: Read, told: Receipt[], traced: Trace[] | undefined, tokenOf: (contract: Address) => string): Block {
  const receiptOf = new Map(told.map((receipt) => [receipt.transactionHash, receipt]))
  const tracesOf = Map.groupBy(traced ?? [], ({ transactionHash }) => transactionHash ?? '')
  return {
    height: found.number,
    hash: found.hash,
    parent: found.parentHash,
    transactions: found.transactions.map(({ hash: id, from, to, value, nonce }) => {
      const receipt = receiptOf.get(id)
      if (!receipt) throw new NodeError(`Block ${found.number} has no receipt of ${id}`)
      const receiver = to ?? receipt.contractAddress
      const direct =
        receiver && value > 0n ? [{ index: 'value', address: getAddress(receiver), token: 'ETH', amount: value }] : []
      const ether = traced ? etherMoved(tracesOf.get(id) ?? []) : direct
      const isDone = receipt.status === 1n
      return {
        id,
        senders: [getAddress(from)],
        spends: [],
        payments: isDone ? [...ether, ...tokensMoved(receipt, tokenOf)] : [],
        nonce,
        fee: receipt.gasUsed * receipt.effectiveGasPrice,
        isUndone: !isDone
      }
    })
  }
}

/** Ether moved by calls, by contract creations and by contracts that destroy themselves. Skips failed calls and everything below them. */
function etherMoved(calls: Trace[]): ChainPayment[] {
  const failed = calls.filter(({ error }) => error).map(({ traceAddress }) => traceAddress)
  const isBelow = (path: number[], above: number[]) => above.every((step, depth) => path[depth] === step)
  return calls.flatMap(({ type, traceAddress, action, result }) => {
    if (failed.some((above) => isBelow(traceAddress, above))) return []
    const [to, amount] =
      type === 'suicide'
        ? [action.refundAddress, action.balance]
        : type === 'create'
          ? [result?.address, action.value]
          : action.callType === 'call'
            ? [action.to, action.value]
            : []
    if (!to || !amount) return []
    return [{ index: ['value', ...traceAddress].join('.'), address: getAddress(to), token: 'ETH', amount }]
  })
}

/** Source: EIP-20. Tokens of other standards keep their amount or id elsewhere and are not read. */
function tokensMoved({ logs }: Receipt, tokenOf: (contract: Address) => string): ChainPayment[] {
  return logs.flatMap(({ address: contract, topics, data }, index) => {
    const [event, , to] = topics
    if (event !== TRANSFER || topics.length !== 3 || !to || data.length !== 66) return []
    const receiver = getAddress(`0x${to.slice(ADDRESS_IN_TOPIC)}`)
    return [{ index: `log.${index}`, address: receiver, token: tokenOf(contract), amount: hexToBigInt(data) }]
  })
}
