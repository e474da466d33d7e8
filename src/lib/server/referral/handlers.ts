import type { referralCalls } from '#lib/contract/referral.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { listInvitees, listReferralRewards, readReferralSummary } from './read.ts'
import type { ReferralConfig } from './settings.ts'

export function referralHandlers(context: Context, config: ReferralConfig): Handlers<keyof typeof referralCalls> {
  return {
    listReferralRewards: ({ customer, query }) => listReferralRewards(context, config, customer, query),
    listInvitees: ({ customer, query }) => listInvitees(context, customer, query),
    getReferralSummary: ({ customer }) => readReferralSummary(context, customer)
  }
}
