import { type CallRules, changing, open, reading } from './rules.ts'

export const identityCalls = {
  getKycData: { ...reading, path: '/users/kyc-data' },
  getKycLink: {
    ...changing,
    path: '/users/get-kyc-link',
    limits: { address: { max: 300, windowSeconds: 3600 }, account: { max: 60, windowSeconds: 3600 } }
  },
  /** A webhook. The provider signs the bytes of the body. */
  receiveIdentityEvent: {
    ...open,
    path: '/identity/webhook',
    limits: { address: { max: 600, windowSeconds: 60 } }
  }
} as const satisfies Record<string, CallRules>
