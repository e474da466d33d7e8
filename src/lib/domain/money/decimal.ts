/**
 * Exact decimal arithmetic on bigint. An amount is a whole number of a currency's smallest unit; a rate or a price is
 * a Decimal. `number` never holds money: it only counts digits here.
 */

export type Rounding = 'down' | 'up' | 'halfUp'

/** The value `digits / 10^scale`. */
export type Decimal = { digits: bigint; scale: number }

const DECIMAL_TEXT = /^(\d{1,60})(?:\.(\d{1,30}))?$/

/** Ten to the power of `exponent` (0 or more). */
export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** Reads an unsigned decimal such as `0.0006`; `undefined` for anything else (signs, exponents, separators, spaces). */
export function readDecimal(text: string): Decimal | undefined {
  const match = DECIMAL_TEXT.exec(text)
  if (!match) return undefined
  const fraction = match[2] ?? ''
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length }
}

/** Reads a decimal that our own code wrote; throws a RangeError for anything else. */
export function decimal(text: string): Decimal {
  const value = readDecimal(text)
  if (!value) throw new RangeError(`Not a decimal: "${text}"`)
  return value
}

/** `numerator / denominator` for non-negative values; the caller always chooses the rounding. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('divide() takes a non-negative and a positive value')
  const quotient = numerator / denominator
  const rest = numerator % denominator
  if (rest === 0n || rounding === 'down') return quotient
  if (rounding === 'up') return quotient + 1n
  return rest * 2n >= denominator ? quotient + 1n : quotient
}

/** Rounds or extends a value to `scale` digits after the point. */
export function rescale(value: Decimal, scale: number, rounding: Rounding): Decimal {
  if (scale >= value.scale) return { digits: value.digits * powerOfTen(scale - value.scale), scale }
  return { digits: divide(value.digits, powerOfTen(value.scale - scale), rounding), scale }
}

/** The exact product. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** `a / b` with `scale` digits after the point. */
export function quotient(a: Decimal, b: Decimal, scale: number, rounding: Rounding): Decimal {
  const numerator = a.digits * powerOfTen(b.scale + scale)
  return { digits: divide(numerator, b.digits * powerOfTen(a.scale), rounding), scale }
}

/** A decimal as the API writes it, e.g. `1234.50`: all `scale` digits, no separators. */
export function writeDecimal({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Smallest units of a currency as a decimal, e.g. `toDecimal(150n, 2)` is 1.50. */
export function toDecimal(units: bigint, decimals: number): Decimal {
  return { digits: units, scale: decimals }
}

/** A decimal as smallest units of a currency with `decimals` digits. */
export function toUnits(value: Decimal, decimals: number, rounding: Rounding): bigint {
  return rescale(value, decimals, rounding).digits
}
