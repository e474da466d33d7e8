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
  /**
   * Of entries that share a reference of the bank, and of parts of one entry. Their ids count their places, and the next delivery may have them in
   * another order. So: all ids that they may have, and how many entries before this one have the same facts.
   */
  among?: { ids: string[]; alike: number } | undefined
  /** Ids that version 0.1.0 gave the same entry. */
  formerIds?: string[] | undefined
  /** The entry that a debit takes back, if the bank names it. */
  takesBack?: string | undefined
  /** The day of the statement that tells of it. */
  toldOn?: string | undefined
  /** The name that whoever ordered the transfer gave it; ours of a refund, also when the bank sends it back. */
  endToEndId?: string | undefined
}

/** An entry that could not be read, and why. */
export type UnreadableEntry = { unreadable: string }

export type BankStatement = {
  statementId: string
  iban: string
  /** Sorts statements by time: the day of the opening balance, or when the statement was made. */
  datedOn: string
  /** The day of the closing balance. */
  closedOn: string | undefined
  /** Balances in cents, negative for an overdraft; undefined if the statement names none. */
  openingCents: bigint | undefined
  closingCents: bigint | undefined
  entries: (BankEntry | UnreadableEntry)[]
  /** Faults of the statement itself; unreadable entries are in `entries`. */
  problems: string[]
}

export type BankBatch = {
  /** The row of an upload in `bank_files`; a file of the folder has none until it is read. */
  fileId?: bigint
  /** Where reading continues after this batch. */
  cursor: string
  statements: BankStatement[]
  /** Faults of the batch as a whole. */
  problems: string[]
  /** Called once, with everything that went wrong; an empty list means that the batch was received completely. */
  settle: (problems: string[]) => Promise<void>
}

/** A transfer that we order. `endToEndId`: the name by which the statement tells of it. */
export type BankTransfer = { endToEndId: string; amountCents: bigint; name: string; iban: string; text: string }
/** `messageId`: one for each file, so that a bank that gets it twice carries it out once. `on`: the day (yyyy-mm-dd) on which it pays. */
export type TransferFile = { messageId: string; madeAt: Date; on: string; transfers: BankTransfer[] }

export type Bank = {
  details: BankDetails
  /** Reads a file of statements. Throws an error that says why it cannot be read. */
  read: (file: string) => { statements: BankStatement[]; problems: string[] }
  /** Writes a file of transfers in euro from our account. */
  write: (file: TransferFile) => string
  /** The batches after the cursor, oldest first. An incompletely received batch is delivered again. */
  entriesSince: (cursor: string | undefined) => Promise<BankBatch[]>
}
