/**
 * Signs payments out of our wallets. Only the signer does it: it asks the node for payments on their way that it does not know, writes
 * what it signs into its own file, and stores the bytes before anybody broadcasts them. Several payments of one wallet are signed together:
 * the node is asked once, the journal and the database are each written once.
 */

import { and, desc, eq, gte, inArray, lt, or } from 'drizzle-orm'
import { type Chain, chainOf } from '#lib/domain/chains/chains.ts'
import { PLAIN_SIZE } from '#lib/domain/chains/coins.ts'
import type { SignerLimits } from '#lib/domain/chains/signerLimits.ts'
import type { Context } from '../../platform/context.ts'
import type { OperatorKey } from '../../platform/ed25519.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { houseAddress } from '../addresses/house.ts'
import { type ChainNode, NodeError, type Payout } from '../port.ts'
import { CHAINS_ACTOR, type Confirmations, isPending } from '../reading/watch.ts'
import { type chainAddresses, chainAttempts, chainBlocks, chainSends, type SendPurpose } from '../schema.ts'
import { findStop, stopChain } from '../stops.ts'
import { type Entry, type Journal, SignerLimitError } from './journal.ts'
import { type Coin, freeCoins, nextNonce, type Plan, type Wallet, walletOf } from './plan.ts'
import { insertAttempts, insertSends, lockSending } from './store.ts'

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

/**
 * How many blocks the reading may be behind. On a quick chain it always is a little behind; the comparison of nonces covers those blocks.
 */
const LAG: Record<Chain, number> = { bitcoin: 0, ethereum: 3, cpc: 0 }
const DAY_MS = 24 * 3_600_000
/** How long a payment may wait for a block before a replacement with a higher fee is signed. */
export const STUCK_SECONDS: Record<Chain, number> = { bitcoin: 45 * 60, ethereum: 5 * 60, cpc: 0 }

/** Signs one payment (`signSends`). `claim` returns false if it may no longer be signed. */
export async function signSend(
  context: Context,
  signing: Signing,
  { purpose, from, coins, claim, ...asked }: Asked & Omit<Asking, 'claim'> & { claim: (work: Work) => Promise<boolean> }
): Promise<Outcome> {
  const asking = { purpose, ...(from && { from }), ...(coins && { coins }) }
  const claimOne = async (work: Work, ids: string[]) => ((await claim(work)) ? ids : [])
  const result = (await signSends(context, signing, { ...asking, claim: claimOne }, [asked])).get(asked.id)
  if (result === undefined) throw new Error('The payment has no outcome')
  if (typeof result === 'object') throw result.error
  return result
}

/** `error`: this payment alone cannot be planned or signed, e.g. because its receiver takes no coins. */
export type Result = Outcome | { error: unknown }
type Drawn = Asked & { plan: Plan }

/**
 * Signs payments of one wallet, and stores the bytes of each once; says of each what became of it. What an earlier one takes is not there for
 * a later one. `recoverSends` must have run before, so that everything signed earlier is stored. Throws whatever ends a transaction after the
 * journal was written: the next run stores those payments.
 */
export async function signSends(
  context: Context,
  signing: Signing,
  asking: Asking,
  payments: Asked[]
): Promise<Map<string, Result>> {
  const { node, journal } = signing
  const results = new Map<string, Result>(payments.map(({ id }) => [id, 'gone']))
  const isOfChain = ({ payout }: Asked) => chainOf(payout.token) === node.chain
  for (const { id, payout } of payments.filter((one) => !isOfChain(one)))
    results.set(id, { error: new Error(`It pays ${payout.token}, which is not of ${node.chain}`) })
  let rest = payments.filter((one) => isOfChain(one) && journal.of(one.id).length === 0)
  while (rest.length > 0) {
    try {
      const round = await signRound(context, signing, asking, rest)
      for (const [id, result] of round.results) results.set(id, result)
      rest = round.again
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      // What an earlier round has signed stays signed.
      for (const { id } of rest) results.set(id, { error })
      break
    }
  }
  return results
}

/** `again`: fewer than those that were asked for, for another round: what kept them back is out of the way. */
type Round = { results: Map<string, Result>; again: Asked[] }

