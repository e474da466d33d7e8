import { slipsOf } from './candidates.ts'

const LIKE = /RF[\s\d.\-/OIL]{6,40}|\d[\s\d.\-/]{8,40}\d/gi
/** A reference has 16 characters; with a slip one less or more, and 14 digits where its letters are missing. */
const LENGTHS = [16, 17, 15, 14]

/** What a payer wrote for this reference and nothing beside it: the rest may name people, or another account. */
export function writtenFor(reference: string, remittance: string): string | undefined {
  for (const [found] of remittance.matchAll(LIKE)) {
    const plain = found.toUpperCase().replace(/[^A-Z0-9]/g, '')
    for (const length of LENGTHS)
      for (let at = 0; at + length <= plain.length; at += 1) {
        const part = plain.slice(at, at + length)
        if (part === reference || slipsOf(part).includes(reference)) return part
      }
  }
  return undefined
}
