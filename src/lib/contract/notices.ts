import { type CallRules, changing, reading } from './rules.ts'

export const noticesCalls = {
  countNotices: { ...reading, path: '/users/notices/unseen', beyondSpec: true },
  listNotices: { ...reading, path: '/users/notices', beyondSpec: true },
  seeNotices: { ...changing, path: '/users/notices/seen', beyondSpec: true }
} as const satisfies Record<string, CallRules>
