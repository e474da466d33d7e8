import { type CallRules, changing, nowAndThen, open, reading } from './rules.ts'

export const stakingCalls = {
  getStakingTotal: { ...reading, path: '/orders/staking/total' },
  getStakingSummary: { ...reading, path: '/orders/staking/summary' },
  listStakes: { ...reading, path: '/orders/staking' },
  getRewardCalendar: { ...reading, path: '/users/rewards/calendar' },
  getRewardFeed: { ...reading, path: '/users/rewards/feed' },
  createRewardFeed: { ...changing, path: '/users/rewards/feed', limits: nowAndThen },
  revokeRewardFeed: { ...changing, path: '/users/rewards/feed/revoke', limits: nowAndThen },
  /** By the secret link of a calendar. The calendars of many customers are read from a few addresses; nobody guesses 256 bits. */
  readRewardFeed: { ...open, path: '/users/rewards/feed/read', limits: { address: { max: 3000, windowSeconds: 600 } } },
  getStake: { ...reading, path: '/orders/staking/{id}/payouts' }
} as const satisfies Record<string, CallRules>
