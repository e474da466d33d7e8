import type { EuroLine } from '#lib/domain/euro/sample.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { euroHistoryTexts } from '#messages/euro/euro.ts'
import { formatExactMoment } from '../dates.ts'

/** Dates in UTC, as the filter counts days. */
export function euroRows(lines: EuroLine[]): string[][] {
  const { date, action, amount, iban, remarks, sampleColumn, sampleLine } = euroHistoryTexts
  const rows = lines.map((line) => [
    sampleLine,
    formatExactMoment(line.at),
    line.action,
    writeDecimal(toDecimal(line.amountCents, 2)),
    line.iban,
    line.remarks
  ])
  return [[sampleColumn, `${date} (UTC)`, action, `${amount} (EUR)`, iban, remarks], ...rows]
}
