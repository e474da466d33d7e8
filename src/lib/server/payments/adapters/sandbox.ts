import type { BankDetails } from '../../orders/index.ts'
import type { Bank } from '../port.ts'

/** A bank with nothing to fetch: its payments arrive when the page `/sandbox` says so. */
export function sandboxBank(details: BankDetails): Bank {
  return { details, entriesSince: async () => [] }
}
