/** What the product needs of a chain's node. Adapters: Bitcoin Core, Ethereum, NXT's HTTP API, and the sandbox. */
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'

export type ChainPayment = {
  /** Identifies the output, log or call; unique within the transaction. */
  index: string
  /** In the notation of the domain's `readAddress`. */
  address: string
  /** A code of the currency registry, or the contract address of an unknown token. */
  token: string
  /** In smallest units; zero or more. */
  amount: bigint
  /** Bitcoin: it was paid to the older spelling of the address, the hash of the same key (P2PKH). */
  isOlderForm?: boolean | undefined
}

export type ChainTransaction = {
  id: string
  /** The addresses that paid; empty for Bitcoin. */
  senders: string[]
  /** Outputs of earlier transactions that it spends, as `txid:index`. */
  spends: string[]
  payments: ChainPayment[]
  /** Ethereum only. */
  nonce?: bigint | undefined
  /** The fee that was paid; undefined if the block does not show it. */
  fee?: bigint | undefined
  /** It is in the block but was reverted there: only its fee was paid. */
  isUndone?: boolean | undefined
  /** Bitcoin: it pays the block's maker with new coins, which the network lets nobody spend for 100 blocks. */
  isNewlyMined?: boolean | undefined
}

/** `time`: the block's timestamp in seconds, on chains whose transactions expire by it. */
export type Block = {
  height: number
  hash: string
  parent: string
  time?: bigint
  transactions: ChainTransaction[]
  /** The same block as a second node shows it: what it says of our addresses must be the same. */
  other?: Block | undefined
}

/**
 * The price of a unit of size (virtual byte, gas), in the chain's own token. `most`: the maximum; `tip`: the part of it for the block's
 * maker.
 */
export type Price = { most: bigint; tip: bigint }
/** A payment out of our wallets: the receiver gets `amount`. */
export type Payout = { to: string; token: ChainToken; amount: bigint }
/** A coin of Bitcoin, which counts only if it is at `address`, or an account's balance of a token. */
export type Place = { outpoint: string; address: string } | { address: string; token: ChainToken }
/** What we know of a wallet, for the node to compare: its next nonce, its free coins, and the ids of transactions on their way. */
type KnownWallet = { address: string; nextNonce: bigint; outpoints: string[]; onTheWay: string[] }
/** CPC: the payment that the node is to prepare. `deadlineMinutes`: for how long blocks may include it. */
type Preparation = { payout: Payout; senderPublicKey: string; fee: bigint; deadlineMinutes: number }

/** Every call throws a NodeError if the node does not respond, sends nonsense or does not have what was asked for. */
export type ChainNode = {
  chain: Chain
  /** The newest block of the node. */
  tip: () => Promise<{ height: number; hash: string }>
  hashAt: (height: number) => Promise<string>
  blockAt: (height: number) => Promise<Block>
  /** The price at which a payment gets into one of the next blocks. */
  price: () => Promise<Price>
  /** The size of a payout from this account; 1 for CPC, and for Bitcoin, whose size follows from the coins that pay. */
  sizeOf: (from: string, payout: Payout) => Promise<bigint>
  /** The amount there, as of the block at this height, or of the newest one. */
  holds: (place: Place, height?: number) => Promise<bigint>
  /** Describes a payment out of the wallet that we do not know, in a block or in the mempool; undefined if there is none. */
  findUnknown: (wallet: KnownWallet) => Promise<string | undefined>
  /** The time of the newest block. Chains of the sandbox, and CPC nodes that do not say when their time begins, have none. */
  newestTime?: () => Promise<Date | undefined>
  /** Ethereum: how many transactions of the account the chain has; with `isPool`, its mempool counts too. */
  countOf?: (address: string, isPool?: boolean) => Promise<bigint>
  /** CPC: whether the chain or the mempool has a transaction. Asked before a payment is signed again: the database is not believed. */
  knows?: (transactionId: string) => Promise<boolean>
  /** CPC: the bytes to sign, in hexadecimal. For other chains they are made without the node. */
  prepare?: (asked: Preparation) => Promise<string>
  /** Gives the bytes to the network. A refusal or a time-out proves nothing: the transaction may get into a block all the same. */
  broadcast: (bytes: string) => Promise<void>
}

export class NodeError extends Error {
  override name = 'NodeError'
}

/** Throws a NodeError for a block that contradicts itself or is not the requested one. */
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
