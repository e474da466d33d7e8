/**
 * Refills of the hot wallet out of cold storage: an unsigned transaction is written into a file, an offline machine signs it, and what comes
 * back is checked, stored and broadcast. The offline machine shows its holder what is signed; nothing here needs a key.
 */
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { type ChainToken, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { transact } from '../../platform/transaction.ts'
import { houseAddress } from '../addresses/house.ts'
import { isProven } from '../addresses/proof.ts'
import type { ChainNode } from '../port.ts'
import { lockReading } from '../reading/follow.ts'
import { addressesAmong } from '../reading/ours.ts'
import type { Confirmations } from '../reading/watch.ts'
import { chainAddresses, chainAttempts, chainOutputs, chainStrays } from '../schema.ts'
import { MOST_NETWORK_FEE } from '../sending/fees.ts'
import { draw, freeCoins, nextNonce, type Plan, spendable } from '../sending/plan.ts'
import { insertAttempts, insertSends, lockSending } from '../sending/store.ts'
import { findStop } from '../stops.ts'
import { coldAddress } from './addresses.ts'
import { type Payment, RefillError, type RefillFormat, type SignedRefill } from './format.ts'
import type { ColdWallet } from './wallet.ts'

export type Refilling = {
  node: ChainNode
  format: RefillFormat
  /** The signer's public key. */
  proof: string
  /** Cold storage of the settings: what a refill does not bring to the hot wallet goes back to this key alone. */
  wallet: ColdWallet
  confirmations: Confirmations
}

/** CPC: how long after the newest block a payment may expire: a day, and two hours for clocks that differ. */
const LATEST_SECONDS = 93_600n

/** Writes the transaction that brings `amount` to the hot wallet. Throws RefillError, e.g. if cold storage does not hold enough. */
export async function writeRefill(
  context: Context,
  { node, format, proof, confirmations, wallet }: Refilling,
  { token, amount }: { token: ChainToken; amount: bigint }
): Promise<{ file: Uint8Array; plan: Plan }> {
  const { db } = context
  const { chain } = node
  const [hot, from] = [await houseAddress(db, proof, chain, 'hot'), await coldAddress(db, proof, wallet)]
  if (!hot || !from) throw new RefillError('The signer has not derived the addresses yet: start it with the same settings')
  const payout = { to: hot.address, token, amount }
  const plan = await draw(context, { node, proof, confirmations }, { payout, from, price: await node.price(), cold: wallet })
  if (!plan) throw new RefillError(`Cold storage does not hold ${token} for this amount and the network's fee`)
  return { file: await format.write(plan, wallet), plan }
}

export type AcceptedRefill = { token: ChainToken; amount: bigint; transactionId: string; isBroadcast: boolean }

/**
 * Stores a signed refill and broadcasts it; it is booked once the chain has confirmed it. Refuses, with a RefillError, everything that is not
 * a payment from cold storage to the hot wallet. `isBroadcast`: false if sending is stopped on the chain, or if the node did not take it: the
 * worker then tries again.
 */
export async function acceptRefill(context: Context, refilling: Refilling, signed: SignedRefill): Promise<AcceptedRefill> {
  const { node } = refilling
  const { chain, transactionId, bytes } = signed
  await refuseTwice(context.db, signed)
  const paid = await checkedPayment(context.db, refilling, signed)
  const fee = await checkedSource(context.db, refilling, signed, paid)
  await transact(context, async (work) => {
    const { tx, now } = work
    // Its holder may have broadcast it: a block that is being read must find it, or have been read.
    await lockReading(work, chain)
    await lockSending(work, chain)
    await refuseKnown(tx, refilling, signed)
    const entry = {
      sendId: randomUUID(),
      attempt: 0,
      chain,
      purpose: 'refill' as const,
      token: paid.token,
      receiver: paid.address,
      amount: paid.amount,
      mostFee: fee,
      from: signed.from ?? null,
      nonce: signed.nonce ?? null,
      price: 0n,
      tip: 0n,
      networkFee: fee,
      expiresAt: signed.expiresAt ?? null,
      outpoints: signed.spends,
      transactionId,
      bytes,
      cents: 0n,
      at: now
    }
    await insertSends(work, [entry])
    await insertAttempts(work, [entry])
  })
  const isStopped = (await findStop(context.db, chain)) || (await findStop(context.db, chain, 'sending'))
  const isBroadcast = isStopped
    ? false
    : await node.broadcast(bytes).then(
        () => true,
        (error: unknown) => {
          context.log.warn({ chain, transactionId, err: error }, 'a refill was not taken')
          return false
        }
      )
  return { token: paid.token, amount: paid.amount, transactionId, isBroadcast }
}

async function refuseTwice(db: Executor, { chain, transactionId }: SignedRefill): Promise<void> {
  const isIt = and(eq(chainAttempts.chain, chain), eq(chainAttempts.transactionId, transactionId))
  const [known] = await db.select({ id: chainAttempts.id }).from(chainAttempts).where(isIt)
  if (known) throw new RefillError(`This transaction was accepted before: ${transactionId}`)
}

/** Within the transaction that stores it: it is not stored yet, and nothing that was stored since conflicts with it. */
async function refuseKnown(db: Executor, { proof, confirmations }: Refilling, signed: SignedRefill): Promise<void> {
  const { chain, spends, from, nonce } = signed
  await refuseTwice(db, signed)
  if (await isMined(db, signed)) return
  const free = chain === 'bitcoin' ? await freeCoins(db, proof, confirmations.BTC, 'cold') : []
  const [row] = from === undefined ? [] : await addressesAmong(db, chain, [from])
  const isLate = nonce !== undefined && row !== undefined && (await nextNonce(db, row.id)) > nonce
  if (isLate || spends.some((outpoint) => !free.some((coin) => coin.outpoint === outpoint)))
    throw new RefillError('Another refill was accepted at the same moment: make a new one')
}

/** True if a block has it: its holder has broadcast it by themselves. */
async function isMined(db: Executor, { chain, transactionId }: SignedRefill): Promise<boolean> {
  const [stray] = await db
    .select({ height: chainStrays.height })
    .from(chainStrays)
    .where(and(eq(chainStrays.chain, chain), eq(chainStrays.transactionId, transactionId)))
  return stray !== undefined
}

/** The one payment to the hot wallet. Anything else may only come back to cold storage. */
async function checkedPayment(db: Executor, { proof, wallet }: Refilling, { chain, payments }: SignedRefill) {
  const hot = await houseAddress(db, proof, chain, 'hot')
  const ours = await addressesAmong(
    db,
    chain,
    payments.map(({ address }) => address)
  )
  const isCold = (address: string) =>
    ours.some(
      (row) =>
        row.address === address &&
        isProven(proof, row) &&
        (row.purpose === 'cold' || row.purpose === 'cold_change') &&
        wallet.addressAt(row.purpose, row.position).address === address
    )
  const toHot = payments.filter(({ address }) => address === hot?.address)
  const stranger = payments.find(({ address }) => address !== hot?.address && !isCold(address))
  if (stranger) throw new RefillError(`It pays ${stranger.address}, which is neither the hot wallet nor cold storage`)
  const [payment] = toHot
  if (!payment || toHot.length > 1 || payment.amount === 0n) throw new RefillError('It does not pay the hot wallet once')
  return payment
}

/**
 * Checks that cold storage pays, and can; returns the highest network fee. One that its holder broadcast by themselves may be in a block
 * already: then only who paid is checked.
 */
async function checkedSource(db: Executor, refilling: Refilling, signed: SignedRefill, payment: Payment): Promise<bigint> {
  const { chain } = signed
  const isThere = await isMined(db, signed)
  const fee = await (chain === 'bitcoin'
    ? checkedCoins(db, refilling, signed, isThere)
    : checkedAccount(db, refilling, { signed, payment, isMined: isThere }))
  if (fee <= 0n) throw new RefillError('Its network fee is not above zero')
  if (!isThere && fee > MOST_NETWORK_FEE[chain])
    throw new RefillError(`Its network fee is ${fee} in smallest units: more than ${MOST_NETWORK_FEE[chain]}`)
  return fee
}

async function checkedCoins(
  db: Executor,
  { proof, confirmations, format }: Refilling,
  { bytes, spends, payments }: SignedRefill,
  isMined: boolean
): Promise<bigint> {
  const known = isMined ? await coldOutputs(db, spends) : await freeCoins(db, proof, confirmations.BTC, 'cold')
  const coins = spends.map((outpoint) => {
    const coin = known.find((one) => one.outpoint === outpoint)
    if (!coin)
      throw new RefillError(
        `It spends ${outpoint}, which is no free coin of cold storage: it was spent since, or is not confirmed`
      )
    return coin
  })
  if (!isMined && !format.isSigned(bytes, coins)) throw new RefillError('Its signatures are not those of cold storage')
  const sum = (list: { amount: bigint }[]) => list.reduce((total, one) => total + one.amount, 0n)
  return sum(coins) - sum(payments)
}

/** Coins of cold storage, spent or not. */
function coldOutputs(db: Executor, outpoints: string[]) {
  return db
    .select({ outpoint: chainOutputs.outpoint, amount: chainOutputs.amount, address: chainAddresses })
    .from(chainOutputs)
    .innerJoin(chainAddresses, eq(chainAddresses.id, chainOutputs.addressId))
    .where(and(inArray(chainOutputs.outpoint, outpoints), inArray(chainAddresses.purpose, ['cold', 'cold_change'])))
}

async function checkedAccount(
  db: Executor,
  { node, proof }: Refilling,
  { signed, payment, isMined }: { signed: SignedRefill; payment: Payment; isMined: boolean }
): Promise<bigint> {
  const { chain, from = '', nonce, fee = 0n, expiresAt } = signed
  const [row] = await addressesAmong(db, chain, [from])
  if (row?.purpose !== 'cold' || !isProven(proof, row)) throw new RefillError(`${from} signed it, which is not cold storage`)
  if (isMined) return fee
  const next = await nextNonce(db, row.id, await node.countOf?.(from))
  if (nonce !== undefined && nonce !== next)
    throw new RefillError(`Its nonce is ${nonce}, and the next one is ${next}: make a new one`)
  if (expiresAt !== undefined) {
    const newest = await newestTimeOf(node)
    if (expiresAt <= newest) throw new RefillError('It has expired: make a new one')
    // It would hold its coins for as long.
    if (expiresAt > newest + LATEST_SECONDS) throw new RefillError('It expires later than the chain allows: its time is wrong')
  }
  const native = NATIVE[chain]
  const { token, amount } = payment
  const needed = token === native ? amount + fee : amount
  const has = await spendable(db, node, row, token)
  if (has < needed) throw new RefillError(`Cold storage holds ${has} of ${token} in smallest units, less than ${needed}`)
  if (token !== native && (await spendable(db, node, row, native)) < fee)
    throw new RefillError(`Cold storage holds too little ${native} for the network fee`)
  return fee
}

async function newestTimeOf(node: ChainNode): Promise<bigint> {
  const { height } = await node.tip()
  return (await node.blockAt(height)).time ?? 0n
}
