import { type CallRules, changing, movingMoney, nowAndThen, open, reading, signingIn, withdrawing } from './rules.ts'

const create = { ...changing, limits: withdrawing, key: 'optional', proof: 'fresh' } as const
const addressBook = { ...changing, limits: nowAndThen } as const
/** Needs the secret of a mail's link. */
const byLink = { ...open, limits: signingIn } as const

export const withdrawalsCalls = {
  listWithdrawals: { ...reading, path: '/users/withdraw/history' },
  withdrawCpc: { ...create, path: '/users/withdraw/cpc/create' },
  withdrawEth: { ...create, path: '/users/withdraw/eth/create' },
  withdrawBtc: { ...create, path: '/users/withdraw/btc/create' },
  getWithdrawalRules: { ...reading, path: '/users/withdraw/rules' },
  getOwnLimit: { ...reading, path: '/users/withdraw/limit' },
  /** Moves nothing: staff decide. */
  askForLimit: { ...changing, path: '/users/withdraw/limit', limits: nowAndThen },
  cancelWithdrawal: { ...changing, path: '/users/withdraw/{id}/cancel', limits: movingMoney },
  showWithdrawalLink: { ...byLink, path: '/users/withdraw/link' },
  answerWithdrawalLink: { ...byLink, path: '/users/withdraw/link/answer' },
  listWithdrawalAddresses: { ...reading, path: '/users/withdraw/addresses' },
  keepWithdrawalAddress: { ...addressBook, path: '/users/withdraw/addresses', proof: 'fresh' },
  removeWithdrawalAddress: { ...addressBook, path: '/users/withdraw/addresses/remove' },
  setWithdrawalWhitelist: { ...addressBook, path: '/users/withdraw/whitelist', proof: 'fresh' }
} as const satisfies Record<string, CallRules>
