import { type CallRules, reading, readingMuch } from './rules.ts'

export const activityCalls = {
  listActivity: {
    ...reading,
    path: '/users/activity',
    limits: readingMuch
  }
} as const satisfies Record<string, CallRules>
