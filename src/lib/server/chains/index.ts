/** The chains: our addresses on them, reading them block by block, and sending coins. Only `app` loads the adapters. */

export {
  type AddressRow,
  addressesOf,
  giveAddress,
  newestHeights,
  readAddressRow,
  retireAddresses
} from './addresses/addresses.ts'
export { coinsOnChain, snapshotOf } from './addresses/coins.ts'
export { houseAddress } from './addresses/house.ts'
export { addressKey, fillPool, poolJob, type Signer } from './addresses/pool.ts'
export { isProven } from './addresses/proof.ts'
export { coldAddress } from './cold/addresses.ts'
export { chainOfFile, RefillError, type RefillFormat } from './cold/format.ts'
export { acceptRefill, type Refilling, writeRefill } from './cold/refill.ts'
export { type ColdWallet, coldChallenge } from './cold/wallet.ts'
export { type ChainNode, NodeError } from './port.ts'
export {
  type BlockListener,
  type Following,
  followChain,
  followJobs,
  isBlockRead,
  lastBlockAt,
  type NewBlock,
  resumeChain
} from './reading/follow.ts'
export { addressesAmong, ROWS_AT_ONCE } from './reading/ours.ts'
export { isAfter, straysSince } from './reading/strays.ts'
export type { SendListener } from './reading/watch.ts'
export { chainAddresses, chainAttempts, chainSends, type SendPurpose } from './schema.ts'
export { broadcastDue, broadcastJobs } from './sending/broadcast.ts'
export { MOST_NETWORK_FEE } from './sending/fees.ts'
export { joinCoins, joinJob } from './sending/join.ts'
export { customerHash, type Entry, type Journal, JournalError, openJournal } from './sending/journal.ts'
export { keepOrder, newestSends, type OpenSend, openSends, orderSend, sendStates } from './sending/orders.ts'
export { freeCoins, spendable } from './sending/plan.ts'
export { replaceStuck } from './sending/replace.ts'
export { signSend, signSends, stuckAfterSeconds } from './sending/send.ts'
export type { Outcome, PlanSigner, Result, Signing } from './sending/signing.ts'
export {
  allLost,
  derivedId,
  findLost,
  lostSends,
  newestTransactionSql,
  recoverSends,
  releaseSend,
  requireWholeJournal,
  unstoredOf
} from './sending/store.ts'
export { sweepDue, sweepJobs } from './sending/sweep.ts'
export { endStop, findStop, isSuspicious, openStops, stopChain, stopWithin, wasResumed } from './stops.ts'
