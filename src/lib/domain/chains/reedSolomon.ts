/**
 * Account numbers of the CPC chain as people write them: `CPC-MRCC-2YLS-8M54-3CMAJ`. 13 characters of five bits hold the number, four
 * are check symbols of a Reed–Solomon code over GF(32). It detects up to four wrong characters and any two swapped characters.
 * Source: NXT, `nxt/crypto/ReedSolomon.java`.
 */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** Powers of the generator, and the exponent of each element. */
const POWERS = [1, 2, 4, 8, 16, 5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19, 3, 6, 12, 24, 21, 15, 30, 25, 23, 11, 22, 9, 18]
const LOGS = new Map(POWERS.map((power, log) => [power, log]))
/** The order in which the symbols are written: the check symbols are in the middle. */
const WRITTEN = [3, 2, 1, 0, 7, 6, 5, 4, 13, 14, 15, 16, 12, 8, 9, 10, 11]
const DATA_SYMBOLS = 13
const CHECK_SYMBOLS = 4
/** The full code has 31 symbols; those between the data and the check symbols are zero and not written. */
const CODE_LENGTH = POWERS.length
const UNWRITTEN = CODE_LENGTH - DATA_SYMBOLS - CHECK_SYMBOLS
/** Coefficients of the generator polynomial. */
const GENERATOR = [17, 9, 6, 30] as const
const ID_LIMIT = 2n ** 64n

function multiply(a: number, b: number): number {
  const [logA, logB] = [LOGS.get(a), LOGS.get(b)]
  return logA === undefined || logB === undefined ? 0 : (POWERS[(logA + logB) % CODE_LENGTH] ?? 0)
}

function checkOf(data: number[]): number[] {
  return data.toReversed().reduce<number[]>(
    (rest, symbol) => {
      const feedback = symbol ^ (rest[CHECK_SYMBOLS - 1] ?? 0)
      return GENERATOR.map((factor, index) => multiply(factor, feedback) ^ (rest[index - 1] ?? 0))
    },
    [0, 0, 0, 0]
  )
}

/** The 17 characters of an account number, in groups, without the prefix. Throws a RangeError for a number over 64 bits. */
export function writeAccount(id: bigint): string {
  if (id < 0n || id >= ID_LIMIT) throw new RangeError('An account number has 64 bits.')
  const data = Array.from({ length: DATA_SYMBOLS }, (_, index) => Number((id >> BigInt(5 * index)) & 31n))
  const symbols = [...data, ...checkOf(data)]
  const text = WRITTEN.map((index) => ALPHABET[symbols[index] ?? 0]).join('')
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8, 12)}-${text.slice(12)}`
}

/**
 * Reads an account number of 17 characters, with or without groups. Returns `undefined` if it is not one, `'checksum'` if the check
 * symbols do not match.
 */
export function readAccount(text: string): bigint | 'checksum' | undefined {
  const characters = text.replaceAll('-', '')
  const values = [...characters].map((character) => ALPHABET.indexOf(character))
  if (values.length !== WRITTEN.length || values.includes(-1)) return undefined
  const symbols: number[] = []
  for (const [place, index] of WRITTEN.entries()) symbols[index] = values[place] ?? 0
  for (let root = 1; root <= CHECK_SYMBOLS; root += 1) {
    const sum = symbols.reduce((total, symbol, index) => {
      const power = index < DATA_SYMBOLS ? index : index + UNWRITTEN
      return total ^ multiply(symbol, POWERS[(root * power) % CODE_LENGTH] ?? 0)
    }, 0)
    if (sum !== 0) return 'checksum'
  }
  const id = symbols.slice(0, DATA_SYMBOLS).reduce((sum, symbol, index) => sum + (BigInt(symbol) << BigInt(5 * index)), 0n)
  return id < ID_LIMIT ? id : undefined
}
