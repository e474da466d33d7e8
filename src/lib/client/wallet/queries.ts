/** Stores that several islands share: balances, prices, profile, security. */
import { queryStore } from '../platform/queries.ts'

export const balances = queryStore('getBalance')
export const supportedTokens = queryStore('getSupportedTokens')
export const profile = queryStore('getProfile')
export const stakingTotal = queryStore('getStakingTotal')
export const security = queryStore('getSecurity')
/** What was paid for each token, in the currency that figures are shown in. */
export const costs = {
  USD: queryStore('getCost', { query: { in: 'USD' } }),
  EUR: queryStore('getCost', { query: { in: 'EUR' } })
}
