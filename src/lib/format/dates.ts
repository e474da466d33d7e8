/** Dates as the customer reads them (spec section 9). Always UTC: the server and the browser must print the same. */
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)

/** `21.11.2026, 17:05` */
export function formatMoment(iso: string): string {
  return dayjs.utc(iso).format('DD.MM.YYYY, HH:mm')
}

/** `2026-11-21 17:05:09` */
export function formatExactMoment(iso: string): string {
  return dayjs.utc(iso).format('YYYY-MM-DD HH:mm:ss')
}

/** `21.11.2026` */
export function formatDay(iso: string): string {
  return dayjs.utc(iso).format('DD.MM.YYYY')
}
