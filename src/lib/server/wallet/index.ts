/** Balances, moves between them, and their statement. */
export { walletActivity } from './activity.ts'
export { walletHandlers } from './handlers.ts'
export { readValueLine } from './valueLine.ts'
