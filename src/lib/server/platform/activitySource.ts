/** How a feature registers its lines in the customer's activity: as a select of these columns. `app` passes all to the feed. */
import { type SQL, sql } from 'drizzle-orm'

/** The lines of one customer. */
export type ActivitySource = { kinds: string[]; linesOf: (userId: string, now: Date) => SQL }

type Columns = {
  /** Unique among all lines. */
  id: SQL
  at: SQL
  /** One of `domain/activity/kinds.ts`; so are name and direction. */
  kind: string
  name: string | SQL
  currency: SQL
  /** Smallest units, without a sign; null if nothing was booked yet. */
  amount: SQL
  direction: string | SQL
  /** The id of its order, or null. */
  orderId?: SQL
  /** Its value in US cents, if known more exactly than by the price of the day. */
  usdCents?: SQL
  /** The parameters of its text, as a JSON object. */
  about: SQL
  /** The text that a search compares, besides currency and amount. */
  found: SQL
}

/** The columns of a line, in the order in which every source selects them. */
export function activityColumns({
  id,
  at,
  kind,
  name,
  currency,
  amount,
  direction,
  orderId,
  usdCents,
  about,
  found
}: Columns): SQL {
  const text = (value: string | SQL) => (typeof value === 'string' ? sql`${value}::text` : value)
  return sql`
    ${id} as id, ${at} as at, ${text(kind)} as kind, ${text(name)} as name, ${currency} as currency,
    ${amount}::numeric as amount, ${text(direction)} as direction, ${orderId ?? sql`null`}::text as order_id,
    ${usdCents ?? sql`null`}::numeric as usd_cents, ${about}::jsonb as about, ${found} as found`
}
