/** Balances, transfers between them, and their statement. */
export { walletHandlers } from './handlers.ts'
