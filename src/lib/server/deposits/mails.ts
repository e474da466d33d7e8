/** Mails and notices about a deposit. */
import { and, eq, gt, ne } from 'drizzle-orm'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { countsAsSmall, type DepositRules } from '#lib/domain/deposits/deposit.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type User, users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import type { NewJob } from '../platform/jobs/insert.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { type DepositRow, deposits } from './schema.ts'
import { missingAt } from './waiting.ts'

/** E.g. `0.004 BTC`; for an unknown token, the address of its contract. */
function amountText({ amount, currency }: Pick<DepositRow, 'amount' | 'currency'>): string {
  return isChainToken(currency) ? `${formatExactUnits(amount, currency)} ${currency}` : currency
}

async function customerOf({ tx }: Work, { userId }: DepositRow) {
  if (!userId) return undefined
  const [customer] = await tx.select().from(users).where(eq(users.id, userId))
  return customer
}

const DAY_MS = 24 * 3_600_000

async function wasToldOfDust({ tx, now }: Work, { id, userId }: DepositRow): Promise<boolean> {
  const [other] = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.userId, userId ?? ''),
        eq(deposits.note, 'small'),
        ne(deposits.id, id),
        gt(deposits.bookedAt, new Date(now.getTime() - DAY_MS))
      )
    )
    .limit(1)
  return other !== undefined
}

const link = ({ origin }: Context) => `${origin}/package-history?tab=deposit`

export function creditedMail(context: Context, customer: Pick<User, 'id' | 'email' | 'locale'>, row: DepositRow): NewJob {
  return mailTo(customer, 'depositCredited', { amount: amountText(row), link: link(context) })
}

/** After the booking: it was credited, or kept apart with its reason. */
export async function tellBooked(context: Context, work: Work, row: DepositRow, rules: DepositRules): Promise<void> {
  const customer = await customerOf(work, row)
  // No mail about unknown tokens, which anybody can send to everybody, and one a day about dust: the list shows all.
  if (!customer || row.note === 'unsupported' || (row.note === 'small' && (await wasToldOfDust(work, row)))) return
  const { note, currency } = row
  const facts = { amount: amountText(row), link: link(context) }
  if (note === null) return work.enqueue(creditedMail(context, customer, row))
  const smallest = isChainToken(currency) ? amountText({ amount: rules.smallest[currency], currency }) : ''
  const missing = note === 'small' && countsAsSmall(currency, row.amount) ? await missingAt(work.tx, rules, row) : undefined
  const missingText = missing ? amountText({ amount: missing, currency }) : undefined
  return work.enqueue(mailTo(customer, 'depositKept', { ...facts, note, smallest, missing: missingText }))
}

/** Several small deposits were credited together. */
export async function tellCreditedTogether(
  context: Context,
  work: Work,
  row: DepositRow,
  { amount, count }: { amount: bigint; count: number }
): Promise<void> {
  const customer = await customerOf(work, row)
  const facts = { amount: amountText({ ...row, amount }), count, link: link(context) }
  if (customer) await work.enqueue(mailTo(customer, 'depositsCreditedTogether', facts))
}

export async function tellReverted(context: Context, work: Work, row: DepositRow, isOwed: boolean): Promise<void> {
  const customer = await customerOf(work, row)
  if (customer) await work.enqueue(mailTo(customer, 'depositReverted', { amount: amountText(row), isOwed, link: link(context) }))
}
