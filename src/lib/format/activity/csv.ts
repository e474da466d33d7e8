import { findToken } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { activityTexts } from '#messages/activity/activity.ts'
import { formatExactMoment } from '../dates.ts'
import type { View } from '../view.ts'
import { type ActivityLine, showActivity } from './activity.ts'

/** Dates in the customer's time zone, amounts as plain decimals with every digit, values in the currency of display. */
export function activityRows(lines: ActivityLine[], { currency, timeZone }: View): string[][] {
  const { columns, kind: kinds } = activityTexts
  const { date, kind, what, details, state, currency: of, amount, value, order } = columns
  const head = [`${date} (${timeZone})`, kind, what, details, state, of, amount, value(currency), order]
  const rows = lines.map((line) => {
    const shown = showActivity(line)
    const decimals = findToken(line.currency)?.decimals ?? 2
    const sign = line.direction === 'out' ? '-' : ''
    return [
      formatExactMoment(line.at, timeZone),
      kinds[line.kind],
      shown.title,
      shown.details ?? '',
      shown.state?.label ?? '',
      line.currency,
      `${sign}${writeDecimal(toDecimal(BigInt(line.amount), decimals))}`,
      line.valueCents === null ? '' : writeDecimal(toDecimal(BigInt(line.valueCents), 2)),
      line.orderId ?? ''
    ]
  })
  return [head, ...rows]
}
