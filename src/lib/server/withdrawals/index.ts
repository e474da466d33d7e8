/** Coins that leave: requested, approved, signed, paid or given back. */
export { withdrawalActivity } from './activity.ts'
export { compareCustody, custodyBeat, custodyJobs, differencesOf, watchCustody } from './custody.ts'
export {
  approveWithdrawal,
  clearedJob,
  endCleared,
  endUnsigned,
  expiryJob,
  lockUnsignedOf,
  openWithdrawals,
  rejectWithdrawal
} from './decide.ts'
export { withdrawalListener } from './end.ts'
export { checkGate, dollars, gateFacts, requireOpenGate, whitelistOf } from './gate.ts'
export { withdrawalHandlers } from './handlers.ts'
export type { WithdrawalSettings } from './settings.ts'
export { clearAsked, signApproved, signJobs } from './sign.ts'
export { withdrawalChecks } from './verify.ts'
