import type { Answer } from '#lib/contract/types.ts'
import { usd } from '../orders/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { sumsOf } from './read.ts'

/**
 * The cost of the customer's staked packages: completed orders with staking (spec section 4). Packages of the promotion are not staked, so
 * they are not in it. Kept by the database with every stake.
 */
export async function readStakingTotal({ db }: Pick<Context, 'db'>, { userId }: Customer): Promise<Answer<'getStakingTotal'>> {
  const rows = await sumsOf(db).execute({ user: userId })
  return {
    totalUsd: usd(rows.reduce((sum, { fiatCents }) => sum + fiatCents, 0n)),
    orders: rows.reduce((sum, { orders }) => sum + orders, 0)
  }
}
