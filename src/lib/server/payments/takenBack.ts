import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'

/**
 * Those of these orders whose payment the bank took back, in whichever order the two were read; a payment that an
 * operator assigned is that of the order it was assigned to. A debit that only names the
 * order does not count: an operator reviews it.
 */
export async function takenBackOf(db: Executor, orderIds: string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set()
  // Each part is found by its own index. There is none over `coalesce(d.order_id, p.order_id)`: PostgreSQL would read all payments.
  const answer = await db.execute(sql`
    select distinct coalesce(d.order_id, p.order_id) as id
    from (
      select id from payments where ${anyOf(sql`order_id`, orderIds)}
      union select payment_id from payment_decisions where ${anyOf(sql`order_id`, orderIds)} and decision = 'assigned'
    ) found
    join payments p on p.id = found.id
    left join payment_decisions d on d.payment_id = p.id and d.decision = 'assigned'
    where ${anyOf(sql`coalesce(d.order_id, p.order_id)`, orderIds)} and p.direction = 'credit' and (p.outcome = 'matched' or d.payment_id is not null)
      and (p.counterpart_id is not null or exists (select 1 from payments b where b.counterpart_id = p.id and b.outcome = 'returned'))`)
  return new Set(rowsOf<{ id: string }>(answer).map(({ id }) => id))
}
