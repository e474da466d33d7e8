/** What the product needs of a chain's node. Adapters: Bitcoin Core, Ethereum, NXT's HTTP API, and the sandbox. */
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'

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
  /** Ethereum: its place in the order of its sender's transactions. */
  nonce?: bigint | undefined
  /** What it cost, where the chain says so. */
  fee?: bigint | undefined
  /** It is in the block but was undone: only its fee was paid. */
  isUndone?: boolean | undefined
}

/** `time`: the block's own, in seconds, on chains where transactions expire by it. */
export type Block = { height: number; hash: string; parent: string; time?: bigint; transactions: ChainTransaction[] }

/** What a unit of size costs (a virtual byte, gas), in the chain's own token; `tip` is the part for the block's maker. */
export type Price = { most: bigint; tip: bigint }
/** What leaves our wallets: the receiver gets `amount`. */
export type Payout = { to: string; token: ChainToken; amount: bigint }
/** Coins of Bitcoin, or what an account has of a token. */
export type Place = { outpoint: string } | { address: string; token: ChainToken }
/** What we know of a wallet, for the node to compare: its next nonce, the coins that are to be spent, and what is on its way. */
type KnownWallet = { address: string; nextNonce: bigint; outpoints: string[]; onTheWay: string[] }
/** CPC: what the node is asked to prepare. `deadlineMinutes`: how long blocks may take it. */
type Preparation = { payout: Payout; senderPublicKey: string; fee: bigint; deadlineMinutes: number }

/** Every call throws a NodeError where the node is silent, answers nonsense or does not have what was asked for. */
export type ChainNode = {
  chain: Chain
  /** The newest block of the node. */
  tip: () => Promise<{ height: number; hash: string }>
  hashAt: (height: number) => Promise<string>
  blockAt: (height: number) => Promise<Block>
  /** What gets a payment into one of the next blocks. */
  price: () => Promise<Price>
  /** Units of size that a payout of this account takes; Bitcoin's follows from its coins. */
  sizeOf: (from: string, payout: Payout) => Promise<bigint>
  /** What lies there, by the block of this height, or by the newest. */
  holds: (place: Place, height?: number) => Promise<bigint>
  /** Describes a payment out of the wallet that we do not know, in a block or waiting for one; undefined where there is none. */
  findUnknown: (wallet: KnownWallet) => Promise<string | undefined>
  /** CPC: the bytes to sign, in hexadecimal. Other chains' are made without the node. */
  prepare?: (asked: Preparation) => Promise<string>
  /** Gives the bytes to the network. A node that does not take them, or does not answer, proves nothing. */
  broadcast: (bytes: string) => Promise<void>
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
