/** The countdown to the end of a window. It counts from the server's time, so a wrong clock of the device does not matter. */
import { formatTimeLeft } from '#lib/format/orders/timeLeft.ts'

const line = document.querySelector<HTMLElement>('[data-countdown]')
const timer = line?.querySelector('[role=timer]')
const ended = document.querySelector<HTMLElement>('[data-ended]')
if (line && timer && ended) {
  const { countdown = '', now = '' } = line.dataset
  const ahead = Date.now() - Date.parse(now)
  const tick = () => {
    const left = (Date.parse(countdown) - (Date.now() - ahead)) / 1000
    timer.textContent = formatTimeLeft(left)
    if (left > 0) return
    line.hidden = true
    ended.hidden = false
    clearInterval(every)
  }
  const every = setInterval(tick, 1000)
}
