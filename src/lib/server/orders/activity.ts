import { sql } from 'drizzle-orm'
import { ORDER_STATUS, QUOTE_REUSE_HOURS } from '#lib/domain/orders/order.ts'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** The orders that lists show: one line each, which changes with the order. */
export const orderActivity: ActivitySource = {
  kinds: ['purchase'],
  linesOf: (userId, now) => sql`
    select ${activityColumns({
      id: sql`'order:' || o.id`,
      at: sql`coalesce(o.completed_at, o.created_at)`,
      kind: 'purchase',
      name: 'order',
      currency: sql`case when o.cpc_units > 0 then 'CPC' else 'PTC' end`,
      amount: sql`o.cpc_units + o.ptc_units`,
      direction: sql`case when o.status = ${ORDER_STATUS.completed} then 'in' else 'none' end`,
      orderId: sql`o.id`,
      // Of an order that is not paid: what is to be paid, with the fee.
      usdCents: sql`case when o.status = ${ORDER_STATUS.completed} then o.fiat_cents else o.total_cents end`,
      about: sql`jsonb_build_object('configId', o.config_id, 'status', o.status, 'euroCents', o.euro_cents_to_pay::text,
        'cancelledAt', o.cancelled_at, 'unfitPayment', o.unfit_payment, 'stakingMonths', o.staking_months)`,
      found: sql`lower(o.id) || 'purchase' || o.fiat_cents / 100`
    })}
    from orders o
    where o.user_id = ${userId} and (
      o.status <> ${ORDER_STATUS.pending} or o.unfit_payment is not null
      or o.created_at >= ${now.toISOString()}::timestamptz - ${QUOTE_REUSE_HOURS} * interval '1 hour'
    )`
}
