/** What Ethereum's JSON-RPC says of a block, and the payments in it: of ether, also inside contract calls, and of ERC-20 tokens. */
import { type Address, getAddress, type Hex, hexToBigInt } from 'viem'
import { z } from 'zod'
import { type Block, type ChainPayment, NodeError } from '../../port.ts'

/** keccak256("Transfer(address,address,uint256)"). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ADDRESS_IN_TOPIC = 26

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
export const hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value))
const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value))
export const quantity = hex.transform((text) => hexToBigInt(text))
export const height = quantity.transform(Number)
export const block = z.object({
  number: height,
  hash,
  parentHash: hash,
  transactions: z.array(z.object({ hash, from: address, to: address.nullish(), value: quantity, nonce: quantity }))
})
export const header = block.pick({ number: true, hash: true })
export const receipts = z.array(
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
export const traces = z.array(
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
export type Read = z.output<typeof block>
type Receipt = z.output<typeof receipts>[number]
export type Trace = z.output<typeof traces>[number]

/**
 * `traced`: the calls of the block's transactions; without them, only the ether that transactions move themselves is seen. `tokenOf`: a
 * token's code, or the address of its contract if we do not know it. Throws a NodeError if a receipt is missing.
 */
export function present(
  found: Read,
  told: Receipt[],
  traced: Trace[] | undefined,
  tokenOf: (contract: Address) => string
): Block {
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
