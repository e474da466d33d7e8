/** The sender of a deposit above EUR 1,000: asked for afterwards; withdrawals and trades of its token wait for it. */
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { needsDetails, type SaidDetails } from '#lib/domain/chains/parties.ts'
import { partyDetailsOf } from '../identity/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { statementOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { transact } from '../platform/transaction.ts'
import { type Rates, worthAtMost } from '../rates/index.ts'
import { type DepositRow, depositDetails, deposits } from './schema.ts'

const MOST = 200

/** Credited deposits whose sender must be declared and is not. Valued by today's price if none was kept for their day. */
export async function depositsWithoutDetails(
  db: Executor,
  rates: Rates,
  userId: string
): Promise<Pick<DepositRow, 'id' | 'currency' | 'amount'>[]> {
  const rows = await unnamed(db, { user: userId })
  const needing = rows.filter((one) => needsDetails(centsOf(rates, valuedOf(one)) + linkedCents(rates, one.linked)))
  return needing.slice(0, MOST).map(({ id, currency, amount }) => ({ id: BigInt(id), currency, amount: BigInt(amount) }))
}

type Undeclared = { currency: string; amount: string; euroCents: string | null; linked: Linked[] }

const unnamed = statementOnce<Undeclared & { id: string }>(
  'deposits_unnamed',
  () => sql`
    select d.id::text as id, d.currency, d.amount::text as amount, d.euro_cents::text as "euroCents", ${linkedSql} as linked
    from ${withNear(sql.placeholder('user'))} d where d.details is null order by d.id desc`
)

type Valued = { currency: string; amount: bigint; euroCents: bigint | null }

const valuedOf = ({ currency, amount, euroCents }: Undeclared): Valued => {
  return { currency, amount: BigInt(amount), euroCents: euroCents === null ? null : BigInt(euroCents) }
}

/** By the price of its day, or by today's, the higher one if it is in doubt. Throws UnavailableError if the token has no price. */
function centsOf(rates: Rates, { euroCents, currency, amount }: Valued): bigint {
  return euroCents ?? worthAtMost(rates, currency, amount).euroCents
}

/** Sums by currency, of deposits with a price of their day (`cents`) and of those without (`amount`). */
type Linked = { currency: string; cents: string; amount: string }

function linkedCents(rates: Rates, linked: Linked[]): bigint {
  return linked.reduce(
    (sum, { currency, cents, amount }) =>
      sum + BigInt(cents) + (BigInt(amount) > 0n ? centsOf(rates, { euroCents: null, currency, amount: BigInt(amount) }) : 0n),
    0n
  )
}

/**
 * The customer's credited deposits, each with the sum of the others in the 24 hours around it (`near_cents`): several deposits of a day are linked, so that
 * a large one cannot be split to leave its sender unnamed. `is_unpriced`: for one of them no price of its day was kept. One pass for all of them, however many.
 */
function withNear(userId: SQLWrapper | string): SQL {
  return sql`(
  select id, user_id, currency, amount, euro_cents, booked_at, details,
    sum(coalesce(euro_cents, 0)) over near - coalesce(euro_cents, 0) as near_cents, bool_or(euro_cents is null) over near as is_unpriced
  from deposits where user_id = ${userId} and status = 'CREDITED' and reverted_at is null
  window near as (order by booked_at range between interval '24 hours' preceding and interval '24 hours' following))`
}

/** What is linked to deposit `d` of `withNear`, summed by currency only where today's prices are needed. */
const linkedSql = sql`case when not d.is_unpriced
  then json_build_array(json_build_object('currency', d.currency, 'cents', d.near_cents::text, 'amount', '0'))
  else (select coalesce(json_agg(json_build_object('currency', s.currency, 'cents', s.cents::text, 'amount', s.amount::text)), '[]') from (
    select o.currency, coalesce(sum(o.euro_cents), 0) as cents, coalesce(sum(o.amount) filter (where o.euro_cents is null), 0) as amount
    from deposits o
    where o.user_id = d.user_id and o.id <> d.id and o.status = 'CREDITED' and o.reverted_at is null
      and o.booked_at between d.booked_at - interval '24 hours' and d.booked_at + interval '24 hours'
    group by o.currency) s) end`

/**
 * Credited deposits without details of their sender, as a column of another query: `isUndeclared` says whether one of them is too large.
 */
export const undeclaredSql = (userId: SQLWrapper | string) => sql<Undeclared[]>`(
  select coalesce(json_agg(json_build_object('currency', d.currency, 'amount', d.amount::text, 'euroCents', d.euro_cents::text,
    'linked', ${linkedSql})), '[]')
  from ${withNear(userId)} d where d.details is null)`

/** Whether the sender of a deposit of this token must be declared. Deposits of other tokens on the same day count with it. */
export function isUndeclared(rates: Rates, token: string, found: Undeclared[]): boolean {
  const ofToken = found.filter(({ currency }) => currency === token)
  return ofToken.some((one) => needsDetails(centsOf(rates, valuedOf(one)) + linkedCents(rates, one.linked)))
}

/** Adds what the customer says about the sender; earlier words are kept. Throws `deposit_not_found`, also for another customer's deposit, and what `partyDetailsOf` throws. */
export function giveDepositDetails(
  context: Context,
  { userId }: Customer,
  { id, details: said }: { id: string; details: SaidDetails }
): Promise<void> {
  return transact(context, async ({ tx, now }) => {
    const details = await partyDetailsOf(tx, userId, said)
    const [given] = await tx
      .update(deposits)
      .set({ details })
      .where(and(eq(deposits.id, BigInt(id)), eq(deposits.userId, userId)))
      .returning({ id: deposits.id })
    if (!given) throw new AppError('deposit_not_found')
    await tx.insert(depositDetails).values({ depositId: given.id, details, givenAt: now })
  })
}
