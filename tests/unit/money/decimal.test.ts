import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, divide, multiply, quotient, readDecimal, rescale, toUnits, writeDecimal } from '#lib/domain/money/decimal.ts'

const anyDecimal = fc.record({ digits: fc.bigInt(0n, 10n ** 40n), scale: fc.integer({ min: 0, max: 20 }) })

describe('decimal', () => {
  it.each(['0', '1', '0.0006', '97000', '1040.00', '0.000000000000000001'])('reads and writes %s as it is', (text) => {
    expect(writeDecimal(decimal(text))).toBe(text)
  })

  it.each(['', '-1', '+1', '1e3', '1,000', ' 1', '.5', '1.', '0x10', 'NaN', '1.2.3'])('does not read "%s"', (text) => {
    expect(readDecimal(text)).toBeUndefined()
  })

  it('writes what it reads, whatever the value', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(decimal(writeDecimal(value))).toEqual(value)
      })
    )
  })

  it('rounds down, up and half up by name', () => {
    expect([divide(7n, 2n, 'down'), divide(7n, 2n, 'up'), divide(7n, 2n, 'halfUp')]).toEqual([3n, 4n, 4n])
    expect([divide(10n, 3n, 'down'), divide(10n, 3n, 'up'), divide(10n, 3n, 'halfUp')]).toEqual([3n, 4n, 3n])
    expect(divide(8n, 2n, 'up')).toBe(4n)
  })

  it('never loses or makes a unit: down ≤ exact ≤ up, and they differ by one at most', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 50n), fc.bigInt(1n, 10n ** 20n), (numerator, denominator) => {
        const down = divide(numerator, denominator, 'down')
        const up = divide(numerator, denominator, 'up')
        expect(down * denominator <= numerator && numerator <= up * denominator).toBe(true)
        expect(up - down <= 1n).toBe(true)
      })
    )
  })

  it('keeps the value when the scale grows', () => {
    fc.assert(
      fc.property(anyDecimal, fc.integer({ min: 0, max: 10 }), (value, more) => {
        const wider = rescale(value, value.scale + more, 'down')
        expect(rescale(wider, value.scale, 'up')).toEqual(value)
      })
    )
  })

  it('multiplies exactly and divides back', () => {
    fc.assert(
      fc.property(
        anyDecimal,
        fc.record({ digits: fc.bigInt(1n, 10n ** 20n), scale: fc.integer({ min: 0, max: 12 }) }),
        (a, b) => {
          expect(quotient(multiply(a, b), b, a.scale, 'down')).toEqual(a)
        }
      )
    )
  })

  it('refuses what has no sense', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(RangeError)
    expect(() => divide(-1n, 2n, 'down')).toThrow(RangeError)
    expect(() => decimal('abc')).toThrow(RangeError)
    expect(toUnits(decimal('1.239'), 2, 'down')).toBe(123n)
  })
})
