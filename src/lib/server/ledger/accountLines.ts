/** How the lines of one account are read: by the index of each side. */
import { type SQL, sql } from 'drizzle-orm'

/** No posting has a higher number. */
export const LAST_ID = sql.raw('9223372036854775807')

type Lines = {
  own: 'source' | 'destination'
  /** The column with the account's id, e.g. `a.id`. */
  account: string
  /** Only up to the posting of this number. */
  upTo?: SQL
  order: 'asc' | 'desc'
}

/**
 * `where` and `order by` for the postings `p` of one account, on one side, in the order of their numbers. A plain `=` would make PostgreSQL read all
 * postings for each account: it expects each account to have the average number, which is high, because a few accounts of the house have most of them.
 */
export function ofAccount({ own, account, upTo = LAST_ID, order }: Lines): SQL {
  const [side, id] = [sql.raw(`p.${own}_id`), sql.raw(account)]
  const by = sql.raw(order)
  return sql`where (${side}, p.id) > (${id}, 0) and (${side}, p.id) <= (${id}, ${upTo}) order by ${side} ${by}, p.id ${by}`
}
