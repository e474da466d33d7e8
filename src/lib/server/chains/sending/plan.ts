/** Plans a payment: which account or coins pay it, and at what price. Nothing is signed here. */

import { and, desc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, NATIVE } from '#lib/domain/chains/chains.ts'
import { selectCoins } from '#lib/domain/chains/coins.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { onceMade } from '../../platform/onceMade.ts'
import { houseAddress } from '../addresses/house.ts'
import { isProven } from '../addresses/proof.ts'
import type { ColdWallet } from '../cold/wallet.ts'
import type { ChainNode, Payout, Price } from '../port.ts'
import { amongTexts } from '../reading/ours.ts'
import { type Confirmations, isPending } from '../reading/watch.ts'
import {
  type ColdPurpose,
  chainAccounts,
  chainAddresses,
  chainAttemptCoins,
  chainAttempts,
  chainBlocks,
  chainOutputs,
  chainSends,
  chainStrays,
  type Purpose
} from '../schema.ts'
import { CPC_FEE } from './fees.ts'

export type AddressRow = typeof chainAddresses.$inferSelect
export type Coin = { outpoint: string; amount: bigint; isOlderForm?: boolean; address: AddressRow }

/** Everything that is needed to make the bytes, except the key. */
export type Plan = {
  payout: Payout
  /** The account that pays. */
  from: AddressRow | undefined
  nonce: bigint | undefined
  /** Gas, or virtual bytes for Bitcoin; 1 for CPC. */
  size: bigint
  /** Bitcoin: the coins that pay, and the change that comes back to us. */
  coins: Coin[]
  change: { address: string; position: number; amount: bigint } | undefined
  price: Price
  networkFee: bigint
  /** CPC: the bytes that the node prepared, and the time of the newest block that was read. */
  prepared: string | undefined
  chainTime: bigint | null
}

export type Drawing = {
  payout: Payout
  from: AddressRow
  price: Price
  /** The attempt that it replaces: its nonce, or its coins. */
  replaces?: { nonce: bigint | null; outpoints: string[] }
  /** Bitcoin: exactly these coins pay. */
  coins?: Coin[]
  /** Cold storage pays: coins of this key, and its change. */
  cold?: ColdWallet
}
export type Drawer = { node: ChainNode; proof: string; confirmations: Confirmations }

const CPC_DEADLINE_MINUTES = 60
/** The most that the chain allows: an offline machine takes its time. */
const OFFLINE_DEADLINE_MINUTES = 1440

/** Plans the payment as of now; undefined if the wallet does not have enough. */
export async function draw(context: Context, signing: Drawer, { payout, ...drawing }: Drawing): Promise<Plan | undefined> {
  const wallet = walletOf(context, signing, drawing)
  const measured = await wallet.measure(payout)
  return measured && wallet.take(payout, measured)
}

/** What a node says of a payout: its size and fee, and for CPC the bytes that it prepared. */
type Measured = Pick<Plan, 'size' | 'networkFee' | 'prepared'>

/**
 * A wallet at one moment, of which several payments are planned: what one takes is not there for the next. The node and the database are
 * asked once for what all of them need. All plans of an account have the same nonce, the next one: they are numbered when they are stored.
 */
export type Wallet = {
  /** Undefined if the wallet does not have enough even for this payment alone. Several may be measured at the same time. */
  measure: (payout: Payout) => Promise<Measured | undefined>
  /** Undefined if the wallet does not have enough any more. */
  take: (payout: Payout, measured: Measured) => Promise<Plan | undefined>
  /** A plan that is not carried out. */
  giveBack: (plan: Plan) => void
}

export function walletOf(context: Context, signing: Drawer, drawing: Omit<Drawing, 'payout'>): Wallet {
  return signing.node.chain === 'bitcoin' ? coinWallet(context, signing, drawing) : accountWallet(context, signing, drawing)
}

