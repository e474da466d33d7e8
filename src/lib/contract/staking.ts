import { type CallRules, reading } from './rules.ts'

export const stakingCalls = {
  getStakingTotal: { ...reading, path: '/orders/staking/total' },
  getStakingSummary: { ...reading, path: '/orders/staking/summary' },
  listStakes: { ...reading, path: '/orders/staking' },
  getStake: { ...reading, path: '/orders/staking/{id}/payouts' }
} as const satisfies Record<string, CallRules>
