/**
 * Signing a payment out of our wallets. Only the signer does it: it proves on the chain that nothing is on its way that it does not
 * know of, writes down what it signs in its own file, and stores the bytes before anybody broadcasts them.
 */
import { and, desc, eq, gte, or } from 'drizzle-orm'
import { type Chain, chainOf } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import type { ChainNode, Payout } from '../port.ts'
import { addressesAmong } from '../reading/ours.ts'
import { CHAINS_ACTOR, type Confirmations, isPending, type SendRow } from '../reading/watch.ts'
import { type chainAddresses, chainAttempts, chainBlocks, chainSends, type SendPurpose } from '../schema.ts'
import { findStop, stopChain } from '../stops.ts'
import { type Entry, type Journal, SignerLimitError } from './journal.ts'
import { coinsOf, draw, freeCoins, houseAddress, nextNonce, type Plan } from './plan.ts'
import { insertAttempt, insertSend, lockSending } from './store.ts'

type AddressRow = typeof chainAddresses.$inferSelect
type Signed = { transactionId: string; bytes: string; expiresAt?: bigint }
/** Holds the key. Throws where the seed cannot sign for the paying address, or the prepared bytes are not what was asked for. */
export type PlanSigner = (plan: Plan) => Promise<Signed>

export type Signing = {
  node: ChainNode
  sign: PlanSigner
  journal: Journal
  /** The signer's public key. */
  proof: string
  confirmations: Confirmations
  /** What the signer signs in 24 hours, in USD cents. */
  dayCents: bigint
}

export type Asked = {
  id: string
  purpose: SendPurpose
  payout: Payout
  /** A customer's address that is swept; without it the hot wallet pays. */
  from?: AddressRow
  /** The highest network fee, in the chain's own token. */
  mostFee: bigint
  /** Worth, in USD cents; 0 for what stays ours. */
  cents: bigint
  /** Marks it as signed in the transaction that stores the bytes; false where it may not be signed any more. */
  claim: (work: Work) => Promise<boolean>
}

/**
 * `behind`: the chain is not read up to its newest block. `stopped`: nothing is sent on it. `network_fee`: the network asks for too
 * much at the moment. `hot_wallet`: there is not enough in it. `signer_limit`: enough is signed for today. `gone`: it is not to be
 * signed any more.
 */
export type Outcome = 'signed' | 'behind' | 'stopped' | 'network_fee' | 'hot_wallet' | 'signer_limit' | 'gone'

/** Blocks that may be missing: where they are quick, reading is always a little behind; the count of nonces covers those. */
const LAG: Record<Chain, number> = { bitcoin: 0, ethereum: 3, cpc: 0 }
const DAY_MS = 24 * 3_600_000

/** Signs a payment and stores its bytes, once. Before it, `recoverSends` must have stored what was signed already. */
export async function signSend(context: Context, signing: Signing, asked: Asked): Promise<Outcome> {
  const chain = chainOf(asked.payout.token)
  if (signing.journal.of(asked.id).length > 0) return 'gone'
  const wait = await whyNotNow(context, signing.node)
  if (wait) return wait
  const from = asked.from ?? (await houseAddress(context.db, signing.proof, chain, 'hot'))
  if (!from) return 'hot_wallet'
  const drawn = await draw(context, signing, { payout: asked.payout, from, price: await signing.node.price() })
  if (!drawn) return 'hot_wallet'
  if (drawn.networkFee > asked.mostFee) return 'network_fee'
  if (await hasUnknown(context, signing, drawn, from)) return 'stopped'
  // A block that was found meanwhile may show what is no longer waiting for one.
  const late = await whyNotNow(context, signing.node)
  return late ?? store(context, signing, asked, { ...drawn, from: chain === 'bitcoin' ? undefined : from })
}

/** Undefined where it may be signed. */
async function whyNotNow({ db }: Context, node: ChainNode): Promise<'behind' | 'stopped' | undefined> {
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

/** Stops sending where the node knows of a payment out of this wallet that we do not know. */
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
    // Those that were in a block lately may be out of it again.
    .where(
      and(
        eq(chainAttempts.chain, node.chain),
        or(isPending, gte(chainAttempts.signedAt, new Date(context.clock().getTime() - DAY_MS)))
      )
    )
  // All that are free, not only those that were chosen: a payment that was lost may have spent any of them.
  const free = node.chain === 'bitcoin' ? await freeCoins(db, proof, confirmations.BTC) : []
  const unknown = await node.findUnknown({
    address: from.address,
    nextNonce: plan.nonce ?? 0n,
    outpoints: free.map(({ outpoint }) => outpoint),
    onTheWay: onTheWay.map(({ id }) => id)
  })
  if (!unknown) return false
  // Signed by another signer while we were asking.
  if (plan.nonce !== undefined && (await nextNonce(db, from.id)) !== plan.nonce) return true
  await stopChain(context, node.chain, { actor: CHAINS_ACTOR, why: unknown }, 'sending')
  return true
}

