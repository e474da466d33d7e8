/** Coins that leave: requested, approved, signed, paid or given back. */
export { withdrawalActivity } from './activity.ts'
export { compareCustody, custodyJobs, differencesOf, watchCustody } from './custody.ts'
export { approveWithdrawal, expiryJob, openWithdrawals, rejectWithdrawal } from './decide.ts'
export { withdrawalListener } from './end.ts'
export { withdrawalHandlers } from './handlers.ts'
export type { WithdrawalSettings } from './settings.ts'
export { signApproved, signJobs } from './sign.ts'
export { withdrawalChecks } from './verify.ts'
