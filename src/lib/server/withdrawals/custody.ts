/** Compares the coins on the chains with the books. */
import { CHAINS, type Chain, type ChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type ChainNode, findStop, holdingsOnChain, NodeError, stopChain } from '../chains/index.ts'
import { arrivingOf } from '../deposits/index.ts'
import { customersTotal, houseBalance } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { type RatesSource, worthOf } from '../rates/index.ts'

export type CustodyLine = {
  token: ChainToken
  /** At our addresses, by the node. */
  onChain: bigint
  /** What should be there: by the books, with what has arrived and left but is not booked yet. */
  expected: bigint
  /** Of that, in the hot wallet. */
  hot: bigint
  /** What customers have of it. Tokens that were bought are not on a chain of ours until somebody funds them. */
  claims: bigint
}

/** Undefined where the chain is not read up to its newest block: nothing can be compared then. */
export async function compareCustody(context: Context, node: ChainNode): Promise<CustodyLine[] | undefined> {
  const held = await holdingsOnChain(context, node)
  if (!held) return undefined
  const { db } = context
  return Promise.all(
    held.map(async ({ token, onChain, hot, leaving }) => ({
      token,
      onChain,
      hot,
      // Coins that are in come out of the account `chain`, which therefore stands below zero.
      expected: -(await houseBalance(db, 'chain', token)) + (await arrivingOf(db, token)) - leaving,
      claims: await customersTotal(db, token)
    }))
  )
}

/** In words: each difference. */
export function differencesOf(lines: CustodyLine[]): string[] {
  return lines
    .filter(({ onChain, expected }) => onChain !== expected)
    .map(
      ({ token, onChain, expected }) =>
        `${token}: ${formatExactUnits(onChain, token)} on the chain, ${formatExactUnits(expected, token)} by the books`
    )
}

type Watched = { nodeOf: (chain: Chain) => Promise<ChainNode>; rates: RatesSource; ceilingCents: bigint }

/** A difference stops sending on its chain; a hot wallet above its ceiling asks for cold storage. */
export async function watchCustody(context: Context, chain: Chain, { nodeOf, rates, ceilingCents }: Watched): Promise<void> {
  if (await findStop(context.db, chain)) return
  const lines = await compareCustody(context, await nodeOf(chain))
  if (!lines) return
  const differences = differencesOf(lines)
  if (differences.length > 0) {
    const why = `The coins are not those of the books. ${differences.join('; ')}`
    await stopChain(context, chain, { actor: systemActor('custody'), why }, 'sending')
  }
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

/** One job a chain, every hour. Also what finds ether that a node without traces does not show. */
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