/** Signs within the transaction that stores the bytes. The signer's own file comes first: what it has, is stored again if need be. */
async function store(context: Context, signing: Signing, asked: Asked, plan: Plan): Promise<Outcome> {
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

type Numbered = Pick<Asked, 'id' | 'purpose' | 'mostFee' | 'cents'> & { attempt: number; at: Date }

async function signEntry({ node, sign, journal, dayCents }: Signing, asked: Numbered, plan: Plan): Promise<Entry> {
  const { id, purpose, mostFee, cents, attempt, at } = asked
  // The transaction is run again after a conflict: what was signed stays.
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
    at
  }
  journal.write(entry, { cents: dayCents, from: new Date(at.getTime() - DAY_MS) })
  return entry
}

/** A replacement must offer at least so much more: a tenth by the networks' rules, a quarter so that it helps. */
const RAISED = { times: 5n, by: 4n }
const raise = (value: bigint) => (value * RAISED.times + RAISED.by - 1n) / RAISED.by
const bigger = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Signs another attempt of a send that conflicts with those before: what it pays, and whom, is what the signer's own file says.
 * Undefined where it cannot be done now.
 */
export async function replaceSend(
  context: Context,
  signing: Signing,
  send: SendRow
): Promise<'signed' | 'network_fee' | undefined> {
  const { db, log } = context
  const { node, journal, proof } = signing
  if (await whyNotNow(context, node)) return undefined
  const entries = journal.of(send.id)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first.receiver !== send.receiver || first.amount !== send.amount || first.token !== send.currency) {
    log.error({ send: send.id }, 'the signer refuses to replace a payment that it has not signed so')
    return undefined
  }
  if (send.chain === 'cpc' && !(await hasExpired(signing, entries))) return undefined
  const asks = await node.price()
  const price = { most: bigger(asks.most, raise(last.price)), tip: bigger(asks.tip, raise(last.tip)) }
  const payer =
    first.from === null
      ? await houseAddress(db, proof, send.chain, 'hot')
      : (await addressesAmong(db, send.chain, [first.from]))[0]
  if (!payer) return undefined
  const payout = { to: first.receiver, token: first.token, amount: first.amount }
  const drawn = await draw(context, signing, { payout, from: payer, price, replaces: last })
  if (!drawn) return undefined
  if (drawn.networkFee > first.mostFee) return 'network_fee'
  const plan = { ...drawn, from: send.chain === 'bitcoin' ? undefined : payer }
  return transact(context, async (work) => {
    await lockSending(work, send.chain)
    if (!(await mayReplace(work, signing, { send, plan, attempts: entries.length, shared: last.outpoints }))) return undefined
    const numbered = {
      id: send.id,
      purpose: first.purpose,
      mostFee: first.mostFee,
      // A CPC payment that is made anew does not conflict with the one before: it counts again.
      cents: send.chain === 'cpc' ? first.cents : 0n,
      attempt: entries.length,
      at: work.now
    }
    await insertAttempt(work, await signEntry(signing, numbered, plan))
    return 'signed' as const
  })
}

/** By the node's own block, deep enough: the database may say anything. A CPC payment does not conflict with the one before. */
async function hasExpired({ node, confirmations }: Signing, entries: Entry[]): Promise<boolean> {
  const { height } = await node.tip()
  const { time } = await node.blockAt(Math.max(0, height - confirmations.CPC + 1))
  return time !== undefined && entries.every(({ expiresAt }) => expiresAt !== null && expiresAt < time)
}

type Replacing = { send: SendRow; plan: Plan; attempts: number; shared: string[] }

/** Within the transaction: it is still open, no block has it, and its coins are still there. */
async function mayReplace({ tx }: Work, { proof, confirmations }: Signing, { send, plan, attempts, shared }: Replacing) {
  const [open] = await tx
    .select()
    .from(chainSends)
    .where(and(eq(chainSends.id, send.id), eq(chainSends.state, 'signed')))
    .for('update')
  const known = await tx.select().from(chainAttempts).where(eq(chainAttempts.sendId, send.id))
  if (!open || (await findStop(tx, send.chain, 'sending')) || known.length !== attempts) return false
  if (known.some(({ height, conflictHeight }) => height !== null || conflictHeight !== null)) return false
  if (send.chain !== 'bitcoin') return true
  const there = [...(await coinsOf(tx, shared)), ...(await freeCoins(tx, proof, confirmations.BTC))]
  return plan.coins.every(({ outpoint }) => there.some((coin) => coin.outpoint === outpoint))
}