function coinWallet(
  { db }: Context,
  { proof, confirmations }: Drawer,
  { from, price, replaces, coins, cold }: Omit<Drawing, 'payout'>
): Wallet {
  const taken = new Set<string>()
  const free = onceMade(async () => (coins ? [] : freeCoins(db, proof, confirmations.BTC, cold)))
  const required = onceMade(async () => coins ?? (replaces ? coinsOf(db, replaces.outpoints) : []))
  const change = onceMade(() => houseAddress(db, proof, 'bitcoin', cold ? 'cold_change' : 'change'))
  return {
    // What it measures follows from the coins that pay.
    measure: async () => ({ size: 0n, networkFee: 0n, prepared: undefined }),
    take: async (payout) => {
      const [must, all, back] = [await required(), await free(), await change()]
      // A replacement that shares no coin with the first could be paid in addition to it.
      if (replaces && !coins && (must.length === 0 || must.length !== replaces.outpoints.length)) return undefined
      if (must.some(({ outpoint }) => taken.has(outpoint))) throw new Error('These coins pay for one payment')
      // Anybody may change the id of a transaction with an older input: such coins only move between our own wallets (`joinCoins`).
      const others = all.filter(({ outpoint, isOlderForm }) => !isOlderForm && !taken.has(outpoint))
      const selected = selectCoins(payout.amount, price.most, { required: must, others })
      if (!selected || !back) return undefined
      for (const { outpoint } of selected.coins) taken.add(outpoint)
      return {
        payout,
        from,
        nonce: undefined,
        size: selected.fee / price.most,
        coins: selected.coins,
        change: selected.change > 0n ? { address: back.address, position: back.position, amount: selected.change } : undefined,
        price,
        networkFee: selected.fee,
        prepared: undefined,
        chainTime: null
      }
    },
    giveBack: (plan) => {
      for (const { outpoint } of plan.coins) taken.delete(outpoint)
    }
  }
}

/** Whose keys may spend the coins of a wallet. */
const PURPOSES: Record<'hot' | 'cold', Purpose[]> = { hot: ['deposit', 'hot', 'change'], cold: ['cold', 'cold_change'] }

/**
 * Confirmed coins that no pending payment spends: those whose keys the signer has, those of cold storage (`cold`), or of one key of cold
 * storage.
 */
export async function freeCoins(db: Executor, proof: string, confirmations: number, cold?: ColdWallet | 'cold'): Promise<Coin[]> {
  const bound = db
    .select({ outpoint: chainAttemptCoins.outpoint })
    .from(chainAttemptCoins)
    .innerJoin(chainAttempts, eq(chainAttempts.id, chainAttemptCoins.attemptId))
    .where(isPending)
  const [{ newest = 0 } = {}] = await db
    .select({ newest: sql<number>`max(${chainBlocks.height})::integer` })
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, 'bitcoin'))
  const rows = await coinRows(db)
    .where(
      and(
        eq(chainOutputs.chain, 'bitcoin'),
        inArray(chainAddresses.purpose, PURPOSES[cold ? 'cold' : 'hot']),
        isNull(chainOutputs.spentHeight),
        lte(chainOutputs.height, newest - confirmations + 1),
        or(isNull(chainOutputs.maturesAt), lte(chainOutputs.maturesAt, newest)),
        notInArray(chainOutputs.outpoint, bound),
        // The holder of a cold key signs what its wallet program knows.
        cold ? eq(chainOutputs.isOlderForm, false) : undefined
      )
    )
    .orderBy(desc(chainOutputs.amount))
    .limit(MOST_COINS)
  const isOfKey = ({ purpose, position, address }: AddressRow) =>
    typeof cold !== 'object' || cold.addressAt(purpose as ColdPurpose, position).address === address
  return rows.filter(({ address }) => isProven(proof, address) && isOfKey(address))
}

/** More inputs make a transaction that nodes do not forward. */
const MOST_COINS = 500

const coinRows = (db: Executor) =>
  db
    .select({
      outpoint: chainOutputs.outpoint,
      amount: chainOutputs.amount,
      isOlderForm: chainOutputs.isOlderForm,
      address: chainAddresses
    })
    .from(chainOutputs)
    .innerJoin(chainAddresses, eq(chainAddresses.id, chainOutputs.addressId))
    .$dynamic()

export async function coinsOf(db: Executor, outpoints: string[]): Promise<Coin[]> {
  const isOne = sql`${chainOutputs.outpoint} = ${amongTexts(outpoints)}`
  return coinRows(db).where(and(eq(chainOutputs.chain, 'bitcoin'), isNull(chainOutputs.spentHeight), isOne))
}