async function signRound(context: Context, signing: Signing, asking: Asking, payments: Asked[]): Promise<Round> {
  const { node, journal, proof } = signing
  const { chain } = node
  const results = new Map<string, Result>()
  const settle = (list: Asked[], result: Result, again: Asked[] = []): Round => {
    for (const { id } of list) results.set(id, result)
    return { results, again }
  }
  const wait = await whyNotNow(context, node)
  if (wait) return settle(payments, wait)
  const from = asking.from ?? (await houseAddress(context.db, proof, chain, 'hot'))
  if (!from) return settle(payments, 'hot_wallet')
  if (chain === 'ethereum' && (await isStuck(context, from.id))) return settle(payments, 'stuck')
  const price = await node.price()
  const wallet = walletOf(context, signing, { from, price, ...(asking.coins && { coins: asking.coins }) })
  const drawn = await planAll(wallet, payments, results)
  const [first] = drawn
  if (!first) return { results, again: [] }
  if (await hasUnknown(context, signing, first.plan, from)) return settle(drawn, 'stopped')
  if (await leavesGap(context, signing, first.plan, from)) return settle(drawn, 'stopped')
  // Checked again: a new block may contain a payment that the node no longer lists as waiting.
  const late = await whyNotNow(context, node)
  if (late) return settle(drawn, late)
  const newestTime = await node.newestTime?.()
  const payer = chain === 'bitcoin' ? undefined : from
  const ready = drawn.map((one) => ({ ...one, plan: { ...one.plan, from: payer } }))
  // What one of them took and then did not need is there for these.
  const short = payments.filter(({ id }) => ['hot_wallet', 'small_coins'].includes(String(results.get(id))))
  try {
    const outcomes = await store(context, signing, { ...asking, newestTime }, ready)
    for (const [id, outcome] of outcomes) results.set(id, outcome)
    const isLeft = [...outcomes.values()].some((outcome) => outcome === 'signer_limit' || outcome === 'gone')
    return { results, again: isLeft ? short : [] }
  } catch (error) {
    if (drawn.some(({ id }) => journal.of(id).length > 0)) throw error
    // Nothing was written. The one at fault must not hold up the others.
    context.log.warn({ chain, err: error, payments: drawn.length }, 'payments could not be signed together')
    if (error instanceof UnsignableError)
      return settle(
        drawn.filter(({ id }) => id === error.id),
        { error: error.cause },
        payments.filter(({ id }) => id !== error.id && (short.some((one) => one.id === id) || drawn.some((one) => one.id === id)))
      )
    if (drawn.length === 1) return settle(drawn, { error }, short)
    for (const { plan, ...one } of drawn)
      for (const [id, result] of await signSends(context, signing, asking, [one])) results.set(id, result)
    return { results, again: short }
  }
}

/** One payment of several cannot be signed; `cause` says why. */
class UnsignableError extends Error {
  override name = 'UnsignableError'
  readonly id: string
  constructor(id: string, cause: unknown) {
    super(`${id} cannot be signed`, { cause })
    this.id = id
  }
}

/** Plans the payments in turn; `results` says of the others why not. */
async function planAll(wallet: Wallet, payments: Asked[], results: Map<string, Result>): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  const measured = await Promise.allSettled(payments.map(({ payout }) => wallet.measure(payout)))
  for (const [at, asked] of payments.entries()) {
    const measure = measured[at]
    if (measure?.status === 'rejected') {
      results.set(asked.id, { error: measure.reason })
      continue
    }
    const plan = measure?.value && (await wallet.take(asked.payout, measure.value))
    if (plan && plan.networkFee <= asked.mostFee) {
      drawn.push({ ...asked, plan })
      continue
    }
    if (plan) wallet.giveBack(plan)
    results.set(asked.id, plan ? whyDear(plan, asked.mostFee) : 'hot_wallet')
  }
  return drawn
}

function whyDear({ payout, price }: Plan, mostFee: bigint): Outcome {
  return payout.token === 'BTC' && PLAIN_SIZE * price.most <= mostFee ? 'small_coins' : 'network_fee'
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

type Storing = Asking & { newestTime: Date | undefined }

/** How often other chains, which are signed at the same time, may use up a limit between its check and the write. */
const TRIES = 3

/**
 * Signs within the transaction that stores the bytes. The signer's own file is written first: if the transaction then fails,
 * `recoverSends` stores the payments from there.
 */
async function store(context: Context, signing: Signing, storing: Storing, drawn: Drawn[]): Promise<Map<string, Outcome>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(context, (work) => storeWithin(work, signing, storing, drawn))
    } catch (error) {
      if (!(error instanceof SignerLimitError)) throw error
      if (attempt >= TRIES) return new Map(drawn.map(({ id }) => [id, 'signer_limit']))
    }
  }
}

