import { type CallRules, open, reading, signingIn } from './rules.ts'

export const newsCalls = {
  listNews: { ...reading, path: '/news' },
  getNews: { ...reading, path: '/news/{id}' },
  /** Signed by the editors' system over its bytes. */
  receiveNewsEvent: { ...open, path: '/news/webhook', limits: { address: { max: 600, windowSeconds: 60 } } },
  /** By the key of the editors: a link to a draft that ends. */
  createNewsPreview: { ...open, path: '/news/preview', limits: signingIn },
  /** By the link of a preview. */
  readNewsPreview: { ...open, path: '/news/preview/read', limits: { address: { max: 300, windowSeconds: 600 } } }
} as const satisfies Record<string, CallRules>
