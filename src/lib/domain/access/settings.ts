/** The customer's settings. They belong to the account; theme and hidden amounts belong to the browser. */

/** The currencies in which values can be shown. */
export const DISPLAY_CURRENCIES = ['USD', 'EUR'] as const
export type DisplayCurrency = (typeof DISPLAY_CURRENCIES)[number]

/**
 * The groups of notices that a customer may switch off by mail. Notices about security, withdrawals, payments and legal
 * matters always come by mail as well. `weekly` is the mail about the week, which makes no notice.
 */
export const MUTABLE_GROUPS = ['identity', 'orders', 'rewards', 'weekly'] as const
export type MutableGroup = (typeof MUTABLE_GROUPS)[number]

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/**
 * The IANA name of a time zone in its usual spelling, e.g. `Europe/Vienna` or `UTC`; the case of `name` does not matter.
 * Undefined if this process does not know the time zone.
 */
export function knownTimeZone(name: string): string | undefined {
  const known = zones.get(name)
  if (known) return known
  try {
    if (!/^[A-Za-z]/.test(name)) return undefined
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    // A name has many spellings, and a browser may send any of them.
    if (zones.size >= MOST_ZONES) zones.clear()
    zones.set(name, zone)
    return zone
  } catch {
    return undefined
  }
}

/** By the spelling that was asked for. Every page asks, and the language data takes longer than many a query. */
const zones = new Map<string, string>()
const MOST_ZONES = 1000
