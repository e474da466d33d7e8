/**
 * Signs payments out of our wallets. Only the signer does it: it asks the node for payments on their way that it does not know, writes
 * what it signs into its own file, and stores the bytes before anybody broadcasts them. Several payments of one wallet are signed together:
 * the node is asked once, the journal and the database are each written once.
 */

import { and, desc, eq, gte, lt, or } from 'drizzle-orm'
import { type Chain, chainOf } from '#lib/domain/chains/chains.ts'
import { PLAIN_SIZE } from '#lib/domain/chains/coins.ts'
import type { Context } from '../../platform/context.ts'
import { isDatabaseLost } from '../../platform/db/faults.ts'
import { LeaseLostError } from '../../platform/jobs/take.ts'
import type { Work } from '../../platform/transaction.ts'
import { houseAddress } from '../addresses/house.ts'
import { type ChainNode, NodeError } from '../port.ts'
import { CHAINS_ACTOR, isPending } from '../reading/watch.ts'
import { chainAttempts, chainBlocks, chainSends } from '../schema.ts'
import { findStop, stopChain } from '../stops.ts'
import { store, UnsignableError } from './entries.ts'
import { type AddressRow, freeCoins, nextNonce, type Plan, type Wallet, walletOf } from './plan.ts'
import type { Asked, Asking, Drawn, Outcome, Result, Signing } from './signing.ts'

/**
 * How many blocks the reading may be behind. On a quick chain it always is a little behind; the comparison of nonces covers those blocks.
 */
const LAG: Record<Chain, number> = { bitcoin: 0, ethereum: 3, cpc: 0 }
const DAY_MS = 24 * 3_600_000
/** How long a payment may wait for a block before a replacement with a higher fee is signed. */
export const STUCK_SECONDS: Record<Chain, number> = { bitcoin: 45 * 60, ethereum: 5 * 60, cpc: 0 }
/** CPC has blocks every four minutes, and a payment there expires by itself. */
const CPC_STUCK_SECONDS = 20 * 60
/** When a payment that no block has is shown to staff. */
export const stuckAfterSeconds = (chain: Chain) => STUCK_SECONDS[chain] || CPC_STUCK_SECONDS

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

/** `again`: those that another round may sign, because what kept them back is out of the way. Always fewer than were asked for. */
type Round = { results: Map<string, Result>; again: Asked[] }

async function signRound(context: Context, signing: Signing, asking: Asking, payments: Asked[]): Promise<Round> {
  const { node, journal, proof } = signing
  const { chain } = node
  const results = new Map<string, Result>()
  const settle = (list: Asked[], result: Result): Round => {
    for (const { id } of list) results.set(id, result)
    return { results, again: [] }
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
  const unknown = await findUnknown(context, signing, first.plan, from)
  if (unknown) return settle(drawn, unknown)
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
    if (error instanceof LeaseLostError || isDatabaseLost(error) || drawn.some(({ id }) => journal.of(id).length > 0)) throw error
    // Nothing was written. The one at fault must not hold up the others.
    context.log.warn({ chain, err: error, payments: drawn.length }, 'payments could not be signed together')
    if (error instanceof UnsignableError) {
      results.set(error.id, { error: error.cause })
      const open = new Set([...drawn, ...short].map(({ id }) => id))
      return { results, again: payments.filter(({ id }) => id !== error.id && open.has(id)) }
    }
    if (drawn.length === 1) return { ...settle(drawn, { error }), again: short }
    for (const { plan, ...one } of drawn)
      for (const [id, result] of await signSends(context, signing, asking, [one])) results.set(id, result)
    return { results, again: short }
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

/** Our transactions that a node may show, also all of the last day: those that were in a block may be out of it again. */
async function attemptsOnTheWay({ db, clock }: Context, chain: Chain): Promise<string[]> {
  const isRecent = gte(chainAttempts.signedAt, new Date(clock().getTime() - DAY_MS))
  const rows = await db
    .select({ id: chainAttempts.transactionId })
    .from(chainAttempts)
    .where(and(eq(chainAttempts.chain, chain), or(isPending, isRecent)))
  return rows.map(({ id }) => id)
}

/**
 * `stopped`, after stopping sending, if the node knows a payment out of this wallet that we do not know; `behind` if another job has just signed, and
 * that may be it.
 */
async function findUnknown(
  context: Context,
  { node, proof, confirmations }: Signing,
  plan: Plan,
  from: AddressRow
): Promise<'stopped' | 'behind' | undefined> {
  const { db } = context
  const onTheWay = await attemptsOnTheWay(context, node.chain)
  // All free coins, not only the chosen ones: a payment that the database has lost may have spent any of them.
  const free = node.chain === 'bitcoin' ? await freeCoins(db, proof, confirmations.BTC) : []
  const unknown = await node.findUnknown({
    address: from.address,
    nextNonce: plan.nonce ?? 0n,
    outpoints: free.map(({ outpoint }) => outpoint),
    onTheWay
  })
  if (!unknown) return undefined
  // Another job has signed in the meantime, e.g. joined coins: the node may show its payment.
  if ((await attemptsOnTheWay(context, node.chain)).some((id) => !onTheWay.includes(id))) return 'behind'
  if (plan.nonce !== undefined && (await nextNonce(db, from.id)) !== plan.nonce) return 'behind'
  await stopChain(context, node.chain, { actor: CHAINS_ACTOR, why: unknown }, 'sending')
  return 'stopped'
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
