/** The line of an account's value. The numbers are only for drawing; the table has the exact figures. */
import { drawValues } from '#islands/ui/lineChart.ts'
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { formatCents } from '#lib/format/amount.ts'

type Point = { day: string; cents: string }

/** The line of a value; undefined for fewer than two days. */
export function drawLine(points: Point[], currency: DisplayCurrency) {
  const values = points.map(({ day, cents }) => ({ day, value: Number(cents) }))
  return drawValues(values, 100, (value) => formatCents(BigInt(Math.round(value)), currency).replace(/\.00$/, ''))
}
