/** The texts of the wallet. Source: spec sections 2 and 8; sentences beyond it are ours. */
import type { AmountError } from '#lib/domain/money/amount.ts'

export const walletTexts = {
  comingSoon: 'Coming soon',
  actionComingSoon: (action: string) => `${action} is coming soon`,
  available: 'Available for P2P trading',
  frozen: 'Frozen for P2P orders',
  moved: 'Transferred successfully',
  transferFailed: 'Transfer Failed',
  insufficientSpot: 'Insufficient Balance',
  insufficientFunding: 'Insufficient Funding Balance',
  insufficientReward: 'Insufficient Rewards Balance',
  statementPages: 'Pages',
  newer: 'Newer',
  older: 'Older',
  downloadCsv: 'Download CSV'
} as const

export const amountMessages: Record<AmountError, string> = {
  amount_required: 'Please enter an amount',
  amount_not_positive: 'Please enter a valid amount greater than zero.',
  amount_too_fine: 'Too many decimal places for this token'
}
