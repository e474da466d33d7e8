import { describe, expect, it } from 'vitest'
import { RIGHT_NAMES } from '#lib/domain/staff/rights.ts'
import { actText, checkText } from '../../../src/desk/layouts/words.ts'

describe('words of the desk', () => {
  it.each(RIGHT_NAMES)('has words for the right %s, also where it is proposed', (right) => {
    expect(actText(right)).toMatch(/^[A-Z][^_]+$/)
    expect(actText(`propose:${right}`)).toMatch(/^Proposed: [^_]+$/)
  })

  it('says a step of an identity check in words', () => {
    expect(checkText('applicantReviewed')).toBe('The provider decided')
  })
})
