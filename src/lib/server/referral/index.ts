/** Invitations and their rewards. */
export { referralHandlers } from './handlers.ts'
export { rewardInviter } from './reward.ts'
export { referralChecks } from './verify.ts'
