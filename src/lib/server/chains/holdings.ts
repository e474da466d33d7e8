/** What lies at our addresses by the chain itself, and what of our sends is in a block but not decided yet. */
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { type Chain, type ChainToken, chainOf, DEPOSITABLE, NATIVE } from '#lib/domain/chains/chains.ts'
import type { Context } from '../platform/context.ts'
import type { ChainNode } from './port.ts'
import { chainAccounts, chainAddresses, chainAttempts, chainOutputs, chainSends } from './schema.ts'
import { newestHeight } from './watch.ts'

/** Asked for side by side. */
const AT_ONCE = 16

async function sumOf<T>(list: T[], amountOf: (one: T) => Promise<bigint>): Promise<bigint> {
  let sum = 0n
  for (let from = 0; from < list.length; from += AT_ONCE)
    sum = (await Promise.all(list.slice(from, from + AT_ONCE).map(amountOf))).reduce((total, one) => total + one, sum)
  return sum
}

export type Held = { token: ChainToken; onChain: bigint; hot: bigint; leaving: bigint }

/**
 * Each token of a chain: what the node shows at our addresses by the newest block that was read, what of it is in the hot wallet, and
 * what left by sends that are not decided yet. Undefined where the node has more blocks than were read.
 */
export async function holdingsOnChain({ db }: Context, node: ChainNode): Promise<Held[] | undefined> {
  const { chain } = node
  const height = await newestHeight(db, chain)
  const tip = await node.tip()
  if (chain === 'bitcoin' && tip.height !== height) return undefined
  if (tip.height < height) return undefined
  const tokens = DEPOSITABLE.filter((token) => chainOf(token) === chain)
  const leaving = await leavingOf(db, chain)
  if (chain === 'bitcoin') {
    const coins = await db
      .select({ outpoint: chainOutputs.outpoint, amount: chainOutputs.amount })
      .from(chainOutputs)
      .where(and(eq(chainOutputs.chain, chain), isNull(chainOutputs.spentHeight)))
    const onChain = await sumOf(coins, ({ outpoint }) => node.holds({ outpoint }))
    return [{ token: 'BTC', onChain, hot: onChain, leaving: leaving.get('BTC') ?? 0n }]
  }
  const ours = await db
    .select({ address: chainAddresses.address, purpose: chainAddresses.purpose })
    .from(chainAddresses)
    .leftJoin(chainAccounts, eq(chainAccounts.addressId, chainAddresses.id))
    .where(and(eq(chainAddresses.chain, chain), or(eq(chainAddresses.purpose, 'hot'), isNotNull(chainAccounts.addressId))))
  const held: Held[] = []
  for (const token of tokens) {
    const at = ({ address }: { address: string }) => node.holds({ address, token }, height)
    const hot = await sumOf(
      ours.filter(({ purpose }) => purpose === 'hot'),
      at
    )
    const rest = await sumOf(
      ours.filter(({ purpose }) => purpose !== 'hot'),
      at
    )
    held.push({ token, onChain: hot + rest, hot, leaving: leaving.get(token) ?? 0n })
  }
  return held
}

/** What is paid to others, and what it costs; a sweep and a top-up stay ours but for their fee. */
async function leavingOf(db: Context['db'], chain: Chain): Promise<Map<ChainToken, bigint>> {
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
    if (!isUndone && (purpose === 'withdrawal' || purpose === 'lost')) add(currency, amount)
    add(NATIVE[chain], BigInt(fee))
  }
  return leaving
}
