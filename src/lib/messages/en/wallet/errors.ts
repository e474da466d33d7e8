import type { ErrorCode } from '#lib/contract/errors.ts'

export const walletErrors = {
  insufficient_balance: 'Insufficient Balance',
  insufficient_spot: 'Insufficient Balance',
  insufficient_funding: 'Insufficient Funding Balance',
  insufficient_reward: 'Insufficient Rewards Balance'
} satisfies Partial<Record<ErrorCode, string>>
