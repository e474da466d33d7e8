import type { BankDetails } from '../../orders/index.ts'
import type { Bank } from '../port.ts'
import { readCamt } from './camt.ts'
import { writePain } from './pain.ts'

/** A bank with nothing to fetch: its payments arrive when the page `/sandbox` says so, or by a file that staff upload. */
export function sandboxBank(details: BankDetails): Bank {
  return {
    details,
    read: (xml) => readCamt(xml, details.euroIban),
    write: (file) => writePain(file, details),
    entriesSince: async () => []
  }
}
