import { type CallRules, changing, nowAndThen, open, reading } from './rules.ts'

export const stakingCalls = {
  getStakingTotal: { ...reading, path: '/orders/staking/total' },
  getStakingSummary: { ...reading, path: '/orders/staking/summary' },
  listStakes: { ...reading, path: '/orders/staking' },
  getRewardCalendar: { ...reading, path: '/users/rewards/calendar' },
  getRewardFeed: { ...reading, path: '/users/rewards/feed' },
  createRewardFeed: { ...changing, path: '/users/rewards/feed', limits: nowAndThen, proof: 'fresh' },
  revokeRewardFeed: { ...changing, path: '/users/rewards/feed/revoke', limits: nowAndThen },
  /** Needs the secret of a calendar link: 256 bits, not guessable. The limit is high: a few IP addresses read many customers' calendars. */
  readRewardFeed: { ...open, path: '/users/rewards/feed/read', limits: { address: { max: 3000, windowSeconds: 600 } } },
  getStake: { ...reading, path: '/orders/staking/{id}/payouts' }
} as const satisfies Record<string, CallRules>
