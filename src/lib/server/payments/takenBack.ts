import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../platform/db/client.ts'

/**
 * True if the bank took back the payment that paid this order, in whichever order the two were read. A debit that only names the
 * order does not count: an operator reviews it.
 */
export async function isTakenBack(db: Executor, orderId: string): Promise<boolean> {
  const answer = await db.execute(sql`
    select exists (
      select 1 from payments p
      where p.order_id = ${orderId} and p.direction = 'credit'
        and (p.outcome = 'matched' or exists (select 1 from payment_decisions d where d.payment_id = p.id and d.decision = 'assigned'))
        and (p.counterpart_id is not null or exists (select 1 from payments b where b.counterpart_id = p.id and b.outcome = 'returned'))
    ) as found`)
  return rowsOf<{ found: boolean }>(answer)[0]?.found ?? false
}
