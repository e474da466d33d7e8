/** Invitations and their rewards. */
export { referralActivity } from './activity.ts'
export { referralHandlers } from './handlers.ts'
export { rewardInviter } from './reward.ts'
export { referralChecks } from './verify.ts'
