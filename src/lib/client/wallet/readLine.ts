/** Reading the value line at a point: a press or the pointer shows the day and its value. */
import { isRange } from '#lib/domain/wallet/valueLine.ts'
import { formatCents } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { call } from '../platform/call.ts'
import { loadStyles } from '../platform/loadStyles.ts'
import tipStyles from './lineTip.css?url'

/** `plot` stands in a `.line` that says its range, currency and token. Throws CallError. */
export async function readLine(plot: HTMLElement, first: PointerEvent): Promise<void> {
  const { range = '', token, shown } = plot.closest<HTMLElement>('.line')?.dataset ?? {}
  const drawing = plot.querySelector('svg')
  if (!drawing || !isRange(range)) return
  const currency = shown === 'EUR' ? 'EUR' : 'USD'
  const [{ points }] = await Promise.all([
    call('getValueLine', { query: { range, in: currency, ...(token && { currency: token }) } }),
    loadStyles(tipStyles)
  ])
  const times = points.map(({ day }) => Date.parse(day))
  const [start = 0, end = 0] = [times[0], times.at(-1)]
  const tip = document.createElement('p')
  tip.className = 'line-tip'
  tip.setAttribute('role', 'status')
  const [day, value] = [document.createElement('span'), document.createElement('b')]
  value.className = 'figure eye'
  tip.append(day, value)

  const show = ({ clientX }: PointerEvent) => {
    const { left, width } = drawing.getBoundingClientRect()
    const time = start + (Math.min(Math.max(clientX - left, 0), width) / width) * (end - start)
    const index = times.reduce((best, one, at) => (Math.abs(one - time) < Math.abs((times[best] ?? 0) - time) ? at : best), 0)
    const point = points[index]
    if (!point) return
    day.textContent = formatDay(point.day)
    value.textContent = formatCents(BigInt(point.cents), currency)
    const share = (Date.parse(point.day) - start) / (end - start)
    tip.style.setProperty('--at', `${share * width}px`)
    tip.classList.toggle('line-tip-left', share > 0.5)
    if (!tip.isConnected) plot.append(tip)
  }
  plot.addEventListener('pointermove', show)
  plot.addEventListener('pointerdown', show)
  plot.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger leaves by lifting; what it asked for stays.
    if (pointerType === 'mouse') tip.remove()
  })
  show(first)
}
