/** The customer's choice of currency and time zone. Pages read it from `locals.view`, islands get it as a prop. */
import type { DisplayCurrency } from '#lib/domain/access/settings.ts'

export type View = {
  /** The display currency of values. Package prices stay in dollars, bank transfers in euro. */
  currency: DisplayCurrency
  /** IANA name. */
  timeZone: string
}
