/** The filters of the euro history (spec section 2). */
import type { EuroAction, EuroLine } from './sample.ts'

export type EuroFilter = {
  /** A part of an IBAN; white space is ignored. */
  address?: string
  /** yyyy-mm-dd, both days included, UTC. */
  from?: string
  until?: string
  action?: EuroAction
}

export function filterEuroLines(lines: EuroLine[], { address, from, until, action }: EuroFilter): EuroLine[] {
  const searched = address?.replace(/\s/g, '').toUpperCase() ?? ''
  return lines.filter(({ at, iban, action: one }) => {
    const day = at.slice(0, 10)
    return (
      iban.includes(searched) &&
      (from === undefined || day >= from) &&
      (until === undefined || day <= until) &&
      (action === undefined || one === action)
    )
  })
}

/** E.g. `LT12 1000 0111 0100 1000`. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}
