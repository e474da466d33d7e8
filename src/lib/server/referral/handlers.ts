import type { referralCalls } from '#lib/contract/referral.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { listInvitees, listReferralRewards, readReferralSummary } from './read.ts'

export function referralHandlers(context: Context): Handlers<keyof typeof referralCalls> {
  return {
    listReferralRewards: ({ customer, query }) => listReferralRewards(context, customer, query),
    listInvitees: ({ customer, query }) => listInvitees(context, customer, query),
    getReferralSummary: ({ customer }) => readReferralSummary(context, customer)
  }
}
