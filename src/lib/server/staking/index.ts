/** Staked packages. */
export { returnActivity, stakingActivity } from './activity.ts'
export { cancelPayouts } from './cancel.ts'
export { revokeFeedOf } from './feed.ts'
export { fillFund, rewardsDueBy } from './fund.ts'
export { stakingHandlers } from './handlers.ts'
export { payDue, stakingJob } from './pay.ts'
export { stakeOnCompletion } from './stake.ts'
export { stakeChecks } from './verify.ts'
