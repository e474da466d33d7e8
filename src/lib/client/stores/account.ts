/** What several islands show: balances, prices, profile. */
import { queryStore } from './queries.ts'

export const balances = queryStore('getBalance')
export const supportedTokens = queryStore('getSupportedTokens')
export const profile = queryStore('getProfile')
