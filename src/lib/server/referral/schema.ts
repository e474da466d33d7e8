/** Rewards for invitations, one for each order that earned one. The amounts are booked; this says when they rest and what is owed back. */
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../access/schema.ts'
import { orders } from '../orders/schema.ts'
import { amount, moment } from '../platform/db/columns.ts'

export const referralRewards = pgTable(
  'referral_rewards',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id),
    inviterId: uuid('inviter_id')
      .notNull()
      .references(() => users.id),
    currency: text('currency').notNull(),
    /** 0: no reward, because inviter and invitee are the same person. */
    amount: amount('amount').notNull(),
    /** What stayed on the reward account: the amount, less what the inviter owed then. */
    kept: amount('kept').notNull(),
    bookedAt: moment('booked_at').notNull(),
    /** When the payment of the order was taken back. */
    takenBackAt: moment('taken_back_at'),
    /** The part that had left the reward account by then, and is not made up for yet by later rewards. */
    owed: amount('owed').notNull().default(sql`0`)
  },
  (table) => [
    index('referral_rewards_inviter').on(table.inviterId, table.bookedAt),
    index('referral_rewards_owed').on(table.inviterId).where(sql`owed > 0`),
    check(
      'referral_rewards_amounts',
      sql`${table.amount} >= 0 and ${table.owed} >= 0 and ${table.owed} <= ${table.amount} and ${table.kept} >= 0 and ${table.kept} <= ${table.amount}`
    )
  ]
)
