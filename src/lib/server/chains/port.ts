/** What the product needs of a chain's node. Adapters: Bitcoin Core, Ethereum, NXT's HTTP API, and the sandbox. */
import type { Chain } from '#lib/domain/chains/chains.ts'

export type ChainPayment = {
  /** Which output, log or call of its transaction it is: unique there. */
  index: string
  /** As `readAddress` of the domain writes it. */
  address: string
  /** A code of the currency registry, or the contract of a token that it does not know. */
  token: string
  /** In smallest units; zero or more. */
  amount: bigint
}

export type ChainTransaction = {
  id: string
  /** Addresses that paid, where the chain says so. */
  senders: string[]
  /** Outputs of earlier transactions that it spends, as `txid:index`. */
  spends: string[]
  payments: ChainPayment[]
}

export type Block = { height: number; hash: string; parent: string; transactions: ChainTransaction[] }

/** Every call throws a NodeError where the node is silent, answers nonsense or does not have what was asked for. */
export type ChainNode = {
  chain: Chain
  /** The newest block of the node. */
  tip: () => Promise<{ height: number; hash: string }>
  hashAt: (height: number) => Promise<string>
  blockAt: (height: number) => Promise<Block>
}

export class NodeError extends Error {
  override name = 'NodeError'
}

/** Throws a NodeError for a block that contradicts itself or the question. */
export function checkedBlock(block: Block, height: number): Block {
  const refuse = (what: string): never => {
    throw new NodeError(`The node's block ${height} ${what}`)
  }
  if (block.height !== height) refuse(`says that it is block ${block.height}`)
  if (!block.hash || (!block.parent && height > 0)) refuse('has no hash')
  const ids = new Set<string>()
  for (const { id, payments } of block.transactions) {
    if (ids.has(id)) refuse(`holds transaction ${id} twice`)
    ids.add(id)
    const indexes = new Set(payments.map(({ index }) => index))
    if (indexes.size !== payments.length) refuse(`has two payments of one index in ${id}`)
    if (payments.some(({ amount }) => amount < 0n)) refuse(`has a payment below zero in ${id}`)
  }
  return block
}
