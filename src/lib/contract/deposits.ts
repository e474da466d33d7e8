import { type CallRules, changing, nowAndThen, reading } from './rules.ts'

export const depositsCalls = {
  listDeposits: { ...reading, path: '/users/deposit/history' },
  giveDepositAddress: {
    ...changing,
    path: '/users/deposit/address',
    limits: nowAndThen
  },
  giveDepositDetails: {
    ...changing,
    path: '/users/deposit/{id}/details',
    limits: nowAndThen
  },
  getDepositRules: { ...reading, path: '/users/deposit/rules' }
} as const satisfies Record<string, CallRules>
