/** What a customer sets for themselves. Theme and the eye belong to the browser; these follow the account. */

/** The currencies that values are shown in. */
export const DISPLAY_CURRENCIES = ['USD', 'EUR'] as const
export type DisplayCurrency = (typeof DISPLAY_CURRENCIES)[number]

/**
 * The groups of notices that a customer may keep out of their mailbox. Those about security, withdrawals, payments and legal
 * matters always come by mail as well.
 */
export const MUTABLE_GROUPS = ['identity', 'orders', 'rewards'] as const
export type MutableGroup = (typeof MUTABLE_GROUPS)[number]

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/**
 * The IANA name of a time zone that the process knows, e.g. `Europe/Vienna` or `UTC`, as it is usually written: upper and lower
 * case do not matter in what comes in.
 */
export function knownTimeZone(name: string): string | undefined {
  try {
    return /^[A-Za-z]/.test(name) ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : undefined
  } catch {
    return undefined
  }
}
