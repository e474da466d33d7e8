/** What the customer is told about a deposit, by mail and notice. */
import { eq } from 'drizzle-orm'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import type { DepositRules } from '#lib/domain/deposits/deposit.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import type { DepositRow } from './schema.ts'

/** `0.004 BTC`; of a token that we don't know, its contract. */
function amountText({ amount, currency }: Pick<DepositRow, 'amount' | 'currency'>): string {
  return isChainToken(currency) ? `${formatExactUnits(amount, currency)} ${currency}` : currency
}

async function customerOf({ tx }: Work, { userId }: DepositRow) {
  if (!userId) return undefined
  const [customer] = await tx.select().from(users).where(eq(users.id, userId))
  return customer
}

const link = ({ origin }: Context) => `${origin}/package-history?tab=deposit`

/** After it was booked: credited, or kept apart with its reason. */
export async function tellBooked(context: Context, work: Work, row: DepositRow, rules: DepositRules): Promise<void> {
  const customer = await customerOf(work, row)
  if (!customer) return
  const { note, currency } = row
  const facts = { amount: amountText(row), link: link(context) }
  if (note === null) return work.enqueue(mailTo(customer, 'depositCredited', facts))
  const smallest = isChainToken(currency) ? `${formatExactUnits(rules.smallest[currency], currency)} ${currency}` : ''
  return work.enqueue(mailTo(customer, 'depositKept', { ...facts, note, smallest }))
}

export async function tellReverted(context: Context, work: Work, row: DepositRow, isOwed: boolean): Promise<void> {
  const customer = await customerOf(work, row)
  if (customer) await work.enqueue(mailTo(customer, 'depositReverted', { amount: amountText(row), isOwed, link: link(context) }))
}
