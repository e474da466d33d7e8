/**
 * Joins small coins of Bitcoin while the network is cheap: each coin that pays costs a part of the fee, so that a wallet of many small coins
 * could not pay a larger withdrawal at all.
 */

import { randomUUID } from 'node:crypto'
import { joinedSize } from '#lib/domain/chains/coins.ts'
import type { Context } from '../../platform/context.ts'
import type { JobKind } from '../../platform/jobs/kinds.ts'
import { houseAddress } from '../addresses/house.ts'
import { NodeError } from '../port.ts'
import { freeCoins } from './plan.ts'
import { signSend } from './send.ts'
import type { Outcome, Signing } from './signing.ts'
import { recoverSends } from './store.ts'

/** Satoshi a virtual byte: above it, joining waits for a cheaper hour. */
const CHEAP = 5n
/** A wallet of at most this many coins is left alone; above, the smallest are joined, so many at a time. */
const KEPT_COINS = 30
const JOINED = 100
const EVERY_SECONDS = 3600

/** Undefined if there is nothing to join, or if it would cost too much now. */
export async function joinCoins(context: Context, signing: Signing): Promise<Outcome | undefined> {
  const { db } = context
  const { node, proof, confirmations } = signing
  const { most: price } = await node.price()
  const coins = await freeCoins(db, proof, confirmations.BTC)
  const hot = await houseAddress(db, proof, 'bitcoin', 'hot')
  if (!hot || price > CHEAP) return undefined
  // Those of the older spelling pay nobody before they are ours in the newer one.
  const older = coins.filter((coin) => coin.isOlderForm && coin.amount > joinedSize([coin]) * price)
  const plain = coins.filter(({ isOlderForm }) => !isOlderForm)
  const smallest = older.length > 0 ? older.slice(0, JOINED) : plain.slice(KEPT_COINS).slice(-JOINED)
  if (older.length === 0 && smallest.length < 2) return undefined
  const fee = joinedSize(smallest) * price
  const amount = smallest.reduce((sum, coin) => sum + coin.amount, 0n) - fee
  if (amount <= fee) return undefined
  return signSend(context, signing, {
    id: randomUUID(),
    purpose: 'sweep',
    payout: { to: hot.address, token: 'BTC', amount },
    coins: smallest,
    mostFee: fee,
    cents: 0n,
    claim: async () => true
  })
}

/**
 * Runs in the signer, every hour. If the node fails, the next run tries again. `claim`: as for `recoverSends`, which runs first, so that no
 * coin is joined that pays something signed before.
 */
export function joinJob(
  context: Context,
  signingOf: (chain: 'bitcoin') => Promise<Signing>,
  claim: Parameters<typeof recoverSends>[3]
): JobKind {
  return {
    name: 'join_bitcoin',
    role: 'signer',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      try {
        const signing = await signingOf('bitcoin')
        await recoverSends(context, signing.journal, 'bitcoin', claim)
        await joinCoins(context, signing)
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        context.log.warn({ chain: 'bitcoin', err: error }, 'coins could not be joined')
      }
    }
  }
}
