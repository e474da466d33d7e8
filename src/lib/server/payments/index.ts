/** The bank: what arrives there and which order it pays. */
export { judgeEntry } from './judge.ts'
export type { Bank, BankEntry } from './port.ts'
export { bankJob } from './read.ts'
export { receiveEntry } from './receive.ts'
export { payments } from './schema.ts'
export { paymentChecks } from './verify.ts'
