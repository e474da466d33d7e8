/** The bank, as the books see it. Amounts in the smallest unit of the entry's currency. */
import type { BankDetails } from '../orders/index.ts'

/** A booked entry of the account. */
export type BankEntry = {
  /** The same for every delivery of the entry, and different for every other entry. */
  entryId: string
  /** Incoming or outgoing money. */
  direction: 'credit' | 'debit'
  amountCents: bigint
  currency: string
  /** Days, yyyy-mm-dd: when the bank booked it, and from when it counts for interest. */
  bookedOn: string
  valueOn: string
  remittance: string
  payerName: string
  payerIban: string
  /** Ids that version 0.1.0 gave the same entry. */
  formerIds?: string[] | undefined
  /** The entry that a debit takes back, where the bank names it. */
  takesBack?: string | undefined
}

/** An entry that could not be read, and why. */
export type UnreadableEntry = { unreadable: string }

export type BankStatement = {
  statementId: string
  iban: string
  /** Sorts statements by time: the day of the opening balance, or when the statement was made. */
  datedOn: string
  /** Balances in cents, negative for an overdraft; undefined where the statement names none. */
  openingCents: bigint | undefined
  closingCents: bigint | undefined
  entries: (BankEntry | UnreadableEntry)[]
  /** What cannot be read besides its entries. */
  problems: string[]
}

export type BankBatch = {
  /** Where reading continues after this batch. */
  cursor: string
  statements: BankStatement[]
  /** Why the batch as a whole cannot be received completely. */
  problems: string[]
  /** Called once, with everything that went wrong; an empty list means that the batch is received. */
  settle: (problems: string[]) => Promise<void>
}

export type Bank = {
  details: BankDetails
  /** The batches after the cursor, oldest first. An incompletely received batch is delivered again. */
  entriesSince: (cursor: string | undefined) => Promise<BankBatch[]>
}
