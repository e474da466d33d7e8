/** Compares the coins on the chains with the books. */
import { CHAINS, type Chain, type ChainToken, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type ChainNode, coinsOnChain, findStop, NodeError, snapshotOf, stopChain, wasResumed } from '../chains/index.ts'
import { arrivingOf } from '../deposits/index.ts'
import { customersTotal, houseBalance } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { type RatesSource, worthOf } from '../rates/index.ts'

export type CustodyLine = {
  token: ChainToken
  /** At our addresses, as the node shows it. */
  onChain: bigint
  /** What should be there: by the books, corrected by what has arrived or left but is not booked yet. */
  expected: bigint
  /** The part of `onChain` in the hot wallet. */
  hot: bigint
  /** The customers' balances. Tokens that they bought are not at our addresses until somebody funds them. */
  claims: bigint
}

/** Undefined if the node has other blocks than those that were read: nothing can be compared then. */
export async function compareCustody({ db }: Context, node: ChainNode): Promise<CustodyLine[] | undefined> {
  // The books and the blocks that were read, in one snapshot; the node is asked as of the snapshot's block.
  const books = await db.transaction(
    async (tx) => {
      const snapshot = await snapshotOf(tx, node.chain)
      const booked = new Map<ChainToken, { expected: bigint; claims: bigint }>()
      for (const token of DEPOSITABLE.filter((one) => chainOf(one) === node.chain)) {
        // Deposits are booked out of the account `chain`, so its balance is negative.
        const expected = (await arrivingOf(tx, token)) - (await houseBalance(tx, 'chain', token))
        booked.set(token, { expected, claims: await customersTotal(tx, token) })
      }
      return { snapshot, booked }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' }
  )
  const held = books.snapshot && (await coinsOnChain(node, books.snapshot))
  return held?.map(({ token, onChain, hot, leaving }) => {
    const { expected = 0n, claims = 0n } = books.booked.get(token) ?? {}
    return { token, onChain, hot, expected: expected - leaving, claims }
  })
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

/** The gap of each token, as text. It stays the same while booked coins come and go, so that a known gap is recognised. */
function gapsOf(lines: CustodyLine[]): string {
  return lines
    .filter(({ onChain, expected }) => onChain !== expected)
    .map(({ token, onChain, expected }) =>
      onChain < expected
        ? `${token}: ${formatExactUnits(expected - onChain, token)} missing`
        : `${token}: ${formatExactUnits(onChain - expected, token)} too many`
    )
    .join('; ')
}

type Watched = { nodeOf: (chain: Chain) => Promise<ChainNode>; rates: RatesSource; ceilingCents: bigint }

/**
 * A difference stops sending on its chain. An operator who resumes it accepts a surplus until its size changes; missing coins stop the
 * chain again. A hot wallet above its ceiling is logged as an error.
 */
export async function watchCustody(context: Context, chain: Chain, { nodeOf, rates, ceilingCents }: Watched): Promise<void> {
  if (await findStop(context.db, chain)) return
  const lines = await compareCustody(context, await nodeOf(chain))
  if (!lines) return
  const differences = differencesOf(lines)
  if (differences.length > 0) context.log.error({ chain, differences }, 'the coins are not those of the books')
  const stop = { actor: systemActor('custody'), why: `The coins are not those of the books. ${gapsOf(lines)}` }
  const isMissing = lines.some(({ onChain, expected }) => onChain < expected)
  // Anybody can send us coins in a way that no block shows: a surplus that an operator has accepted does not stop the chain every hour.
  const isAccepted = !isMissing && (await wasResumed(context.db, chain, stop))
  if (differences.length > 0 && !isAccepted) await stopChain(context, chain, stop, 'sending')
  const current = await rates.current()
  for (const { token, hot } of lines) {
    const { usdCents } = worthOf(current, token, hot)
    if (usdCents > ceilingCents)
      context.log.error(
        { token, hot: hot.toString(), usdCents: usdCents.toString() },
        'the hot wallet holds too much: move coins to cold storage'
      )
  }
}

const EVERY_SECONDS = 3600

/** One job per chain, every hour. It also finds ether that a node without traces does not show. */
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
