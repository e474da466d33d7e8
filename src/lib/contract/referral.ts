import { type CallRules, reading } from './rules.ts'

export const referralCalls = {
  listReferralRewards: { ...reading, path: '/users/referral/history' },
  getReferralSummary: { ...reading, path: '/users/referral/summary' },
  listInvitees: { ...reading, path: '/users/referral/user' }
} as const satisfies Record<string, CallRules>
