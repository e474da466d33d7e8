/**
 * Formats dates for the customer (spec section 9) in a time zone: an IANA name, UTC if none is known. The server and the
 * browser print the same text, because it consists of digits only.
 */

export const UTC = 'UTC'

const formats = new Map<string, Intl.DateTimeFormat>()

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>

/** Without `Intl`, whose first format costs a phone tens of milliseconds. */
function utcParts(iso: string): Parts {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = new Date(iso).toISOString().split(/[-T:.]/)
  return { year, month, day, hour, minute, second }
}

/** The parts of a moment in the time zone. */
function partsOf(iso: string, zone: string): Parts {
  if (zone === UTC) return utcParts(iso)
  const known = formats.get(zone)
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit'
    })
  if (!known) formats.set(zone, format)
  const parts = { year: '', month: '', day: '', hour: '', minute: '', second: '' }
  for (const { type, value } of format.formatToParts(new Date(iso))) if (type in parts) parts[type as keyof typeof parts] = value
  return parts
}

/** `21.11.2026, 17:05` */
export function formatMoment(iso: string, zone = UTC): string {
  const { year, month, day, hour, minute } = partsOf(iso, zone)
  return `${day}.${month}.${year}, ${hour}:${minute}`
}

/** `2026-11-21 17:05:09` */
export function formatExactMoment(iso: string, zone = UTC): string {
  const { year, month, day, hour, minute, second } = partsOf(iso, zone)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** `21.11.2026` */
export function formatDay(iso: string, zone = UTC): string {
  const { year, month, day } = partsOf(iso, zone)
  return `${day}.${month}.${year}`
}

/** `17:05` */
export function formatTime(iso: string, zone = UTC): string {
  const { hour, minute } = partsOf(iso, zone)
  return `${hour}:${minute}`
}

/** The day of a moment in the time zone, as yyyy-mm-dd. */
export function dayIn(iso: string, zone = UTC): string {
  const { year, month, day } = partsOf(iso, zone)
  return `${year}-${month}-${day}`
}
