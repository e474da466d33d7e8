/** Withdrawals as staff see them: those that wait, why, and what a person should know before they approve one. */
import { and, asc, count, desc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { users } from '../access/index.ts'
import { chainAttempts, chainSends } from '../chains/index.ts'
import { lastOrigins, type Origin } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal, oneOf } from '../platform/db/columns.ts'
import { approvalsOf, approvalsWanted, roundOf } from './decide.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawalDecisions, withdrawals } from './schema.ts'

/** A fact that speaks for a theft (`isBad`), or against one. */
type Sign = {
  sign:
    | 'first'
    | 'new_address'
    | 'password_changed'
    | 'email_changed'
    | 'locked'
    | 'known_address'
    | 'sent_back'
    | 'came_by_deposit'
    | 'came_by_trade'
    | 'came_by_purchase'
  at: Date | null
  isBad: boolean
}
export type Queued = { row: WithdrawalRow; signs: Sign[]; approvals: number; personsNeeded: number }

const WAITING = ['review'] as const
const UNDER_WAY = ['unconfirmed', 'review', 'approved', 'signed'] as const
const LISTED = 200
const NEW_HOURS = 72

/** The withdrawals that wait for a person, or are under way, due first; `all`: those that are over too, newest first. */
export async function queueOf(
  { db, clock }: Context,
  filter: 'waiting' | 'underway' | 'all',
  twoAboveCents: bigint
): Promise<Queued[]> {
  const states = filter === 'waiting' ? WAITING : UNDER_WAY
  const query = db.select().from(withdrawals)
  const rows = await (filter === 'all'
    ? query.orderBy(desc(withdrawals.requestedAt)).limit(LISTED)
    : query.where(oneOf(withdrawals.state, states)).orderBy(asc(withdrawals.requestedAt)).limit(LISTED))
  return asQueued(db, clock(), rows, twoAboveCents)
}

/** One of them, its decisions, and what we know of its address. Undefined if there is none. */
export async function queuedOf({ db, clock }: Context, id: string, twoAboveCents: bigint) {
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id))
  if (!row) return undefined
  const [[queued], decisions, [paid], [others]] = await Promise.all([
    asQueued(db, clock(), [row], twoAboveCents),
    db.select().from(withdrawalDecisions).where(eq(withdrawalDecisions.withdrawalId, id)).orderBy(asc(withdrawalDecisions.id)),
    db
      .select({ count: count() })
      .from(withdrawals)
      .where(and(eq(withdrawals.addressId, row.addressId), eq(withdrawals.state, 'confirmed'))),
    db
      .select({ count: sql<number>`count(distinct ${withdrawalAddresses.userId})::int` })
      .from(withdrawalAddresses)
      .where(
        and(
          eq(withdrawalAddresses.chain, row.chain),
          eq(withdrawalAddresses.address, row.receiver),
          ne(withdrawalAddresses.userId, row.userId)
        )
      )
  ])
  return queued && { ...queued, decisions, paidBefore: paid?.count ?? 0, otherCustomers: others?.count ?? 0 }
}

async function asQueued(db: Executor, now: Date, rows: WithdrawalRow[], twoAboveCents: bigint): Promise<Queued[]> {
  if (rows.length === 0) return []
  const approvals = await approvalsOf(
    db,
    rows.map(({ id }) => id),
    now
  )
  const [facts, originOf] = await Promise.all([factsOf(db, rows), lastOrigins(db, rows)])
  return rows.map((row) => {
    const own = approvals.filter(({ withdrawalId }) => withdrawalId === row.id)
    const asked = approvalsWanted(row, twoAboveCents)
    // While it waits, those that count; afterwards all that were made.
    const round =
      row.state === 'review' ? roundOf(own, asked) : { persons: new Set(own.map(({ actor }) => actor)), wanted: asked }
    const sentBack: Sign[] = round.wanted > asked ? [{ sign: 'sent_back', at: null, isBad: true }] : []
    return {
      row,
      signs: [...sentBack, ...signsOf(facts.get(row.id), now), ...originSigns(originOf(row), now)],
      approvals: round.persons.size,
      personsNeeded: round.wanted
    }
  })
}

type CustomerFacts = {
  hasEarlier: boolean
  addressSince: Date
  confirmedAt: Date | null
  passwordChangedAt: Date | null
  emailChangedAt: Date | null
  lockedAt: Date | null
}

async function factsOf(db: Executor, rows: WithdrawalRow[]): Promise<Map<string, CustomerFacts>> {
  const ids = rows.map(({ id }) => id)
  const earlier = db
    .select({ userId: withdrawals.userId, first: sql<string>`min(${withdrawals.requestedAt})`.as('first') })
    .from(withdrawals)
    .where(
      and(
        inArray(withdrawals.userId, [...new Set(rows.map(({ userId }) => userId))]),
        or(eq(withdrawals.state, 'confirmed'), eq(withdrawals.state, 'signed'))
      )
    )
    .groupBy(withdrawals.userId)
    .as('earlier')
  const found = await db
    .select({
      id: withdrawals.id,
      hasEarlier: sql<boolean>`coalesce(${lt(sql`${earlier.first}::timestamptz`, withdrawals.requestedAt)}, false)`,
      addressSince: withdrawalAddresses.createdAt,
      confirmedAt: withdrawalAddresses.confirmedAt,
      passwordChangedAt: users.passwordChangedAt,
      emailChangedAt: users.emailChangedAt,
      lockedAt: users.lockedAt
    })
    .from(withdrawals)
    .innerJoin(users, eq(users.id, withdrawals.userId))
    .innerJoin(withdrawalAddresses, eq(withdrawalAddresses.id, withdrawals.addressId))
    .leftJoin(earlier, eq(earlier.userId, withdrawals.userId))
    .where(inArray(withdrawals.id, ids))
  return new Map(found.map(({ id, ...facts }) => [id, facts]))
}

