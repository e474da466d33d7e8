/**
 * Watches our sends on the chain: the block of each, transactions that make one impossible, and payments out of our wallets that we do
 * not know.
 */
import { and, asc, eq, gte, inArray, isNull, max, ne, or, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, isChainToken, NATIVE } from '#lib/domain/chains/chains.ts'
import { house, post } from '../../ledger/index.ts'
import { systemActor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import type { Block, ChainTransaction } from '../port.ts'
import { chainAccounts, chainAttemptCoins, chainAttempts, chainBlocks, chainSends, chainStrays } from '../schema.ts'
import { findStop, stopWithin } from '../stops.ts'
import { amongTexts, type OurPayment, type OurTransaction } from './ours.ts'

export const CHAINS_ACTOR = systemActor('chains')
export type SendRow = typeof chainSends.$inferSelect
export type AttemptRow = typeof chainAttempts.$inferSelect
export type Confirmations = Record<ChainToken, number>
/**
 * A feature's reaction to a send that the chain has settled. Runs in the transaction that stores the new state. `attempt`: the one in the
 * chain, if any.
 */
export type SendListener = (work: Work, send: SendRow, attempt: AttemptRow | undefined) => Promise<void>

/**
 * Matches transactions out of our wallets with our attempts: notes their block and conflicts, and stops sending for unknown ones. Runs in
 * the transaction that stores the block.
 */
export async function watchSends(
  context: Context,
  work: Work,
  chain: Chain,
  block: Block,
  sent: OurTransaction[]
): Promise<void> {
  if (sent.length === 0) return
  const { tx } = work
  const ids = sent.map(({ transaction }) => transaction.id)
  const found = await tx
    .select({ attempt: chainAttempts, send: chainSends })
    .from(chainAttempts)
    .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
    .where(and(eq(chainAttempts.chain, chain), inArray(chainAttempts.transactionId, ids)))
  const attempts = found.map(({ attempt }) => attempt)
  const sends = new Map(found.map(({ send }) => [send.id, send]))
  for (const { transaction, from } of sent) {
    const attempt = attempts.find(({ transactionId }) => transactionId === transaction.id)
    const { id, nonce, spends, fee } = transaction
    const isUndone =
      (transaction.isUndone ?? false) || (attempt !== undefined && !isAsAsked(transaction, sends.get(attempt.sendId)))
    if (attempt) {
      await tx
        .update(chainAttempts)
        .set({ height: block.height, blockHash: block.hash, isUndone, paidFee: fee ?? null })
        .where(eq(chainAttempts.id, attempt.id))
      if (sends.get(attempt.sendId)?.state === 'failed')
        await stopSending(context, work, chain, `Payment ${id} was given back, and is in block ${block.height} after all.`)
    } else {
      const stray = {
        chain,
        transactionId: id,
        height: block.height,
        blockHash: block.hash,
        fromId: from?.id ?? null,
        nonce: nonce ?? null,
        readAt: work.now
      }
      await tx
        .insert(chainStrays)
        .values({ ...stray, isUndone, paidFee: fee ?? null })
        .onConflictDoNothing()
      await stopSending(
        context,
        work,
        chain,
        `Transaction ${id} in block ${block.height} pays out of our wallets, and is none of ours.`
      )
    }
    const sameNonce = nonce !== undefined && from && and(eq(chainAttempts.nonce, nonce), eq(chainSends.fromId, from.id))
    const sameCoin =
      spends.length > 0 &&
      sql`${chainAttempts.id} in (
      select attempt_id from ${chainAttemptCoins} where outpoint = ${amongTexts(spends)})`
    if (!sameNonce && !sameCoin) continue
    const rivals = tx
      .select({ id: chainAttempts.id })
      .from(chainAttempts)
      .innerJoin(chainSends, eq(chainSends.id, chainAttempts.sendId))
      .where(
        and(
          eq(chainAttempts.chain, chain),
          ne(chainAttempts.transactionId, id),
          or(sameNonce || undefined, sameCoin || undefined)
        )
      )
    await tx.update(chainAttempts).set({ conflictHeight: block.height }).where(inArray(chainAttempts.id, rivals))
  }
}

/**
 * A token's contract may answer "no" without failing: its payment counts only if the block shows the transfer. The chain's own token is
 * moved by the transaction itself.
 */
function isAsAsked({ payments }: ChainTransaction, send: SendRow | undefined): boolean {
  if (!send || send.currency === NATIVE[send.chain]) return true
  const { receiver, currency, amount } = send
  return payments.some((one) => one.address === receiver && one.token === currency && one.amount === amount)
}

/** Nothing more is sent until somebody has looked at it. */
async function stopSending({ log }: Context, { tx, now }: Work, chain: Chain, why: string): Promise<void> {
  await stopWithin({ db: tx, log, now }, chain, 'sending', { actor: CHAINS_ACTOR, why })
}

/** Notes which customers' accounts have something to sweep. Runs in the transaction that stores the block. */
export async function watchAccounts({ tx }: Work, chain: Chain, height: number, payments: OurPayment[]): Promise<void> {
  if (chain === 'bitcoin') return
  const isOurs = ({ to, token, amount }: OurPayment) => to.purpose === 'deposit' && amount > 0n && isChainToken(token)
  const ids = [...new Set(payments.filter(isOurs).map(({ to }) => to.id))]
  for (const addressId of ids) {
    await tx
      .insert(chainAccounts)
      .values({ addressId, receivedHeight: height, dueHeight: height })
      .onConflictDoUpdate({
        target: chainAccounts.addressId,
        set: { receivedHeight: height, dueHeight: sql`coalesce(${chainAccounts.dueHeight}, ${height})` }
      })
  }
}

/**
 * Removes what the blocks from a height on showed about our sends. A send that was given back because of such a block may be paid after
 * all: sending stops until an operator has looked.
 */
export async function forgetSends(context: Context, { tx, now }: Work, chain: Chain, fromHeight: number): Promise<void> {
  const ofChain = eq(chainAttempts.chain, chain)
  const [failed] = await tx
    .select({ id: chainSends.id })
    .from(chainAttempts)
    .innerJoin(chainSends, and(eq(chainSends.id, chainAttempts.sendId), eq(chainSends.state, 'failed')))
    .where(and(ofChain, or(gte(chainAttempts.height, fromHeight), gte(chainAttempts.conflictHeight, fromHeight))))
    .limit(1)
  if (failed) {
    const why = `A reorganisation removed the block by which send ${failed.id} was given back.`
    await stopWithin({ db: tx, log: context.log, now }, chain, 'sending', { actor: CHAINS_ACTOR, why })
  }
  await tx
    .update(chainAttempts)
    .set({ height: null, blockHash: null, isUndone: false, paidFee: null })
    .where(and(ofChain, gte(chainAttempts.height, fromHeight)))
  await tx
    .update(chainAttempts)
    .set({ conflictHeight: null })
    .where(and(ofChain, gte(chainAttempts.conflictHeight, fromHeight)))
  await tx.delete(chainStrays).where(and(eq(chainStrays.chain, chain), gte(chainStrays.height, fromHeight)))
}

/** A send whose attempts have all expired is given up once it has this many attempts. */
const MOST_EXPIRED = 3

/**
 * Settles every send that is deep enough in the chain or can no longer get into it. Each in a transaction of its own; one that fails does
 * not hold up the others.
 */
export async function settleSends(
  context: Context,
  chain: Chain,
  { confirmations, listeners }: { confirmations: Confirmations; listeners: SendListener[] }
): Promise<void> {
  const open = await context.db
    .select({ id: chainSends.id })
    .from(chainSends)
    .where(and(eq(chainSends.chain, chain), eq(chainSends.state, 'signed')))
    .orderBy(asc(chainSends.signedAt))
  let failed: unknown
  for (const { id } of open) {
    await transact(context, (work) => settle(work, id, confirmations, listeners)).catch((error: unknown) => {
      context.log.error({ send: id, err: error }, 'a payment was not settled')
      failed = error
    })
  }
  if (failed) throw failed
}

async function settle(work: Work, id: string, confirmations: Confirmations, listeners: SendListener[]): Promise<void> {
  const { tx, now } = work
  const [send] = await tx
    .select()
    .from(chainSends)
    .where(and(eq(chainSends.id, id), eq(chainSends.state, 'signed')))
    .for('update')
  if (!send || (await findStop(tx, send.chain))) return
  const attempts = await tx.select().from(chainAttempts).where(eq(chainAttempts.sendId, id)).orderBy(asc(chainAttempts.id))
  const deepHeight = (await newestHeight(tx, send.chain)) - confirmations[send.currency] + 1
  const isDeep = (height: number | null) => height !== null && height <= deepHeight
  const included = attempts.find(({ height }) => isDeep(height))
  const time = await timeAt(tx, send.chain, deepHeight)
  const isOver = (one: AttemptRow) => one.height === null && (isDeep(one.conflictHeight) || isExpired(one, time))
  // An expired payment is signed again a few times before it is given up.
  const mayTryAgain =
    send.purpose !== 'refill' &&
    send.purpose !== 'lost' &&
    attempts.some((one) => isExpired(one, time)) &&
    attempts.length < MOST_EXPIRED
  if (!included && (mayTryAgain || attempts.length === 0 || !attempts.every(isOver))) return
  // The conflicting transaction may be a payment of ours that the database has lost: nothing is given back while sending is stopped.
  if (!included && (await findStop(tx, send.chain, 'sending'))) return
  const state = included && !included.isUndone ? 'confirmed' : 'failed'
  await tx.update(chainSends).set({ state, settledAt: now }).where(eq(chainSends.id, id))
  if (included) await bookFee(work, send, included)
  if (send.purpose === 'lost' && state === 'confirmed') await bookLost(work, send)
  for (const listener of listeners) await listener(work, { ...send, state, settledAt: now }, included)
}

/** Books the network fee from `fees` to where the coins lay: they are gone, and customers have paid for it with our own fee. */
async function bookFee({ tx, now }: Work, send: SendRow, { paidFee, networkFee, transactionId }: AttemptRow): Promise<void> {
  const fee = paidFee ?? networkFee
  if (fee === 0n) return
  await post(tx, {
    reason: 'network_fee',
    source: { type: 'chain_send', id: send.id },
    reference: `network_fee:${send.chain}:${transactionId}`,
    actor: CHAINS_ACTOR,
    transfers: [
      {
        source: house('fees'),
        destination: house(send.purpose === 'refill' ? 'cold' : 'chain'),
        currency: NATIVE[send.chain],
        amount: fee
      }
    ],
    at: now
  })
}

/** `time`: of a block that is deep enough. */
export function isExpired({ expiresAt, height }: AttemptRow, time: bigint | null): boolean {
  return height === null && expiresAt !== null && time !== null && time > expiresAt
}

/** The time of a block; null if the block is not kept or has no time. */
export async function timeAt(db: Executor, chain: Chain, height: number): Promise<bigint | null> {
  const [block] = await db
    .select({ time: chainBlocks.time })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.chain, chain), eq(chainBlocks.height, height)))
  return block?.time ?? null
}

/** The coins are gone, and nobody knows what the payment was for: it is booked as a loss. */
async function bookLost({ tx, now }: Work, { id, currency, amount }: SendRow): Promise<void> {
  await post(tx, {
    reason: 'adjustment',
    source: { type: 'chain_send', id },
    reference: `lost:${id}`,
    actor: CHAINS_ACTOR,
    transfers: [{ source: house('losses'), destination: house('chain'), currency, amount }],
    at: now
  })
}

export async function newestHeight(db: Executor, chain: Chain): Promise<number> {
  const [row] = await db
    .select({ height: max(chainBlocks.height) })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
  return row?.height ?? -1
}

/** Attempts that no block contains and none has made impossible: the coins and amounts that they spend are reserved. */
export const isPending = and(isNull(chainAttempts.height), isNull(chainAttempts.conflictHeight))
