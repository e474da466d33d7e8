/** What is asked of the signer, what it works with, and what becomes of a payment. */
import type { SignerLimits } from '#lib/domain/chains/signerLimits.ts'
import type { OperatorKey } from '../../platform/ed25519.ts'
import type { Work } from '../../platform/transaction.ts'
import type { ListedKey } from '../../staff/index.ts'
import type { ChainNode, Payout } from '../port.ts'
import type { Confirmations } from '../reading/watch.ts'
import type { SendPurpose } from '../schema.ts'
import type { Journal } from './journal.ts'
import type { AddressRow, Coin, Plan } from './plan.ts'

type Signed = { transactionId: string; bytes: string; expiresAt?: bigint }
/** Holds the key. Throws if the seed cannot sign for the paying address, or if the prepared bytes do not match the request. */
export type PlanSigner = (plan: Plan) => Promise<Signed>

export type Signing = {
  node: ChainNode
  sign: PlanSigner
  journal: Journal
  /** The signer's public key. */
  proof: string
  confirmations: Confirmations
  limits: SignerLimits
  /** Whose orders about stuck payments are carried out. */
  operatorKeys: OperatorKey[]
  /** Throws while the list cannot be read. */
  staffKeys: () => Promise<ListedKey[]>
  /** What tells the network from every other, e.g. `ethereum 1`. */
  network: string
}

export type Asked = {
  id: string
  payout: Payout
  /** The highest network fee, in the chain's own token. */
  mostFee: bigint
  /** The value in USD cents that counts against the limits; 0 for payments between our own wallets. */
  cents: bigint
  /** The customer's id, hashed; undefined for payments between our own wallets. */
  customer?: string
}

/** Whose payments are signed together. */
export type Asking = {
  purpose: SendPurpose
  /** The paying address, e.g. a customer's that is swept; without it the hot wallet pays. */
  from?: AddressRow
  /** Bitcoin: exactly these coins pay. */
  coins?: Coin[]
  /** Marks the caller's rows as signed, in the transaction that stores the bytes. Returns the ids of those that may still be signed. */
  claim: (work: Work, ids: string[]) => Promise<string[]>
}

/**
 * `behind`: the blocks that were read, the nonce or the coins are out of date. `stopped`: nothing is sent on the chain. `network_fee`:
 * the network asks for too much at the moment. `hot_wallet`: it does not hold enough. `signer_limit`: a limit of the signer is reached.
 * `gone`: it is signed already, or may no longer be signed. `small_coins`: the network is cheap enough, but so many small coins would have
 * to pay that the fee is too high. `stuck`: an earlier payment of the same account waits for a block, so that this one would too.
 */
export type Outcome =
  | 'signed'
  | 'behind'
  | 'stopped'
  | 'network_fee'
  | 'hot_wallet'
  | 'signer_limit'
  | 'gone'
  | 'small_coins'
  | 'stuck'

/** `error`: this payment alone cannot be planned or signed, e.g. because its receiver takes no coins. */
export type Result = Outcome | { error: unknown }
/** With the plan that is carried out. */
export type Drawn = Asked & { plan: Plan }
