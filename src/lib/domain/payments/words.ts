import { slipsOf } from './candidates.ts'

const LIKE = /RF[\s\d.\-/OIL]{6,30}|\d[\s\d.\-/]{8,24}\d/gi

/** What a payer wrote for this reference, as it stands in the text; the rest may name people, or another account. */
export function writtenFor(reference: string, remittance: string): string | undefined {
  return [...remittance.matchAll(LIKE)]
    .map(([found]) => found.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .find((plain) => plain.includes(reference) || slipsOf(plain).includes(reference))
}