const isNew = (at: Date | null, now: Date): at is Date => at !== null && now.getTime() - at.getTime() < NEW_HOURS * 3_600_000

const ORIGINS: Partial<Record<Origin['reason'], Sign['sign']>> = {
  deposit_credited: 'came_by_deposit',
  suspense_decided: 'came_by_deposit',
  p2p_traded: 'came_by_trade',
  order_completed: 'came_by_purchase'
}

/** Coins that somebody else sent and that leave within days are worth a question; those that we sold are not. */
function originSigns(origin: Origin | undefined, now: Date): Sign[] {
  const sign = origin && ORIGINS[origin.reason]
  if (!sign) return []
  return [{ sign, at: origin.at, isBad: sign !== 'came_by_purchase' && isNew(origin.at, now) }]
}

function signsOf(facts: CustomerFacts | undefined, now: Date): Sign[] {
  if (!facts) return []
  const address: Sign = isNew(facts.addressSince, now)
    ? { sign: 'new_address', at: facts.addressSince, isBad: true }
    : { sign: 'known_address', at: facts.addressSince, isBad: false }
  return [
    address,
    ...(facts.hasEarlier ? [] : [{ sign: 'first', at: null, isBad: true } as const]),
    ...(isNew(facts.passwordChangedAt, now)
      ? [{ sign: 'password_changed', at: facts.passwordChangedAt, isBad: true } as const]
      : []),
    ...(isNew(facts.emailChangedAt, now) ? [{ sign: 'email_changed', at: facts.emailChangedAt, isBad: true } as const] : []),
    ...(facts.lockedAt ? [{ sign: 'locked', at: facts.lockedAt, isBad: true } as const] : [])
  ]
}

/** How many wait for a person, what they are worth in USD cents, and since when the oldest does. */
export async function waitingSum(db: Executor): Promise<{ count: number; usdCents: bigint; oldestAt: Date | null }> {
  const [row] = await db
    .select({
      count: count(),
      usdCents: sql<string>`coalesce(sum(${withdrawals.usdCents}), 0)::text`,
      oldestAt: sql<string | null>`min(${withdrawals.requestedAt})`
    })
    .from(withdrawals)
    .where(eq(withdrawals.state, literal('review')))
  return { count: row?.count ?? 0, usdCents: BigInt(row?.usdCents ?? 0), oldestAt: row?.oldestAt ? new Date(row.oldestAt) : null }
}

/** The row and its customer's e-mail, for a decision. Undefined if there is none. */
export async function withdrawalWithEmail(db: Executor, id: string): Promise<{ row: WithdrawalRow; email: string } | undefined> {
  const [found] = await db
    .select({ row: withdrawals, email: users.email })
    .from(withdrawals)
    .innerJoin(users, eq(users.id, withdrawals.userId))
    .where(eq(withdrawals.id, id))
  return found
}

/** Withdrawals of a customer, or the one of an id; the newest first, at most fifty. */
export function withdrawalsOfCustomer(db: Executor, which: { userId: string } | { id: string }): Promise<WithdrawalRow[]> {
  const of = 'id' in which ? eq(withdrawals.id, which.id) : eq(withdrawals.userId, which.userId)
  return db.select().from(withdrawals).where(of).orderBy(desc(withdrawals.requestedAt)).limit(50)
}

/** Whose withdrawals these transactions of a chain pay, by any of the attempts that were signed: a send has its withdrawal's id. */
export async function withdrawalsOfTransaction(db: Executor, transactionIds: string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: withdrawals.userId })
    .from(chainAttempts)
    .innerJoin(withdrawals, eq(withdrawals.id, chainAttempts.sendId))
    .where(and(inArray(chainAttempts.chain, [...CHAINS]), inArray(chainAttempts.transactionId, transactionIds)))
    .limit(20)
  return rows.map(({ userId }) => userId)
}

/** What the signer has signed for customers since, in USD cents. */
export async function signedSince(db: Executor, since: Date): Promise<bigint> {
  const signed = db
    .select({ id: chainSends.id })
    .from(chainSends)
    .where(and(gt(chainSends.signedAt, since), eq(chainSends.purpose, 'withdrawal')))
  const [row] = await db
    .select({ cents: sql<string>`coalesce(sum(${withdrawals.usdCents}), 0)::text` })
    .from(withdrawals)
    .where(inArray(withdrawals.id, signed))
  return BigInt(row?.cents ?? 0)
}
