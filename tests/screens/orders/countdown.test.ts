/** The countdown to the end of a promotion window. */
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('counts from the time of the server, whatever the clock of the device says, and tells the end', async () => {
  // The device's clock is two days ahead.
  vi.useFakeTimers({ now: Date.parse('2025-05-14T23:59:00Z') })
  const timer = { textContent: '' }
  const line = {
    dataset: { countdown: '2025-05-13T00:00:00Z', now: '2025-05-12T23:59:00Z' },
    hidden: false,
    querySelector: () => timer
  }
  const ended = { hidden: true }
  vi.stubGlobal('document', { querySelector: (selector: string) => (selector === '[data-ended]' ? ended : line) })
  await import('#lib/client/orders/countdown.page.ts')
  vi.advanceTimersByTime(1000)
  expect(timer.textContent).toBe('00:00:59')
  vi.advanceTimersByTime(58_000)
  expect({ left: timer.textContent, over: line.hidden }).toEqual({ left: '00:00:01', over: false })
  vi.advanceTimersByTime(1000)
  expect({ over: line.hidden, told: !ended.hidden }).toEqual({ over: true, told: true })
  timer.textContent = 'kept'
  vi.advanceTimersByTime(5000)
  expect(timer.textContent).toBe('kept')
})
