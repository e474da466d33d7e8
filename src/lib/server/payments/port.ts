/** The bank, as the books see it. Amounts in the smallest unit of the entry's currency. */
import type { BankDetails } from '../platform/config.ts'

/** A booked entry of the account. */
export type BankEntry = {
  /** The same however often the entry is delivered, and another one for every other entry. */
  entryId: string
  /** Money came, or money went. */
  direction: 'credit' | 'debit'
  amountCents: bigint
  currency: string
  /** Days, yyyy-mm-dd: when the bank booked it, and from when it counts for interest. */
  bookedOn: string
  valueOn: string
  remittance: string
  payerName: string
  payerIban: string
  /** The entry that a debit takes back, where the bank names it. */
  takesBack?: string | undefined
}

/** An entry that could not be read, and why. */
export type UnreadableEntry = { unreadable: string }

export type BankStatement = {
  statementId: string
  iban: string
  /** Balances in cents, negative for an overdraft; undefined where the statement names none. */
  openingCents: bigint | undefined
  closingCents: bigint | undefined
  entries: (BankEntry | UnreadableEntry)[]
}

export type BankBatch = {
  /** Where reading goes on after this batch. */
  cursor: string
  statements: BankStatement[]
  /** Why the batch as a whole cannot be received completely. */
  problems: string[]
  /** Called once, with everything that went wrong; an empty list means that the batch is received. */
  settle: (problems: string[]) => Promise<void>
}

export type Bank = {
  details: BankDetails
  /** What came after the cursor, oldest first. A batch that was not received completely is handed over again. */
  entriesSince: (cursor: string | undefined) => Promise<BankBatch[]>
}
