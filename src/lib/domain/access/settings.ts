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
  try {
    return /^[A-Za-z]/.test(name) ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : undefined
  } catch {
    return undefined
  }
}
