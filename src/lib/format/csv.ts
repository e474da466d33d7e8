/** Files for spreadsheets (RFC 4180); each feature writes its own lines. */
import { findToken } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { formatExactMoment } from './dates.ts'

/** Adds quotes where needed, and an apostrophe where a spreadsheet would run the text as a formula. */
function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of such a file, with its end. */
export function csvRow(cells: string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A whole file. */
export function csvFile(rows: string[][]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

/** Smallest units as a plain decimal with every digit; an unknown token's units stay. */
export function exactDecimal(units: string, currency: string): string {
  const token = findToken(currency)
  return token ? writeDecimal(toDecimal(BigInt(units), token.decimals)) : units
}

export type Moved = { currency: string; blockchain: string; amount: string; createdAt: string; receiver: string }
/** The cells that deposits and withdrawals share. */
export const movedCells = ({ currency, blockchain, amount, createdAt, receiver }: Moved, timeZone: string) => [
  formatExactMoment(createdAt, timeZone),
  currency,
  blockchain,
  exactDecimal(amount, currency),
  receiver
]
