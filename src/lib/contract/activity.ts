import { type CallRules, reading } from './rules.ts'

export const activityCalls = {
  listActivity: {
    ...reading,
    path: '/users/activity',
    limits: { account: { max: 120, windowSeconds: 60 } }
  }
} as const satisfies Record<string, CallRules>
