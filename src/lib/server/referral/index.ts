/** Invitations and their rewards. */
export { referralActivity } from './activity.ts'
export { referralHandlers } from './handlers.ts'
export { restingRewards, rewardDebts, rewardInviter, takeRewardBack } from './reward.ts'
export { referralChecks } from './verify.ts'
