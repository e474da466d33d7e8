import { type CallRules, reading } from './rules.ts'

export const stakingCalls = {
  getStakingTotal: { ...reading, path: '/orders/staking/total', beyondSpec: true },
  getStakingSummary: { ...reading, path: '/orders/staking/summary', beyondSpec: true },
  listStakes: { ...reading, path: '/orders/staking', beyondSpec: true },
  getStake: { ...reading, path: '/orders/staking/{id}/payouts', beyondSpec: true }
} as const satisfies Record<string, CallRules>
