/** How a deposit stands in the ledger. */
import type { AddressRow } from '../chains/index.ts'
import { type Account, house } from '../ledger/index.ts'
import type { DepositRow } from './schema.ts'

/** Contains the block and the row: a payment that is included again is booked again, even in a block that was removed and came back. */
export function referenceOf({ id, chain, blockHash, transactionId, paymentIndex }: DepositRow): string {
  return `deposit:${chain}:${blockHash}:${transactionId}:${paymentIndex}:${id}`
}

/** Where the coins of an address are booked. */
export function placeOf({ purpose }: AddressRow): Account {
  return house(purpose === 'cold' || purpose === 'cold_change' ? 'cold' : 'chain')
}
