/** How a customer wants to see figures and dates. Pages take it from `locals.view`, islands get it as a prop. */
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'

export type View = {
  /** The currency of values. Prices of packages stay in dollars, and transfers in euro. */
  currency: DisplayCurrency
  /** IANA name. */
  timeZone: string
}
