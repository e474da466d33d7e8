import type { ErrorCode } from '#lib/contract/errors.ts'

export const walletErrors = {
  insufficient_balance: 'Insufficient Balance',
  insufficient_spot: 'Insufficient Balance',
  insufficient_funding: 'Insufficient Funding Balance',
  insufficient_reward: 'Insufficient Rewards Balance',
  reward_resting: 'You can move {movable} now, and more from {from}: a reward rests while its payment can still be taken back.'
} satisfies Partial<Record<ErrorCode, string>>
