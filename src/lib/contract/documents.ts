import { type CallRules, open, reading, signingIn } from './rules.ts'

export const documentsCalls = {
  listDocuments: { ...reading, path: '/users/documents' },
  /** Lets anybody check that a receipt is genuine. */
  verifyReceipt: { ...open, path: '/receipts/verify', limits: signingIn }
} as const satisfies Record<string, CallRules>
