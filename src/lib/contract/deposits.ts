import { type CallRules, changing, reading } from './rules.ts'

export const depositsCalls = {
  listDeposits: { ...reading, path: '/users/deposit/history' },
  giveDepositAddress: {
    ...changing,
    path: '/users/deposit/address',
    limits: { account: { max: 60, windowSeconds: 3600 } },
    beyondSpec: true
  },
  giveDepositDetails: {
    ...changing,
    path: '/users/deposit/{id}/details',
    limits: { account: { max: 60, windowSeconds: 3600 } },
    beyondSpec: true
  },
  getDepositRules: { ...reading, path: '/users/deposit/rules', beyondSpec: true }
} as const satisfies Record<string, CallRules>
