/** The geometry of a value line. The numbers are only for drawing; the table has the exact figures. */
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { formatCents } from '#lib/format/amount.ts'
import { niceStep } from '#lib/format/chart.ts'

// Twice the usual size on screen, so that whole numbers are precise enough.
export const WIDTH = 1200
export const HEIGHT = 300
const STEPS = 3

type Point = { day: string; cents: string }

/** The line of a value; undefined for fewer than two days. */
export function drawLine(points: Point[], currency: DisplayCurrency) {
  const values = points.map(({ day, cents }) => ({ day, value: Number(cents) }))
  return drawValues(values, 100, (value) => formatCents(BigInt(Math.round(value)), currency).replace(/\.00$/, ''))
}

/** Line, area and ticks, these at least `leastStep` apart; undefined for fewer than two days. */
export function drawValues(points: { day: string; value: number }[], leastStep: number, label: (value: number) => string) {
  if (points.length < 2) return undefined
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = Math.max(niceStep((high - low) / STEPS), leastStep)
  const bottom = Math.max(0, Math.floor(low / step) * step)
  const top = Math.max(Math.ceil(high / step) * step, bottom + step)
  const y = (value: number) => Math.round(HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT)
  const times = points.map(({ day }) => Date.parse(day))
  const [first = 0, last = 1] = [times[0], times.at(-1)]
  const x = (time: number) => Math.round(((time - first) / (last - first)) * WIDTH)
  const at = values.map((value, index) => [x(times[index] ?? 0), y(value)] as const)
  // Each point relative to the one before: short, and repetitive enough to compress well.
  const steps = at.slice(1).map(([right, down], index) => `l${right - (at[index]?.[0] ?? 0)} ${down - (at[index]?.[1] ?? 0)}`)
  const line = `${at[0]?.join(' ')}${steps.join('')}`
  const ticks = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => bottom + index * step)
  return {
    line: `M${line}`,
    area: `M0 ${HEIGHT}L${line}V${HEIGHT}z`,
    end: y(values.at(-1) ?? 0),
    ticks: ticks.map((value) => ({
      share: `${((y(value) / HEIGHT) * 100).toFixed(1)}%`,
      y: y(value),
      label: label(value)
    }))
  }
}
