import type { stakingCalls } from '#lib/contract/staking.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { readCalendar } from './calendar.ts'
import { createFeed, readFeed, readFeedState, revokeFeed } from './feed.ts'
import { listStakes, readStake, readSummary } from './read.ts'
import { readStakingTotal } from './total.ts'

export function stakingHandlers(context: Context): Handlers<keyof typeof stakingCalls> {
  return {
    getStakingTotal: ({ customer }) => readStakingTotal(context, customer),
    getStakingSummary: ({ customer }) => readSummary(context, customer),
    listStakes: ({ customer, query }) => listStakes(context, customer, query),
    getRewardCalendar: ({ customer, query }) => readCalendar(context, customer, query),
    getRewardFeed: ({ customer }) => readFeedState(context, customer),
    createRewardFeed: ({ customer }) => createFeed(context, customer),
    revokeRewardFeed: ({ customer }) => revokeFeed(context, customer),
    readRewardFeed: ({ body }) => readFeed(context, body.token),
    getStake: ({ customer, params }) => readStake(context, customer, params.id)
  }
}
