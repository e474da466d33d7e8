import { type CallRules, changing, open, reading } from './rules.ts'

export const helpCalls = {
  writeToSupport: { ...changing, path: '/support', limits: { account: { max: 10, windowSeconds: 3600 } } },
  listSupportCases: { ...reading, path: '/support' },
  /** For somebody who is not signed in: nobody has verified their email address. */
  writeToSupportAsVisitor: { ...open, path: '/support/visitor', limits: { address: { max: 5, windowSeconds: 3600 } } }
} as const satisfies Record<string, CallRules>
