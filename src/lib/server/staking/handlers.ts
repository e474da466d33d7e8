import type { stakingCalls } from '#lib/contract/staking.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { listStakes, readStake, readSummary } from './read.ts'
import { readStakingTotal } from './total.ts'

export function stakingHandlers(context: Context): Handlers<keyof typeof stakingCalls> {
  return {
    getStakingTotal: ({ customer }) => readStakingTotal(context, customer),
    getStakingSummary: ({ customer }) => readSummary(context, customer),
    listStakes: ({ customer, query }) => listStakes(context, customer, query),
    getStake: ({ customer, params }) => readStake(context, customer, params.id)
  }
}
