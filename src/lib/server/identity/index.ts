/** The identity check: what other features and `app` may use. */
export { askIdentityAgain, identityResetJob } from './again.ts'
export { identityHandlers } from './handlers.ts'
export type { IdentityProvider } from './port.ts'
export {
  identityHistory,
  isVerifiedCustomer,
  partyDetailsOf,
  readIdentityData,
  readIdentityOf,
  requireVerified,
  samePeople,
  unverifiedAmong,
  verifiedSql
} from './read.ts'
export { receiveIdentityEvent } from './receive.ts'
export { type IdentityInfo, identityChecks } from './schema.ts'
