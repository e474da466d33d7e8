import { type CallRules, changing, nowAndThen, reading } from './rules.ts'

export const depositsCalls = {
  listDeposits: { ...reading, path: '/users/deposit/history' },
  giveDepositAddress: {
    ...changing,
    path: '/users/deposit/address',
    limits: nowAndThen,
    beyondSpec: true
  },
  giveDepositDetails: {
    ...changing,
    path: '/users/deposit/{id}/details',
    limits: nowAndThen,
    beyondSpec: true
  },
  getDepositRules: { ...reading, path: '/users/deposit/rules', beyondSpec: true }
} as const satisfies Record<string, CallRules>
