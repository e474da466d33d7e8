import type { BankDetails } from '../../platform/config.ts'
import type { Bank, BankEntry } from '../../platform/ports.ts'

/** A bank whose payments arrive when the page `/sandbox` says so. */
export function sandboxBank(details: BankDetails): Bank & { arrive: (entry: BankEntry) => Promise<unknown> } {
  let receiver: ((entry: BankEntry) => Promise<unknown>) | undefined
  return {
    details,
    listen: (receive) => {
      receiver = receive
      return { stop: async () => undefined }
    },
    arrive: async (entry) => {
      if (!receiver) throw new Error('Nobody listens to the bank')
      return receiver(entry)
    }
  }
}
