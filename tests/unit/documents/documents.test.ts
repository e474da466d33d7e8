/** Quarters, sections of the tax report, receipt codes, and the letters that the document fonts cover. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedQuarters, nextQuarter, quarterBefore, quarterOf, spanOf, yearEndedBy } from '#lib/domain/documents/periods.ts'
import { groupReceiptCode, readReceiptCode } from '#lib/domain/documents/receipt.ts'
import { taxSectionOf } from '#lib/domain/documents/tax.ts'
import { isWritable } from '#lib/server/documents/fonts.ts'

const anyMoment = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true })

describe('a quarter', () => {
  it('holds the moment that it is of, and ends where the next begins', () => {
    fc.assert(
      fc.property(anyMoment, (moment) => {
        const quarter = quarterOf(moment)
        const { start, end } = spanOf(quarter)
        expect(start <= moment && moment < end).toBe(true)
        expect(spanOf(nextQuarter(quarter)).start).toEqual(end)
        expect(quarterBefore(nextQuarter(quarter))).toBe(quarter)
      })
    )
  })

  it('is closed an hour after its end', () => {
    const first = new Date('2026-11-05T10:00:00Z')
    expect(closedQuarters(first, new Date('2027-01-01T00:59:59.999Z'))).toEqual([])
    expect(closedQuarters(first, new Date('2027-01-01T01:00:00.000Z'))).toEqual(['2026-Q4'])
    expect(closedQuarters(first, new Date('2027-08-01T00:00:00Z'))).toEqual(['2026-Q4', '2027-Q1', '2027-Q2'])
  })

  it('ends a year where it is the fourth; a year is its four quarters', () => {
    expect(['2026-Q3', '2026-Q4'].map(yearEndedBy)).toEqual([undefined, '2026'])
    expect(spanOf('2026')).toEqual({ start: spanOf('2026-Q1').start, end: spanOf('2026-Q4').end })
  })

  it.each(['2026-Q5', '2026-Q0', '26-Q1', '', '2026-13'])('is none: "%s"', (text) => {
    expect(() => spanOf(text)).toThrow()
  })
})

it('a movement has one section of the tax report', () => {
  expect(taxSectionOf('purchase', true)).toBe('acquisition')
  expect([taxSectionOf('trade', true), taxSectionOf('trade', false)]).toEqual(['acquisition', 'disposal'])
  expect([taxSectionOf('reward', true), taxSectionOf('reward', false), taxSectionOf('staking', true)]).toEqual([
    'reward',
    'reward',
    'reward'
  ])
  expect([taxSectionOf('deposit', true), taxSectionOf('withdrawal', false), taxSectionOf('adjustment', true)]).toEqual([
    'transfer',
    'transfer',
    'transfer'
  ])
})

it('the code of a receipt is read however it is typed, and nothing else is one', () => {
  const alphabet = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...alphabet), { minLength: 26, maxLength: 26 }), (letters) => {
      const code = letters.join('')
      for (const typed of [
        code,
        groupReceiptCode(code),
        ` ${code.toLowerCase()} `,
        code.replaceAll('0', 'o').replaceAll('1', 'I')
      ])
        expect(readReceiptCode(typed)).toBe(code)
      expect(readReceiptCode(code.slice(1))).toBeUndefined()
      expect(readReceiptCode(`${code}0`)).toBeUndefined()
      expect(readReceiptCode(`U${code.slice(1)}`)).toBeUndefined()
    })
  )
})

it('documents have the letters of European names, and say where they have not', () => {
  expect(['Ada Lovelace', 'Łukasz Żółć', 'Ştefan Țîrlea', 'Ёлка Щукина', 'José', 'Jose\u0301'].map(isWritable)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true
  ])
  expect(['Ελλάδα', '王小明', '🙂'].map(isWritable)).toEqual([false, false, false])
})
