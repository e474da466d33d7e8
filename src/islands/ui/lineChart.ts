/** The geometry of charts. The numbers are only for drawing, never for amounts. */

// Twice the usual size on screen, so that whole numbers are precise enough.
export const WIDTH = 1200
export const HEIGHT = 300
const STEPS = 3

/** 1, 2, 2.5 or 5 times a power of ten, not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
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
