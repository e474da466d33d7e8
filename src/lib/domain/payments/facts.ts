/** What makes two entries of a bank the same one. */

export type EntryFacts = {
  direction: 'credit' | 'debit'
  amountCents: bigint
  currency: string
  bookedOn: string
  remittance: string
}

/** Equal for two deliveries of one entry: they may differ in the spaces and the case of its text. */
export function factsOf({ direction, amountCents, currency, bookedOn, remittance }: EntryFacts): string {
  return JSON.stringify([
    direction,
    String(amountCents),
    currency,
    bookedOn,
    remittance.replace(/\s+/g, ' ').trim().toLowerCase()
  ])
}
