import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findReference, groupReference, isReference, makeReference, REFERENCE_BODY_LENGTH } from '#lib/domain/orders/reference.ts'

const characters = [...'0123456789']
const anyBody = fc
  .array(fc.constantFrom(...characters), { minLength: REFERENCE_BODY_LENGTH, maxLength: REFERENCE_BODY_LENGTH })
  .map((list) => list.join(''))

describe('a creditor reference (ISO 11649)', () => {
  it('has the check digits of the standard', () => {
    // The published example of the standard.
    expect(makeReference('539007547034')).toBe('RF18539007547034')
    expect(groupReference('RF18539007547034')).toBe('RF18 5390 0754 7034')
  })

  it('is valid as made, and found in whatever a payer writes around it', () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom('', ' ', '-', '/', '. '), (body, separator) => {
        const reference = makeReference(body)
        expect(isReference(reference)).toBe(true)
        const written = groupReference(reference).replaceAll(' ', separator).toLowerCase()
        expect(findReference(`Payment for order: ${written}, thank you`)).toBe(reference)
      })
    )
  })

  it('notices every single wrong character and every two that changed places', () => {
    fc.assert(
      fc.property(anyBody, fc.nat(REFERENCE_BODY_LENGTH - 1), fc.constantFrom(...characters), (body, at, other) => {
        const reference = makeReference(body)
        const place = at + 4
        const wrong = `${reference.slice(0, place)}${other}${reference.slice(place + 1)}`
        if (wrong !== reference) expect(isReference(wrong)).toBe(false)
        const next = reference[place + 1]
        if (next === undefined || next === reference[place]) return
        expect(isReference(`${reference.slice(0, place)}${next}${reference[place]}${reference.slice(place + 2)}`)).toBe(false)
      })
    )
  })

  it('finds the second candidate where the first is no reference', () => {
    const reference = makeReference('735915264857')
    expect(findReference(`RFX RF00 ${reference}`)).toBe(reference)
    expect(findReference('RF')).toBeUndefined()
    expect(findReference('')).toBeUndefined()
  })

  it('refuses a body of another length or alphabet', () => {
    expect(() => makeReference('SHORT')).toThrow(RangeError)
    expect(() => makeReference('ABCDEFGHIJKL')).toThrow(RangeError)
  })
})
