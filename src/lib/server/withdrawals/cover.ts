/** Coins leave only against coins: what the signer asks of the books before it pays anything of a token. */
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { coverOf } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import type { WithdrawalRow } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

/**
 * The tokens of which customers have more than there are coins, beyond what may be owed. Balances that were
 * made in the books, e.g. by somebody with a password of the database, are not paid out of other customers' coins.
 */
export async function uncoveredTokens(
  { db, log }: Context,
  { owedMost }: WithdrawalSettings,
  due: WithdrawalRow[]
): Promise<Set<ChainToken>> {
  const found = new Set<ChainToken>()
  for (const token of new Set(due.map(({ currency }) => currency))) {
    const { claims, coins } = await coverOf(db, token)
    if (claims - coins <= owedMost[token]) continue
    found.add(token)
    // Once: from then on they wait.
    if (due.every(({ currency, waits }) => currency !== token || waits === 'hot_wallet')) continue
    log.error(
      { token, customers: claims.toString(), coins: coins.toString(), most: owedMost[token].toString() },
      'nothing is signed: customers have more than there are coins'
    )
  }
  return found
}
