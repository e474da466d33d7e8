import { type CallRules, changing, movingMoney, reading, readingMuch, unlimited } from './rules.ts'

const transfer = { ...changing, limits: movingMoney, key: 'optional' } as const

export const walletCalls = {
  getBalance: { ...reading, path: '/users/balance' },
  moveSpotToFunding: { ...transfer, path: '/users/balance/transfer-from-spot-to-funding' },
  moveFundingToSpot: { ...transfer, path: '/users/balance/transfer-from-funding-to-spot' },
  moveRewardToSpot: { ...transfer, path: '/users/balance/transfer-from-reward-to-spot' },
  getStatement: {
    ...reading,
    path: '/users/balance/statement',
    limits: readingMuch
  },
  getValueLine: {
    ...reading,
    path: '/users/balance/history',
    limits: readingMuch
  },
  getCost: {
    ...reading,
    path: '/users/balance/cost',
    limits: readingMuch
  },
  getSupportedTokens: { ...reading, path: '/token/supported-tokens', who: 'anyone', limits: unlimited }
} as const satisfies Record<string, CallRules>
