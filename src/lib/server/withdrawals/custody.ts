/** Compares the coins on the chains with the books. */

import { and, eq } from 'drizzle-orm'
import { CHAINS, type Chain, type ChainToken, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import {
  type ChainNode,
  chainAddresses,
  coinsOnChain,
  findStop,
  isBlockRead,
  NodeError,
  snapshotOf,
  stopChain
} from '../chains/index.ts'
import { arrivingOf, keepSurplus } from '../deposits/index.ts'
import { coverOf } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { UnavailableError } from '../platform/errors.ts'
import { beat } from '../platform/heartbeat.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { type Rates, type RatesSource, worthAtMost } from '../rates/index.ts'
import { custodyLines } from './schema.ts'

export type CustodyLine = {
  token: ChainToken
  /** The block that was read last: everything here is as of it. */
  block: { height: number; hash: string }
  /** At our addresses, as the node shows it. */
  onChain: bigint
  /** What should be there: by the books, corrected by what has arrived or left but is not booked yet. */
  expected: bigint
  /** The parts of `onChain` in the hot wallet and in cold storage. */
  hot: bigint
  cold: bigint
  /** Of payments in a block that are not settled: no longer on the chain, and still in the customers' balances. */
  leaving: bigint
  /** The customers' balances, and the tokens among them that we sold or gave away without having the coins. */
  claims: bigint
  owed: bigint
}

/** Undefined if the node has other blocks than those that were read: nothing can be compared then. */
export async function compareCustody(
  { db }: Pick<Context, 'db'>,
  node: ChainNode,
  proof: string
): Promise<CustodyLine[] | undefined> {
  // The books and the blocks that were read, in one snapshot; the node is asked as of the snapshot's block.
  const books = await db.transaction(
    async (tx) => {
      const snapshot = await snapshotOf(tx, proof, node.chain)
      const booked = new Map<ChainToken, { expected: bigint; claims: bigint; owed: bigint }>()
      for (const token of DEPOSITABLE.filter((one) => chainOf(one) === node.chain)) {
        const { coins, claims, owed } = await coverOf(tx, token)
        booked.set(token, { expected: coins + (await arrivingOf(tx, token)), claims, owed })
      }
      return { snapshot, booked }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' }
  )
  if (!books.snapshot) return undefined
  const { height, hash } = books.snapshot
  const held = await coinsOnChain(node, books.snapshot)
  return held?.map(({ token, onChain, hot, cold, leaving }) => {
    const { expected = 0n, claims = 0n, owed = 0n } = books.booked.get(token) ?? {}
    return { token, block: { height, hash }, onChain, hot, cold, leaving, expected: expected - leaving, claims, owed }
  })
}

/** Where customers have more than there are coins, beyond what is known to be owed: one text each. */
export function uncoveredOf(lines: CustodyLine[]): string[] {
  return lines
    .filter(({ onChain, claims, owed, leaving }) => claims - owed - leaving > onChain)
    .map(
      ({ token, onChain, claims, owed }) =>
        `${token}: customers have ${formatExactUnits(claims, token)}, ${formatExactUnits(owed, token)} of it owed, and there are ${formatExactUnits(onChain, token)}`
    )
}

/** The differences, one text each. */
export function differencesOf(lines: CustodyLine[]): string[] {
  return lines
    .filter(({ onChain, expected }) => onChain !== expected)
    .map(
      ({ token, onChain, expected }) =>
        `${token}: ${formatExactUnits(onChain, token)} on the chain, ${formatExactUnits(expected, token)} by the books`
    )
}

/** The missing coins of each token, as text. It stays the same while booked coins come and go. */
function missingOf(lines: CustodyLine[]): string {
  return lines
    .filter(({ onChain, expected }) => onChain < expected)
    .map(({ token, onChain, expected }) => `${token}: ${formatExactUnits(expected - onChain, token)} missing`)
    .join('; ')
}

/** Named when coins and books were last compared. */
export const custodyBeat = (chain: Chain) => `custody:${chain}`

type Watched = {
  nodeOf: (chain: Chain) => Promise<ChainNode>
  rates: RatesSource
  ceilingCents: bigint
  /** Smallest units that stay hot in any case. */
  floors: Record<ChainToken, bigint>
  /** Blocks after which a surplus is booked, by token. */
  confirmations: Record<ChainToken, number>
  /** The signer's public key. */
  proof: string
}

/**
 * Missing coins stop sending on their chain, also after an operator has resumed it. A surplus stops nothing, because anybody can send us
 * coins in a way that no block shows as a payment: it is logged, and booked to `suspense` once it is as deep as a deposit. A hot wallet
 * above its ceiling is logged as an error where the chain has no cold storage: otherwise the signer moves the coins by itself.
 */
export async function watchCustody(context: Context, chain: Chain, { nodeOf, rates, ...settings }: Watched): Promise<void> {
  const { db, log } = context
  if (await findStop(db, chain)) return
  const lines = await compareCustody(context, await nodeOf(chain), settings.proof)
  if (!lines) return
  const current = await currentRates(rates)
  await keepLines(context, lines, { ...settings, current })
  await beat(context, custodyBeat(chain))
  const differences = differencesOf(lines)
  if (differences.length > 0) log.error({ chain, differences }, 'the coins are not those of the books')
  const uncovered = uncoveredOf(lines)
  if (uncovered.length > 0) log.error({ chain, uncovered }, 'customers have more than there are coins')
  const missing = missingOf(lines)
  const stop = { actor: systemActor('custody'), why: `The coins are not those of the books. ${missing}` }
  if (missing !== '') await stopChain(context, chain, stop, 'sending')
  for (const { token, block, onChain, expected } of lines) {
    const found = { chain, token, ...block, amount: onChain > expected ? onChain - expected : 0n }
    const isStill = (height: number, hash: string) => isBlockRead(db, chain, height, hash)
    const booked = await keepSurplus(context, found, { confirmations: settings.confirmations[token], isStill })
    if (booked > 0n) log.warn({ token, amount: booked.toString() }, 'coins that belong to no deposit were booked to suspense')
  }
  const isCold = await hasCold(db, chain)
  if (!current) throw new UnavailableError('No price is known')
  for (const { token, hot } of lines) {
    const { usdCents } = worthAtMost(current, token, hot)
    const line = { token, hot: hot.toString(), usdCents: usdCents.toString() }
    if (!isCold && usdCents > settings.ceilingCents) log.error(line, 'the hot wallet holds too much: set up cold storage')
    if (isCold && usdCents > settings.ceilingCents * COLD_TIMES)
      log.error(line, 'the hot wallet holds too much, and nothing moves it to cold storage')
  }
}

/** Undefined while there is no price: coins and books are compared without one. */
async function currentRates(rates: RatesSource): Promise<Rates | undefined> {
  try {
    return await rates.current()
  } catch (error) {
    if (error instanceof UnavailableError) return undefined
    throw error
  }
}

type Band = Pick<Watched, 'floors' | 'ceilingCents'> & { current: Rates | undefined }

async function keepLines({ db, clock }: Context, lines: CustodyLine[], { floors, ceilingCents, current }: Band): Promise<void> {
  for (const { token, block, leaving: _, ...line } of lines) {
    const usdCents = current ? worthAtMost(current, token, line.hot).usdCents : null
    const band = { floor: floors[token], ceilingCents, usdCents }
    const row = { currency: token, height: block.height, ...line, ...band, comparedAt: clock() }
    await db.insert(custodyLines).values(row).onConflictDoUpdate({ target: custodyLines.currency, set: row })
  }
}

export type CustodyKept = typeof custodyLines.$inferSelect

/** What was found last, by token. */
export async function lastCustody(db: Executor): Promise<Map<ChainToken, CustodyKept>> {
  const rows = await db.select().from(custodyLines)
  return new Map(rows.map((row) => [row.currency, row]))
}

/** Cold storage takes the rest by itself, as much as its limit of a day allows: further above the ceiling something keeps it from that. */
export const COLD_TIMES = 3n

async function hasCold(db: Executor, chain: Chain): Promise<boolean> {
  const [row] = await db
    .select({ id: chainAddresses.id })
    .from(chainAddresses)
    .where(and(eq(chainAddresses.chain, chain), eq(chainAddresses.purpose, 'cold')))
    .limit(1)
  return row !== undefined
}

/** Often enough that a comparison which staff look at is never older than they may believe. */
const EVERY_SECONDS = 600

/** One job per chain. It also finds ether that a node without traces does not show. */
export function custodyJobs(context: Context, watched: Watched): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `custody_${chain}`,
    role: 'worker',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      try {
        await watchCustody(context, chain, watched)
      } catch (error) {
        if (!(error instanceof NodeError || error instanceof UnavailableError)) throw error
        context.log.warn({ chain, err: error }, 'the coins could not be compared with the books')
      }
    }
  }))
}
