/**
 * Signs a payment out of our wallets. Only the signer does it: it asks the node for payments on their way that it does not know, writes
 * what it signs into its own file, and stores the bytes before anybody broadcasts them.
 */

import { and, desc, eq, gte, lt, or } from 'drizzle-orm'
import { type Chain, chainOf } from '#lib/domain/chains/chains.ts'
import { PLAIN_SIZE } from '#lib/domain/chains/coins.ts'
import type { SignerLimits } from '#lib/domain/chains/signerLimits.ts'
import type { Context } from '../../platform/context.ts'
import type { OperatorKey } from '../../platform/ed25519.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { houseAddress } from '../addresses/house.ts'
import type { ChainNode, Payout } from '../port.ts'
import { CHAINS_ACTOR, type Confirmations, isPending } from '../reading/watch.ts'
import { type chainAddresses, chainAttempts, chainBlocks, chainSends, type SendPurpose } from '../schema.ts'
import { findStop, stopChain } from '../stops.ts'
import { type Entry, type Journal, SignerLimitError } from './journal.ts'
import { type Coin, draw, freeCoins, nextNonce, type Plan } from './plan.ts'
import { insertAttempt, insertSend, lockSending } from './store.ts'

export type AddressRow = typeof chainAddresses.$inferSelect
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
}