/** Who may be signed is decided before anything is written: the coins, the limits, the callers' rows. Then the nonces leave no gap. */
async function storeWithin(work: Work, signing: Signing, storing: Storing, drawn: Drawn[]): Promise<Map<string, Outcome>> {
  const { tx, now } = work
  const { node, journal, limits, proof, confirmations } = signing
  const results = new Map<string, Outcome>()
  const settle = (list: Drawn[], outcome: Outcome) => {
    for (const { id } of list) results.set(id, outcome)
    return results
  }
  const keep = (list: Drawn[], isKept: (one: Drawn, at: number) => boolean, otherwise: Outcome) => {
    settle(list, otherwise)
    return list.filter(isKept)
  }
  await lockSending(work, node.chain)
  // The transaction may run again after a conflict: what was signed is used again, and no other than that.
  const before = drawn.filter(({ id }) => journal.of(id).length > 0)
  const requireStored = async (list: Drawn[]) => {
    if (!(await areStored(work, list))) throw new Error('A signed payment could not be stored: the next run does')
  }
  if (await findStop(tx, node.chain, 'sending')) {
    await requireStored(before)
    return settle(drawn, 'stopped')
  }
  const [first] = drawn
  if (first?.plan.from && first.plan.nonce !== undefined) {
    const { from, nonce } = first.plan
    // Below the journal's: something was signed that the database does not have yet, and `recoverSends` stores it first.
    const isLate = before.length === 0 && nonce < journal.nextNonce(node.chain, from.address)
    if (isLate || (await nextNonce(tx, from.id)) !== nonce) {
      await requireStored(before)
      return settle(drawn, 'behind')
    }
  }
  const free = drawn.some(({ plan }) => plan.coins.length > 0) ? await freeCoins(tx, proof, confirmations.BTC) : []
  const outpoints = new Set(free.map(({ outpoint }) => outpoint))
  const there = keep(drawn, ({ plan }) => plan.coins.every(({ outpoint }) => outpoints.has(outpoint)), 'behind')
  const judged = there.map(({ payout, ...one }) => ({ ...one, ...payout, receiver: payout.to, chain: node.chain, attempt: 0 }))
  const exceeded = journal.judge(
    judged.map((one) => ({ ...one, purpose: storing.purpose })),
    limits,
    now,
    storing.newestTime
  )
  const within =
    before.length > 0
      ? keep(there, (one) => before.includes(one), 'behind')
      : keep(there, (_, at) => exceeded[at] === undefined, 'signer_limit')
  const ids = within.map(({ id }) => id)
  const claimed = new Set(ids.length > 0 ? await storing.claim(work, ids) : [])
  await requireStored(before.filter(({ id }) => !claimed.has(id)))
  const signed = keep(within, ({ id }) => claimed.has(id), 'gone')
  const numbered = signed.map(({ plan, ...one }, at) => ({
    ...one,
    plan: plan.nonce === undefined ? plan : { ...plan, nonce: plan.nonce + BigInt(at) }
  }))
  const { purpose, newestTime } = storing
  const entries = await signEntries(signing, { purpose, newestTime, attempt: 0, at: now }, numbered)
  await insertSends(work, entries)
  await insertAttempts(work, entries)
  return settle(signed, 'signed')
}

/** True if the database has these payments: another signer with the same journal was quicker. */
async function areStored({ tx }: Work, payments: Drawn[]): Promise<boolean> {
  if (payments.length === 0) return true
  const ids = payments.map(({ id }) => id)
  const stored = await tx.select({ id: chainSends.id }).from(chainSends).where(inArray(chainSends.id, ids))
  return stored.length === ids.length
}

type Attempted = { purpose: SendPurpose; newestTime: Date | undefined; attempt: number; at: Date }
type Numbered = Pick<Asked, 'id' | 'mostFee' | 'cents'> & { customer?: string | undefined; plan: Plan }

/** Signs one attempt each and writes them into the signer's own file. Throws `SignerLimitError`; whoever calls it stores the entries. */
async function signEntries(
  { node, sign, journal, limits }: Signing,
  { purpose, newestTime, attempt, at }: Attempted,
  payments: Numbered[]
): Promise<Entry[]> {
  const known = payments.map(({ id }) => journal.of(id)[attempt])
  const made: Entry[] = []
  for (const [index, { id, mostFee, cents, customer, plan }] of payments.entries()) {
    if (known[index]) continue
    const {
      transactionId,
      bytes,
      expiresAt = null
    } = await sign(plan).catch((error: unknown) => {
      throw new UnsignableError(id, error)
    })
    // Two payments of CPC of one second may have the same bytes: the chain would carry out one of them.
    if (journal.has(transactionId) || made.some((one) => one.transactionId === transactionId))
      throw new UnsignableError(id, new Error(`The bytes of ${transactionId} were signed for another payment`))
    const { to: receiver, token, amount } = plan.payout
    made.push({
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
    })
  }
  journal.write(made, limits, newestTime)
  const fresh = new Map(made.map((entry) => [entry.sendId, entry]))
  return payments.map(({ id }, index) => {
    const entry = known[index] ?? fresh.get(id)
    if (!entry) throw new Error('A signed payment has no entry')
    return entry
  })
}

/** The same for one attempt. */
export async function signEntry(
  signing: Signing,
  { purpose, newestTime, attempt, at, ...asked }: Attempted & Omit<Numbered, 'plan'>,
  plan: Plan
): Promise<Entry> {
  const [entry] = await signEntries(signing, { purpose, newestTime, attempt, at }, [{ ...asked, plan }])
  if (!entry) throw new Error('A signed payment has no entry')
  return entry
}
