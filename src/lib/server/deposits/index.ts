/** Coins that arrive: stored from their first block, booked when they are deep enough, taken back if their block is removed. */
export { depositActivity } from './activity.ts'
export { collectDebts, lockDebts } from './debts.ts'
export { depositsWithoutDetails, isUndeclared, undeclaredSql } from './details.ts'
export { depositHandlers } from './handlers.ts'
export { arrivingOf } from './read.ts'
export { type DepositSettings, depositListener } from './receive.ts'
export { deposits } from './schema.ts'
export { keepSurplus } from './surplus.ts'
export {
  decideReturn,
  decideSuspended,
  findSuspended,
  lockSuspended,
  type Suspended,
  suspendedCoins,
  suspendedOf,
  suspenseDecisionOf
} from './suspense.ts'
export { depositChecks } from './verify.ts'