export type Asked = {
  id: string
  purpose: SendPurpose
  payout: Payout
  /** The paying address, e.g. a customer's that is swept; without it the hot wallet pays. */
  from?: AddressRow
  /** Bitcoin: exactly these coins pay. */
  coins?: Coin[]
  /** The highest network fee, in the chain's own token. */
  mostFee: bigint
  /** The value in USD cents that counts against the limits; 0 for payments between our own wallets. */
  cents: bigint
  /** The customer's id, hashed; undefined for payments between our own wallets. */
  customer?: string
  /** Marks the caller's row as signed, in the transaction that stores the bytes; false if it may no longer be signed. */
  claim: (work: Work) => Promise<boolean>
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

/**
 * How many blocks the reading may be behind. On a quick chain it always is a little behind; the comparison of nonces covers those blocks.
 */
const LAG: Record<Chain, number> = { bitcoin: 0, ethereum: 3, cpc: 0 }
const DAY_MS = 24 * 3_600_000
/** How long a payment may wait for a block before a replacement with a higher fee is signed. */
export const STUCK_SECONDS: Record<Chain, number> = { bitcoin: 45 * 60, ethereum: 5 * 60, cpc: 0 }

/** Signs a payment and stores its bytes, once. `recoverSends` must have run before, so that everything signed earlier is stored. */
export async function signSend(context: Context, signing: Signing, asked: Asked): Promise<Outcome> {
  const chain = chainOf(asked.payout.token)
  if (signing.journal.of(asked.id).length > 0) return 'gone'
  const wait = await whyNotNow(context, signing.node)
  if (wait) return wait
  const from = asked.from ?? (await houseAddress(context.db, signing.proof, chain, 'hot'))
  if (!from) return 'hot_wallet'
  if (chain === 'ethereum' && (await isStuck(context, from.id))) return 'stuck'
  const price = await signing.node.price()
  const coins = asked.coins && { coins: asked.coins }
  const drawn = await draw(context, signing, { payout: asked.payout, from, price, ...coins })
  if (!drawn) return 'hot_wallet'
  if (drawn.networkFee > asked.mostFee)
    return chain === 'bitcoin' && PLAIN_SIZE * price.most <= asked.mostFee ? 'small_coins' : 'network_fee'
  if (await hasUnknown(context, signing, drawn, from)) return 'stopped'
  if (await leavesGap(context, signing, drawn, from)) return 'stopped'
  // Checked again: a new block may contain a payment that the node no longer lists as waiting.
  const late = await whyNotNow(context, signing.node)
  if (late) return late
  const newestTime = await signing.node.newestTime?.()
  return store(context, signing, { ...asked, newestTime }, { ...drawn, from: chain === 'bitcoin' ? undefined : from })
}

/** True if an account's payment has waited for a block so long that it is replaced: those behind it would wait too, without a way back. */
async function isStuck({ db, clock }: Context, fromId: bigint): Promise<boolean> {
  const before = new Date(clock().getTime() - STUCK_SECONDS.ethereum * 1000)
  const [head] = await db
    .select({ id: chainSends.id })
    .from(chainSends)
    .innerJoin(chainAttempts, eq(chainAttempts.sendId, chainSends.id))
    .where(and(eq(chainSends.fromId, fromId), eq(chainSends.state, 'signed'), lt(chainSends.signedAt, before), isPending))
    .limit(1)
  return head !== undefined
}

/** Why nothing may be signed on the node's chain right now; undefined if it may. */
export async function whyNotNow({ db }: Context, node: ChainNode): Promise<'behind' | 'stopped' | undefined> {
  const { chain } = node
  if ((await findStop(db, chain)) || (await findStop(db, chain, 'sending'))) return 'stopped'
  const tip = await node.tip()
  const [newest] = await db
    .select()
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  if (!newest || tip.height - newest.height > LAG[chain] || tip.height < newest.height) return 'behind'
  return tip.height > newest.height || tip.hash === newest.hash ? undefined : 'behind'
}

/** Stops sending and returns true if the node knows a payment out of this wallet that we do not know. */
async function hasUnknown(
  context: Context,
  { node, proof, confirmations }: Signing,
  plan: Plan,
  from: AddressRow
): Promise<boolean> {
  const { db } = context
  const onTheWay = await db
    .select({ id: chainAttempts.transactionId })
    .from(chainAttempts)
    // Also all of the last day: those that were in a block may be out of it again.
    .where(
      and(
        eq(chainAttempts.chain, node.chain),
        or(isPending, gte(chainAttempts.signedAt, new Date(context.clock().getTime() - DAY_MS)))
      )
    )
  // All free coins, not only the chosen ones: a payment that the database has lost may have spent any of them.
  const free = node.chain === 'bitcoin' ? await freeCoins(db, proof, confirmations.BTC) : []
  const unknown = await node.findUnknown({
    address: from.address,
    nextNonce: plan.nonce ?? 0n,
    outpoints: free.map(({ outpoint }) => outpoint),
    onTheWay: onTheWay.map(({ id }) => id)
  })
  if (!unknown) return false
  // Another signer has signed in the meantime.
  if (plan.nonce !== undefined && (await nextNonce(db, from.id)) !== plan.nonce) return true
  await stopChain(context, node.chain, { actor: CHAINS_ACTOR, why: unknown }, 'sending')
  return true
}

/**
 * Stops sending and returns true if the plan's nonce is one that neither the chain nor the journal has come to: the database was changed, and
 * what is signed after a gap is never taken by a block.
 */
async function leavesGap(context: Context, { node, journal }: Signing, { nonce }: Plan, from: AddressRow): Promise<boolean> {
  if (nonce === undefined || nonce <= journal.nextNonce(node.chain, from.address)) return false
  if (nonce <= ((await node.countOf?.(from.address, true)) ?? 0n)) return false
  const why = `The database names ${nonce} as the next nonce of ${from.address}, which was never reached.`
  await stopChain(context, node.chain, { actor: CHAINS_ACTOR, why }, 'sending')
  return true
}

/**
 * Signs within the transaction that stores the bytes. The signer's own file is written first: if the transaction then fails,
 * `recoverSends` stores the payment from there.
 */
async function store(context: Context, signing: Signing, asked: Asked & ChainTime, plan: Plan): Promise<Outcome> {
  try {
    return await transact(context, async (work): Promise<Outcome> => {
      const { tx, now } = work
      const { chain } = signing.node
      await lockSending(work, chain)
      if (await findStop(tx, chain, 'sending')) return 'stopped'
      if (plan.from && plan.nonce !== undefined && (await nextNonce(tx, plan.from.id)) !== plan.nonce) return 'behind'
      const free = plan.coins.length > 0 ? await freeCoins(tx, signing.proof, signing.confirmations.BTC) : []
      if (plan.coins.some(({ outpoint }) => !free.some((coin) => coin.outpoint === outpoint))) return 'behind'
      if (!(await asked.claim(work))) return 'gone'
      const entry = await signEntry(signing, { ...asked, attempt: 0, at: now }, plan)
      await insertSend(work, entry)
      await insertAttempt(work, entry)
      return 'signed'
    })
  } catch (error) {
    if (error instanceof SignerLimitError) return 'signer_limit'
    throw error
  }
}

type ChainTime = { newestTime: Date | undefined }
type Numbered = Pick<Asked, 'id' | 'purpose' | 'mostFee' | 'cents'> &
  ChainTime & { customer?: string | undefined; attempt: number; at: Date }

/** Signs one attempt and writes it into the signer's own file. Throws `SignerLimitError`; whoever calls it stores the entry. */
export async function signEntry({ node, sign, journal, limits }: Signing, asked: Numbered, plan: Plan): Promise<Entry> {
  const { id, purpose, mostFee, cents, customer, attempt, at, newestTime } = asked
  // The transaction may run again after a conflict: what was signed is used again.
  const known = journal.of(id)[attempt]
  if (known) return known
  const { transactionId, bytes, expiresAt = null } = await sign(plan)
  const { to: receiver, token, amount } = plan.payout
  const entry: Entry = {
    sendId: id,
    attempt,
    chain: node.chain,
    purpose,
    token,
    receiver,
    amount,
    mostFee,
    from: plan.from?.address ?? null,
    nonce: plan.nonce ?? null,
    price: plan.price.most,
    tip: plan.price.tip,
    networkFee: plan.networkFee,
    expiresAt,
    outpoints: plan.coins.map(({ outpoint }) => outpoint),
    transactionId,
    bytes,
    cents,
    customer,
    at
  }
  journal.write(entry, limits, newestTime)
  return entry
}
