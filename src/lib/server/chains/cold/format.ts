/** The files of refills: how a chain's transactions are written for an offline wallet, and what is read out of one that came back. */
import { type Chain, type ChainToken, isChain } from '#lib/domain/chains/chains.ts'
import type { Coin, Plan } from '../sending/plan.ts'
import type { ColdWallet } from './wallet.ts'

/** Says to an operator why a refill cannot be made or is not accepted. */
export class RefillError extends Error {
  override name = 'RefillError'
}

/** A signed transaction as read from a file. Its signatures are complete; what it does is not checked yet. */
export type SignedRefill = {
  chain: Chain
  transactionId: string
  /** As they are broadcast. */
  bytes: string
  /** Bitcoin: the coins that pay, as `txid:index`. */
  spends: string[]
  /** The account that pays, on chains with accounts. */
  from: string | undefined
  nonce: bigint | undefined
  /** The highest network fee; undefined for Bitcoin, where the coins say it. */
  fee: bigint | undefined
  /** CPC: the block time after which no block includes it. */
  expiresAt: bigint | undefined
  payments: Payment[]
}
export type Payment = { address: string; token: ChainToken; amount: bigint }

/** How a chain's transactions are written for an offline wallet, and read back. `read` throws RefillError. */
export type RefillFormat = {
  extension: string
  write: (plan: Plan, wallet: ColdWallet) => Promise<Uint8Array>
  read: (file: Uint8Array) => Promise<SignedRefill>
  /** Whether the keys of these coins signed the bytes. Chains with accounts check that in `read`. */
  isSigned: (bytes: string, coins: Coin[]) => boolean
}

/** The chain of a file: each format begins in a way of its own. */
export function chainOfFile(file: Uint8Array): Chain | undefined {
  const start = Buffer.from(file.subarray(0, 24)).toString('latin1')
  if (start.startsWith('psbt') || start.startsWith('cHNidP') || /^0[12]000000/.test(start)) return 'bitcoin'
  if (/^(0x)?02[ef]/i.test(start)) return 'ethereum'
  if (start.startsWith('0010')) return 'cpc'
  // The sandbox's files name it.
  const named = /^\{"chain":"(\w+)"/.exec(start)?.[1] ?? ''
  return isChain(named) ? named : undefined
}
