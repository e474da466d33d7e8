import { sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Payments that did not fit the customer's orders, and refunds. */
export const paymentActivity: ActivitySource = {
  kinds: ['payment'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'payment:' || p.id`,
      at: sql`p.received_at`,
      kind: 'payment',
      name: 'unfit_payment',
      currency: sql`p.currency`,
      amount: sql`p.amount_cents`,
      direction: 'none',
      orderId: sql`o.id`,
      about: sql`jsonb_build_object('expectedCents', o.euro_cents_to_pay::text)`,
      found: sql`lower(o.id) || 'payment'`
    })}
    from payments p join orders_facts o on o.id = p.order_id
    where o.user_id = ${userId} and p.direction = 'credit' and p.outcome not in ('matched', 'returned')
    union all
    select ${activityColumns({
      id: sql`'refund:' || p.id`,
      at: sql`d.decided_at`,
      kind: 'payment',
      name: 'refund',
      currency: sql`p.currency`,
      amount: sql`p.amount_cents`,
      direction: 'none',
      orderId: sql`o.id`,
      about: sql`jsonb_build_object('why', d.why)`,
      found: sql`lower(o.id) || 'paymentrefund'`
    })}
    from payment_decisions d join payments p on p.id = d.payment_id join orders_facts o on o.id = p.order_id
    where o.user_id = ${userId} and d.decision = 'refunded'`
}
