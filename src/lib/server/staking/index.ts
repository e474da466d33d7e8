/** Staked packages. */
export { stakingHandlers } from './handlers.ts'
export { stakeOnCompletion } from './stake.ts'
export { stakeChecks } from './verify.ts'
