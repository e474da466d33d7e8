import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../platform/db/client.ts'

/** Whether the payment of this order was taken back, wherever the bank told it: after the payment or before. */
export async function isTakenBack(db: Executor, orderId: string): Promise<boolean> {
  const answer = await db.execute(sql`
    select exists (
      select 1 from payments where order_id = ${orderId} and (outcome = 'returned' or (outcome = 'matched' and counterpart_id is not null))
    ) as found`)
  return rowsOf<{ found: boolean }>(answer)[0]?.found ?? false
}
