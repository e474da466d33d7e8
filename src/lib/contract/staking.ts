import { type CallRules, reading } from './rules.ts'

export const stakingCalls = {
  getStakingTotal: { ...reading, path: '/orders/staking/total', beyondSpec: true }
} as const satisfies Record<string, CallRules>