function accountWallet({ db }: Context, { node }: Drawer, { from, price, replaces, cold }: Omit<Drawing, 'payout'>): Wallet {
  const { chain } = node
  const native = NATIVE[chain]
  const held = new Map<ChainToken, () => Promise<bigint>>()
  const taken = new Map<ChainToken, bigint>()
  const takenOf = (token: ChainToken) => taken.get(token) ?? 0n
  const has = async (token: ChainToken) => {
    const ask = held.get(token) ?? onceMade(() => spendable(db, node, from, token))
    held.set(token, ask)
    return (await ask()) - takenOf(token)
  }
  const nonce = onceMade(async () =>
    chain === 'ethereum'
      ? (replaces?.nonce ?? (await nextNonce(db, from.id, cold && (await node.countOf?.(from.address)))))
      : undefined
  )
  const time = onceMade(() => newestTime(db, chain))
  const holds = onceMade(() => node.holds({ address: from.address, token: native }))
  /**
   * A replacement may use what is bound for the payment that it replaces, so it is compared with all that the account holds. If that is too little,
   * no node takes it; but the next attempt, or a cancellation, would have to offer more than its price.
   */
  const isEnough = async ({ token, amount }: Payout, fee: bigint) => {
    const needed = fee + (token === native ? amount : 0n)
    if (replaces) return (await holds()) >= needed
    return (await has(token)) >= amount && (await has(native)) >= needed
  }
  const count = ({ token, amount }: Payout, fee: bigint, sign: 1n | -1n) => {
    taken.set(token, takenOf(token) + sign * amount)
    taken.set(native, takenOf(native) + sign * fee)
  }
  return {
    measure: async (payout) => {
      // Checked first: a node does not estimate a payment that the wallet cannot make.
      if (!(await isEnough(payout, 0n))) return undefined
      const size = await node.sizeOf(from.address, payout)
      const networkFee = chain === 'cpc' ? CPC_FEE : price.most * size
      if (!(await isEnough(payout, networkFee))) return undefined
      const prepared = await node.prepare?.({
        payout,
        senderPublicKey: from.publicKey ?? '',
        fee: networkFee,
        deadlineMinutes: cold ? OFFLINE_DEADLINE_MINUTES : CPC_DEADLINE_MINUTES
      })
      return { size, networkFee, prepared }
    },
    take: async (payout, measured) => {
      if (!(await isEnough(payout, measured.networkFee))) return undefined
      count(payout, measured.networkFee, 1n)
      return { payout, from, nonce: await nonce(), coins: [], change: undefined, price, chainTime: await time(), ...measured }
    },
    giveBack: ({ payout, networkFee }) => count(payout, networkFee, -1n)
  }
}

/** What an account holds, less what payments under way will take from it. */
export async function spendable(db: Executor, node: ChainNode, { id, address }: AddressRow, token: ChainToken): Promise<bigint> {
  return (await node.holds({ address, token })) - (await boundOf(db, id, token, NATIVE[node.chain]))
}

async function newestTime(db: Executor, chain: Chain): Promise<bigint | null> {
  const [newest] = await db
    .select()
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  return newest?.time ?? null
}

/**
 * The nonce after the last one that we signed, and after those of payments that somebody else signed with our key. `counted`: those that the
 * node knows, for an account that its holder may have used before it was ours.
 */
export async function nextNonce(db: Executor, addressId: bigint, counted = 0n): Promise<bigint> {
  const [account] = await db
    .select({ next: chainAccounts.nextNonce })
    .from(chainAccounts)
    .where(eq(chainAccounts.addressId, addressId))
  const [stray] = await db
    .select({ last: sql<string | null>`max(${chainStrays.nonce})::text` })
    .from(chainStrays)
    .where(eq(chainStrays.fromId, addressId))
  const behindStrays = stray?.last ? BigInt(stray.last) + 1n : 0n
  return [account?.next ?? 0n, behindStrays, counted].reduce((most, one) => (one > most ? one : most))
}

/** The amount that pending payments will take from an account. */
async function boundOf(db: Executor, fromId: bigint, token: ChainToken, native: ChainToken): Promise<bigint> {
  const rows = await db
    .select({
      currency: chainSends.currency,
      amount: chainSends.amount,
      fee: sql<string>`max(${chainAttempts.networkFee})::text`
    })
    .from(chainSends)
    .innerJoin(chainAttempts, eq(chainAttempts.sendId, chainSends.id))
    .where(and(eq(chainSends.fromId, fromId), eq(chainSends.state, 'signed'), isPending))
    .groupBy(chainSends.id)
  return rows.reduce(
    (sum, { currency, amount, fee }) => sum + (currency === token ? amount : 0n) + (native === token ? BigInt(fee) : 0n),
    0n
  )
}
