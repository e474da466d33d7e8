/** The balances of our addresses as the node shows them, and the amounts of our sends that are in a block but not settled yet. */
import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, chainOf, DEPOSITABLE, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Executor } from '../../platform/db/client.ts'
import type { ChainNode } from '../port.ts'
import {
  chainAccounts,
  chainAddresses,
  chainAttempts,
  chainBlocks,
  chainOutputs,
  chainSends,
  type Purpose,
  type SendPurpose
} from '../schema.ts'
import type { AddressRow } from './addresses.ts'
import { isProven } from './proof.ts'

/** How many requests to the node run at a time. */
const AT_ONCE = 16

async function sumOf<T>(list: T[], amountOf: (one: T) => Promise<bigint>): Promise<bigint> {
  let sum = 0n
  for (let from = 0; from < list.length; from += AT_ONCE)
    sum = (await Promise.all(list.slice(from, from + AT_ONCE).map(amountOf))).reduce((total, one) => total + one, sum)
  return sum
}

export type Held = { token: ChainToken; onChain: bigint; hot: bigint; cold: bigint; leaving: bigint }
type Coin = { outpoint: string; address: string }
/** `coins`, `coldCoins`: of Bitcoin. The others are addresses. */
type Places = { coins: Coin[]; coldCoins: Coin[]; hot: string[]; cold: string[]; others: string[] }
const COLD: Purpose[] = ['cold', 'cold_change']

/**
 * Where our coins are by the blocks that were read, counting only addresses that the signer has signed, and the amounts of sends that are
 * in a block but not settled. Read in one transaction, so that all of it is of the same moment.
 */
export type Snapshot = { chain: Chain; height: number; hash: string; places: Places; leaving: Map<ChainToken, bigint> }

export async function snapshotOf(tx: Executor, proof: string, chain: Chain): Promise<Snapshot | undefined> {
  const [newest] = await tx
    .select()
    .from(chainBlocks)
    .where(eq(chainBlocks.chain, chain))
    .orderBy(desc(chainBlocks.height))
    .limit(1)
  if (!newest) return undefined
  const coins = await tx
    .select({ outpoint: chainOutputs.outpoint, address: chainAddresses })
    .from(chainOutputs)
    .innerJoin(chainAddresses, eq(chainAddresses.id, chainOutputs.addressId))
    .where(and(eq(chainOutputs.chain, chain), isNull(chainOutputs.spentHeight)))
  const ours = await tx
    .select({ address: chainAddresses })
    .from(chainAddresses)
    .leftJoin(chainAccounts, eq(chainAccounts.addressId, chainAddresses.id))
    .where(
      and(
        eq(chainAddresses.chain, chain),
        or(inArray(chainAddresses.purpose, ['hot', ...COLD]), isNotNull(chainAccounts.addressId))
      )
    )
  type Row = { address: AddressRow }
  const isCold = ({ address }: Row) => COLD.includes(address.purpose)
  const isHot = ({ address }: Row) => address.purpose === 'hot'
  const named = (list: Row[]) => list.map(({ address }) => address.address)
  const [ourCoins, ourAddresses] = [await provenAmong(proof, coins), await provenAmong(proof, ours)]
  const coinsOf = (list: typeof coins) => list.map(({ outpoint, address }) => ({ outpoint, address: address.address }))
  const places = {
    coins: coinsOf(ourCoins.filter((one) => !isCold(one))),
    coldCoins: coinsOf(ourCoins.filter(isCold)),
    hot: named(ourAddresses.filter(isHot)),
    cold: named(ourAddresses.filter(isCold)),
    others: named(ourAddresses.filter((one) => !isHot(one) && !isCold(one)))
  }
  return { chain, height: newest.height, hash: newest.hash, places, leaving: await leavingOf(tx, chain) }
}

/**
 * For each token of a chain: the balance of our addresses at the snapshot's block as the node shows it, the parts of it in the hot wallet and
 * in cold storage, and the amount that is leaving. Undefined if the node does not have that block or, for Bitcoin, has a newer one.
 */
export async function coinsOnChain(
  node: ChainNode,
  { chain, height, hash, places, leaving }: Snapshot
): Promise<Held[] | undefined> {
  const isSame = async () => {
    const tip = await node.tip()
    return tip.height >= height && (chain !== 'bitcoin' || tip.height === height) && (await node.hashAt(height)) === hash
  }
  if (!(await isSame())) return undefined
  const held: Held[] = []
  for (const token of DEPOSITABLE.filter((one) => chainOf(one) === chain)) {
    const at = (address: string) => node.holds({ address, token }, height)
    const coin = (place: Coin) => node.holds(place)
    const isBitcoin = chain === 'bitcoin'
    const hot = isBitcoin ? await sumOf(places.coins, coin) : await sumOf(places.hot, at)
    const cold = isBitcoin ? await sumOf(places.coldCoins, coin) : await sumOf(places.cold, at)
    const others = isBitcoin ? 0n : await sumOf(places.others, at)
    held.push({ token, onChain: hot + cold + others, hot, cold, leaving: leaving.get(token) ?? 0n })
  }
  return (await isSame()) ? held : undefined
}

const PAID_OUT: SendPurpose[] = ['withdrawal', 'lost', 'return']

const CHECKED_AT_ONCE = 500

/** Those at addresses that the signer has signed. Other work goes on in between: a signature takes a tenth of a millisecond to check. */
async function provenAmong<R extends { address: AddressRow }>(proof: string, rows: R[]): Promise<R[]> {
  const found: R[] = []
  for (let from = 0; from < rows.length; from += CHECKED_AT_ONCE) {
    found.push(...rows.slice(from, from + CHECKED_AT_ONCE).filter(({ address }) => isProven(proof, address)))
    await setImmediate()
  }
  return found
}

/** Payments to others, and the fees of all sends. What moves between our own wallets stays ours, also into and out of cold storage. */
async function leavingOf(db: Executor, chain: Chain): Promise<Map<ChainToken, bigint>> {
  const rows = await db
    .select({
      currency: chainSends.currency,
      purpose: chainSends.purpose,
      amount: chainSends.amount,
      fee: sql<string>`coalesce(${chainAttempts.paidFee}, ${chainAttempts.networkFee})::text`,
      isUndone: chainAttempts.isUndone
    })
    .from(chainSends)
    .innerJoin(chainAttempts, and(eq(chainAttempts.sendId, chainSends.id), isNotNull(chainAttempts.height)))
    .where(and(eq(chainSends.chain, chain), eq(chainSends.state, 'signed')))
  const leaving = new Map<ChainToken, bigint>()
  const add = (token: ChainToken, amount: bigint) => leaving.set(token, (leaving.get(token) ?? 0n) + amount)
  for (const { currency, purpose, amount, fee, isUndone } of rows) {
    if (!isUndone && PAID_OUT.includes(purpose)) add(currency, amount)
    add(NATIVE[chain], BigInt(fee))
  }
  return leaving
}
