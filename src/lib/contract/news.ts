import { type CallRules, open, reading, signingIn } from './rules.ts'

export const newsCalls = {
  listNews: { ...reading, path: '/news' },
  getNews: { ...reading, path: '/news/{id}' },
  /** A webhook. The editors' system signs the bytes of the body. */
  receiveNewsEvent: { ...open, path: '/news/webhook', limits: { address: { max: 600, windowSeconds: 60 } } },
  /** Needs the editors' key. Makes a link to a draft; the link expires. */
  createNewsPreview: { ...open, path: '/news/preview', limits: signingIn },
  /** Needs the secret of a preview link. */
  readNewsPreview: { ...open, path: '/news/preview/read', limits: { address: { max: 300, windowSeconds: 600 } } }
} as const satisfies Record<string, CallRules>
