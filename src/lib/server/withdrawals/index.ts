/** Coins that leave: requested, approved, signed, paid or given back. */
export { withdrawalActivity } from './activity.ts'
export { challengeOfApproval } from './approval.ts'
export { chargedReference, chargeLost } from './charge.ts'
export { clearAsked } from './clear.ts'
export { type ColdSettings, coldJobs, coldListener, coldSendId, moveToCold, openAmount } from './cold.ts'
export {
  COLD_TIMES,
  type CustodyKept,
  compareCustody,
  custodyBeat,
  custodyJobs,
  differencesOf,
  lastCustody,
  uncoveredOf,
  watchCustody
} from './custody.ts'
export {
  type Approval,
  approveByPasskey,
  approveWithdrawal,
  clearedJob,
  endCleared,
  endUnsigned,
  expiryJob,
  lockUnsignedOf,
  openWithdrawals,
  rejectWithdrawal,
  rejectWithin
} from './decide.ts'
export { withdrawalListener } from './end.ts'
export { checkGate, dollars, gateFacts, gateOf as customerGate, requireOpenGate, whitelistOf } from './gate.ts'
export { withdrawalHandlers } from './handlers.ts'
export {
  limitRequestsOf,
  limitRequestsWaiting,
  lockLimitRequest,
  openLimitRequests,
  raiseLimit,
  refuseLimit
} from './limits.ts'
export {
  type Queued,
  queuedOf,
  queueOf,
  signedSince,
  waitingSum,
  withdrawalsOfCustomer,
  withdrawalsOfTransaction,
  withdrawalWithEmail
} from './queue.ts'
export {
  agreeToRefill,
  endRefill,
  findRefill,
  keepSignedRefill,
  orderColdMove,
  orderRefill,
  type RefillOrder,
  refillJobs,
  refillsAndMoves,
  workOnRefills
} from './refills.ts'
export { orderReturn, type ReturnRefusal, returnChecks, returnListener, signReturns } from './returns.ts'
export { withdrawalAddresses as withdrawalAddressesTable } from './schema.ts'
export type { WithdrawalSettings } from './settings.ts'
export { claimSigned, signApproved, signJobs } from './sign.ts'
export { coldChecks, withdrawalChecks } from './verify.ts'
export { countWaiting, reviewAges, stuckAges } from './watch.ts'
