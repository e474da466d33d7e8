/**
 * Order ids are structured creditor references (ISO 11649): `RF`, two check digits (ISO 7064 mod 97-10), then twelve
 * digits. Banks validate them; one wrong digit or two swapped digits never make another valid reference.
 */

export const REFERENCE_BODY_LENGTH = 12

const BODY = /^\d{12}$/
const REFERENCE = /^RF\d{14}$/

function remainder97(text: string): number {
  const digits = [...text].map((character) => Number.parseInt(character, 36).toString()).join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
}

/** Makes a reference from its body; throws a RangeError if the body is not twelve digits. */
export function makeReference(body: string): string {
  if (!BODY.test(body)) throw new RangeError(`Not the body of a reference: "${body}"`)
  const check = 98 - remainder97(`${body}RF00`)
  return `RF${check.toString().padStart(2, '0')}${body}`
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text) && remainder97(`${text.slice(4)}${text.slice(0, 4)}`) === 1
}

/** Finds the first valid reference in a payer's text; spacing, case and punctuation do not matter. */
export function findReference(remittance: string): string | undefined {
  const plain = remittance.toUpperCase().replace(/[^A-Z0-9]/g, '')
  for (let at = plain.indexOf('RF'); at >= 0; at = plain.indexOf('RF', at + 1)) {
    const candidate = plain.slice(at, at + 4 + REFERENCE_BODY_LENGTH)
    if (isReference(candidate)) return candidate
  }
  return undefined
}

/** In groups of four, as banks print it. */
export function groupReference(reference: string): string {
  return reference.replace(/(.{4})(?=.)/g, '$1 ')
}
