import { type CallRules, changing, reading } from './rules.ts'

export const noticesCalls = {
  countNotices: { ...reading, path: '/users/notices/unseen' },
  listNotices: { ...reading, path: '/users/notices' },
  seeNotices: { ...changing, path: '/users/notices/seen' }
} as const satisfies Record<string, CallRules>
