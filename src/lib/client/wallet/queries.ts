/** Stores that several islands share: balances, prices, profile, security. */
import { queryStore } from '../platform/queries.ts'

export const balances = queryStore('getBalance')
export const supportedTokens = queryStore('getSupportedTokens')
export const profile = queryStore('getProfile')
export const stakingTotal = queryStore('getStakingTotal')
export const security = queryStore('getSecurity')
