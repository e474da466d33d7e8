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
 * `where` and `order by` of postings `p` of one account, on one side, in the order of their numbers. With `=` alone PostgreSQL would read all
 * postings in that order for each account, because it takes the mean of accounts, and a few of the house have most of the lines.
 */
export function ofAccount({ own, account, upTo = LAST_ID, order }: Lines): SQL {
  const [side, id] = [sql.raw(`p.${own}_id`), sql.raw(account)]
  const by = sql.raw(order)
  return sql`where (${side}, p.id) > (${id}, 0) and (${side}, p.id) <= (${id}, ${upTo}) order by ${side} ${by}, p.id ${by}`
}
