/** The chains: our addresses on them, and reading them block by block. Adapters are loaded by `app` alone. */
export { type AddressRow, addressesOf, addressesWithin, giveAddress, newestHeights, readAddressRow } from './addresses.ts'
export { type BlockListener, followChain, followJobs, type NewBlock, ROWS_AT_ONCE, resumeChain } from './follow.ts'
export { addressKey, fillPool, poolJob, type Signer } from './pool.ts'
export type { ChainNode } from './port.ts'
export { isProven, publicKeyOf } from './proof.ts'
export { chainAddresses } from './schema.ts'
export { findStop, stopChain } from './stops.ts'
