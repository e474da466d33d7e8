/** Signs a further attempt of a payment that no block has taken, or, by an operator's order, a payment that takes its place. */

import { and, eq } from 'drizzle-orm'
import { joinedSize } from '#lib/domain/chains/coins.ts'
import type { SendOrder } from '#lib/domain/chains/orders.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { houseAddress } from '../addresses/house.ts'
import type { Payout, Price } from '../port.ts'
import { lockReading } from '../reading/follow.ts'
import { addressesAmong } from '../reading/ours.ts'
import type { SendRow } from '../reading/watch.ts'
import { chainAttempts, chainSends } from '../schema.ts'
import { findStop } from '../stops.ts'
import { signEntry } from './entries.ts'
import type { Entry } from './journal.ts'
import { type AddressRow, coinsOf, draw, freeCoins, type Plan } from './plan.ts'
import { whyNotNow } from './send.ts'
import type { Signing } from './signing.ts'
import { derivedId, insertAttempts, insertSends, lockSending } from './store.ts'

/** A replacement must raise the price: the networks demand a tenth; we take a quarter, so that it helps. */
const RAISED = { times: 5n, by: 4n }
const raise = (value: bigint) => (value * RAISED.times + RAISED.by - 1n) / RAISED.by
const bigger = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Signs another attempt of a send, which conflicts with the earlier ones; on CPC they must have expired instead. Receiver and amount come
 * from the signer's own file. Undefined if it cannot be done now.
 */
export async function replaceSend(
  context: Context,
  signing: Signing,
  send: SendRow,
  order?: SendOrder
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
  const raised = { most: bigger(asks.most, raise(last.price)), tip: bigger(asks.tip, raise(last.tip)) }
  const payer =
    first.from === null
      ? await houseAddress(db, proof, send.chain, 'hot')
      : (await addressesAmong(db, send.chain, [first.from]))[0]
  if (!payer) return undefined
  const mostFee = order ? bigger(first.mostFee, order.mostFee) : first.mostFee
  const isCancelled = order?.kind === 'cancel'
  const price = isCancelled && send.chain === 'bitcoin' ? await priceAbove(db, last, raised) : raised
  // Once its place is taken, a higher fee for it would work against us.
  if (!isCancelled && journal.of(cancelIdOf(send.id)).some(({ purpose }) => purpose === 'cancel')) return undefined
  const asIs = { to: first.receiver, token: first.token, amount: first.amount }
  const payout = isCancelled ? await toOurselves(db, signing, { payer, price, last }) : asIs
  const drawn = payout && (await draw(context, signing, { payout, from: payer, price, replaces: last }))
  if (!drawn) return undefined
  if (drawn.networkFee > mostFee) return 'network_fee'
  const plan = { ...drawn, from: send.chain === 'bitcoin' ? undefined : payer }
  const newestTime = await node.newestTime?.()
  return transact(context, async (work) => {
    // Not while a block is being stored: it may have the rival, would not find this attempt, and is not read twice.
    await lockReading(work, send.chain)
    await lockSending(work, send.chain)
    if (!(await mayReplace(work, signing, { send, plan, attempts: entries.length, shared: last.outpoints }))) return undefined
    if (isCancelled) return takePlace(work, signing, { send, mostFee, newestTime }, plan)
    const numbered = {
      id: send.id,
      purpose: first.purpose,
      mostFee: first.mostFee,
      // A new CPC payment does not conflict with the expired one, so it counts against the limit again.
      cents: send.chain === 'cpc' ? first.cents : 0n,
      customer: first.customer,
      attempt: entries.length,
      at: work.now,
      newestTime
    }
    await insertAttempts(work, [await signEntry(signing, numbered, plan)])
    return 'signed' as const
  })
}

/** Bitcoin's nodes take a replacement only for more than the whole fee of what it replaces, however much smaller it is. */
async function priceAbove(db: Executor, last: Entry, price: Price): Promise<Price> {
  const size = joinedSize(await coinsOf(db, last.outpoints))
  // The old fee for each unit of the new size, and two more: one because the division rounds down, one that the network asks for.
  return { ...price, most: bigger(price.most, last.networkFee / size + 2n) }
}

/** What takes the place of a payment: nothing to the paying account with its nonce, or its coins to our own address. */
async function toOurselves(
  db: Executor,
  { node, proof }: Signing,
  { payer, price, last }: { payer: AddressRow; price: Price; last: Entry }
): Promise<Payout | undefined> {
  if (node.chain === 'ethereum') return { to: payer.address, token: 'ETH', amount: 0n }
  const coins = await coinsOf(db, last.outpoints)
  const change = await houseAddress(db, proof, 'bitcoin', 'change')
  const amount = coins.reduce((sum, coin) => sum + coin.amount, 0n) - joinedSize(coins) * price.most
  return change && amount > 0n ? { to: change.address, token: 'BTC', amount } : undefined
}

/** A send of its own, so that the chain shows which of the two it took; the other one is over once that is deep. */
async function takePlace(
  work: Work,
  signing: Signing,
  { send, mostFee, newestTime }: { send: SendRow; mostFee: bigint; newestTime: Date | undefined },
  plan: Plan
): Promise<'signed' | undefined> {
  const id = cancelIdOf(send.id)
  const [before] = await work.tx.select({ id: chainSends.id }).from(chainSends).where(eq(chainSends.id, id))
  if (before) return undefined
  const asked = { id, purpose: 'cancel', mostFee, cents: 0n, attempt: 0, at: work.now, newestTime } as const
  const entry = await signEntry(signing, asked, plan)
  await insertSends(work, [entry])
  await insertAttempts(work, [entry])
  return 'signed'
}

/** The id of the send that cancels another one: always the same, so that it is made once. */
const cancelIdOf = (sendId: string): string => derivedId(`cancel:${sendId}`)

/**
 * Whether all attempts have expired, by a block of the node that is deep enough, and the node has none of them: the database is not trusted
 * here, because a new CPC payment does not conflict with the earlier ones.
 */
async function hasExpired({ node, confirmations }: Signing, entries: Entry[]): Promise<boolean> {
  const { height } = await node.tip()
  const { time } = await node.blockAt(Math.max(0, height - confirmations.CPC + 1))
  if (time === undefined || entries.some(({ expiresAt }) => expiresAt === null || expiresAt >= time)) return false
  for (const { transactionId } of entries) if (await node.knows?.(transactionId)) return false
  return node.knows !== undefined
}

type Replacing = { send: SendRow; plan: Plan; attempts: number; shared: string[] }

/** Checked within the transaction: the send is still open, no block has it, and its coins are still unspent. */
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
