/**
 * Cold storage: moves what the hot wallet does not need to the key that is kept offline, and books what went there and came back. A
 * thief who has the signer's seed can take what is hot, and nothing of what is cold.
 */
import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { CHAINS, type Chain, type ChainToken, chainOf, DEPOSITABLE, NATIVE } from '#lib/domain/chains/chains.ts'
import { coldAmount, orderedAmount } from '#lib/domain/chains/cold.ts'
import {
  type ColdWallet,
  chainSends,
  coldAddress,
  coldChallenge,
  derivedId,
  freeCoins,
  houseAddress,
  NodeError,
  recoverSends,
  type SendListener,
  type Signing,
  signSend,
  spendable
} from '../chains/index.ts'
import { house, houseBalance, outgoingTotal, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { type RatesSource, worthAtMost } from '../rates/index.ts'
import { coldOrders, withdrawals } from './schema.ts'
import { claimSigned } from './sign.ts'

export type ColdSettings = {
  /** Undefined where the settings name no cold storage of the chain. */
  walletOf: (chain: Chain) => Promise<ColdWallet | undefined>
  rates: RatesSource
  /** USD cents that the hot wallet of a token may hold before coins are moved. */
  ceilingCents: bigint
  /** Smallest units that stay hot in any case. */
  floors: Record<ChainToken, bigint>
}

/** The highest network fee of a move, in the chain's own token; above it the move waits for a cheaper hour. */
const MOST_FEE: Record<Chain, bigint> = { bitcoin: 200_000n, ethereum: 3_000_000_000_000_000n, cpc: 100_000_000n }
const EVERY_SECONDS = 600
const DAY_MS = 24 * 3_600_000

/**
 * Moves the coins of each token of a chain whose hot wallet is above the ceiling. Nothing is moved before the holder of the cold key has signed
 * the challenge, which the signer's journal keeps.
 */
export async function moveToCold(context: Context, settings: ColdSettings, signing: Signing): Promise<void> {
  const { chain } = signing.node
  const wallet = await settings.walletOf(chain)
  if (!wallet) return
  if (!(await isProved(signing, wallet))) {
    context.log.warn({ chain, key: wallet.id }, 'nothing is moved to cold storage: nobody has proved to have its key')
    return
  }
  // What was signed before a crash is stored first: a second move would take the same coins again.
  await recoverSends(context, signing.journal, chain, claimSigned)
  for (const token of DEPOSITABLE.filter((one) => chainOf(one) === chain))
    await moveToken(context, settings, signing, { wallet, token })
}

async function isProved({ journal }: Signing, wallet: ColdWallet): Promise<boolean> {
  for (const signature of journal.coldProofs(wallet.id)) if (await wallet.isSigned(coldChallenge(wallet), signature)) return true
  return false
}

async function moveToken(
  context: Context,
  settings: ColdSettings,
  signing: Signing,
  { wallet, token }: { wallet: ColdWallet; token: ChainToken }
): Promise<void> {
  const { db, log } = context
  const { node, proof } = signing
  if (await isMoving(db, token)) return
  const [hot, cold] = [await houseAddress(db, proof, node.chain, 'hot'), await coldAddress(db, proof, wallet)]
  if (!hot || !cold) return
  const all = node.chain === 'bitcoin' ? await freeCoins(db, proof, signing.confirmations.BTC) : []
  const coins = all.filter(({ isOlderForm }) => !isOlderForm)
  const has = node.chain === 'bitcoin' ? sumOf(coins) : await spendable(db, node, hot, token)
  const current = await settings.rates.current()
  const state = {
    hot: has - (token === NATIVE[node.chain] ? MOST_FEE[node.chain] : 0n),
    open: await openAmount(db, token),
    floor: settings.floors[token],
    most: signing.limits.cold[token] - signing.journal.movedToCold(token, new Date(context.clock().getTime() - DAY_MS))
  }
  const order = await openColdOrder(context, signing, token)
  const byItself = coldAmount({
    ...state,
    all: -(await houseBalance(db, 'chain', token)) - (await houseBalance(db, 'cold', token)),
    ceilingCents: settings.ceilingCents,
    centsOf: (units) => worthAtMost(current, token, units).usdCents
  })
  const ordered = order ? orderedAmount(state, order.amount) : 0n
  // What moves by itself carries the order out, where it is as much.
  const isOrdered = ordered > 0n
  const amount = ordered > byItself ? ordered : byItself
  if (amount === 0n) return
  const outcome = await signSend(context, signing, {
    id: isOrdered && order ? coldSendId(order.id) : randomUUID(),
    purpose: 'cold',
    payout: { to: cold.address, token, amount },
    mostFee: MOST_FEE[node.chain],
    cents: 0n,
    // Asked again under the lock: another run of this job may have signed one meanwhile.
    claim: async ({ tx }) => !(await isMoving(tx, token))
  })
  const line = { token, amount: amount.toString(), to: cold.address, outcome }
  if (outcome === 'signed') log.info(line, 'coins are moved to cold storage')
  else log.warn(line, 'coins should be moved to cold storage, and wait')
}

/** The oldest order of staff that is a day old at most and was not carried out. */
async function openColdOrder({ db, clock }: Context, { journal }: Signing, token: ChainToken) {
  const rows = await db
    .select()
    .from(coldOrders)
    .where(
      and(
        eq(coldOrders.currency, token),
        gt(coldOrders.orderedAt, new Date(clock().getTime() - DAY_MS)),
        lte(coldOrders.orderedAt, clock())
      )
    )
    .orderBy(asc(coldOrders.orderedAt))
    .limit(MOST_ORDERS)
  return rows.find(({ id }) => journal.of(coldSendId(id)).length === 0)
}
const MOST_ORDERS = 1000

/** The payment of an order of staff. A row names no payment: it could name a withdrawal's. */
export const coldSendId = (orderId: string): string => derivedId(`cold:${orderId}`)

const sumOf = (coins: { amount: bigint }[]) => coins.reduce((sum, { amount }) => sum + amount, 0n)

/** One move of a token at a time: what is on its way is not counted a second time. */
async function isMoving(db: Executor, token: ChainToken): Promise<boolean> {
  const [open] = await db
    .select({ id: chainSends.id })
    .from(chainSends)
    .where(and(eq(chainSends.currency, token), eq(chainSends.purpose, 'cold'), eq(chainSends.state, 'signed')))
    .limit(1)
  return open !== undefined
}

/**
 * The withdrawals that the hot wallet must still pay. Those that are signed have their coins already. At most what is booked for withdrawals:
 * a row alone keeps no coins hot.
 */
export async function openAmount(db: Executor, token: ChainToken): Promise<bigint> {
  const [open] = await db
    .select({ sum: sql<string>`coalesce(sum(${withdrawals.amount}), 0)::text` })
    .from(withdrawals)
    .where(and(eq(withdrawals.currency, token), inArray(withdrawals.state, ['unconfirmed', 'review', 'approved'])))
  const booked = await outgoingTotal(db, token)
  const asked = BigInt(open?.sum ?? 0)
  return asked < booked ? asked : booked
}

/** Books what the chain has confirmed: coins that went into cold storage, and coins that came back. */
export const coldListener: SendListener = async ({ tx, now }, { id, purpose, state, currency, amount }) => {
  if (state !== 'confirmed' || (purpose !== 'cold' && purpose !== 'refill')) return
  const [source, destination] = purpose === 'cold' ? [house('cold'), house('chain')] : [house('chain'), house('cold')]
  await post(tx, {
    reason: purpose === 'cold' ? 'cold_moved' : 'cold_refilled',
    source: { type: 'chain_send', id },
    reference: `${purpose}:${id}`,
    actor: systemActor('chains'),
    transfers: [{ source, destination, currency, amount }],
    at: now
  })
}

/** One job per chain, in the signer. If the node or the prices fail, the next run tries again. */
export function coldJobs(context: Context, settings: ColdSettings, signingOf: (chain: Chain) => Promise<Signing>): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `cold_${chain}`,
    role: 'signer',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      try {
        await moveToCold(context, settings, await signingOf(chain))
      } catch (error) {
        if (!(error instanceof NodeError || error instanceof UnavailableError)) throw error
        context.log.warn({ chain, err: error }, 'nothing can be moved to cold storage at the moment')
      }
    }
  }))
}
