/** Customers as staff see them: found by what somebody names, shown without a name, held and released. */
import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { CUSTOMER_KINDS } from '#lib/domain/ledger/holdings.ts'
import { formatCents, formatExactUnits } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { endSessionsOfUser, holdsOf, holdWithdrawals, openSessionsOf, userEmailOf, users } from '../access/index.ts'
import { chainAddresses } from '../chains/index.ts'
import { readIdentityOf } from '../identity/index.ts'
import { holdingsOf } from '../ledger/index.ts'
import { orders } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError, decideBriefly, entriesAbout, keepEntry, namesOf, type Staff, staffActor } from '../staff/index.ts'
import { customerGate, withdrawalAddressesTable, withdrawalsOfCustomer } from '../withdrawals/index.ts'
import { nameOf } from './names.ts'

const FOUND = 20
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The first letter of each part: enough to tell two customers apart, too little to write to one. */
const masked = (email: string) => email.replace(/^(.)[^@]*@(.).*$/, '$1…@$2…')

type Found = DeskAnswer<'findCustomers'>

/** By e-mail, customer, withdrawal, order or address, each exactly as it is named. */
export async function findCustomers({ db }: Context, q: string): Promise<Found> {
  if (q === '') return []
  const columns = { id: users.id, email: users.email, since: users.createdAt }
  const from = db.select(columns).from(users)
  const [byEmail, byId, byOrder, byAddress, byReceiver] = await Promise.all([
    from.where(eq(users.email, q.toLowerCase())).limit(1),
    UUID.test(q) ? customersOfId({ db }, q.toLowerCase()) : [],
    db
      .select(columns)
      .from(orders)
      .innerJoin(users, eq(users.id, orders.userId))
      .where(eq(orders.id, q.replace(/\s/g, '').toUpperCase()))
      .limit(1),
    db
      .select(columns)
      .from(chainAddresses)
      .innerJoin(users, eq(users.id, chainAddresses.userId))
      .where(and(inArray(chainAddresses.chain, [...CHAINS]), eq(chainAddresses.address, q)))
      .limit(FOUND),
    db
      .selectDistinct(columns)
      .from(withdrawalAddressesTable)
      .innerJoin(users, eq(users.id, withdrawalAddressesTable.userId))
      .where(eq(withdrawalAddressesTable.address, q))
      .limit(FOUND)
  ])
  const all = [
    ...byEmail.map((row) => ({ ...row, foundBy: 'e-mail' })),
    ...byId,
    ...byOrder.map((row) => ({ ...row, foundBy: 'order' })),
    ...byAddress.map((row) => ({ ...row, foundBy: 'deposit address' })),
    ...byReceiver.map((row) => ({ ...row, foundBy: 'withdrawal address' }))
  ]
  const seen = new Set<string>()
  return all
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(({ id, email, since, foundBy }) => ({ id, email: masked(email), since: since.toISOString(), foundBy }))
}

async function customersOfId({ db }: Pick<Context, 'db'>, id: string) {
  const columns = { id: users.id, email: users.email, since: users.createdAt }
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  if (user) return [{ ...user, foundBy: 'customer' }]
  const [withdrawal] = await withdrawalsOfCustomer(db, { id })
  const [owner] = withdrawal ? await db.select(columns).from(users).where(eq(users.id, withdrawal.userId)) : []
  return owner ? [{ ...owner, foundBy: 'withdrawal' }] : []
}

const LISTED = 50

/** Throws `not_found`. */
export async function customerOf(context: Context, staff: Staff, id: string): Promise<DeskAnswer<'getCustomer'>> {
  const { db, clock } = context
  const now = clock()
  const [user] = await db.select({ email: users.email, since: users.createdAt }).from(users).where(eq(users.id, id))
  if (!user) throw new DeskError('not_found')
  const [identity, gate, sessions, holdings, holds, withdrawals, bought, entries, names] = await Promise.all([
    readIdentityOf(db, id),
    customerGate(db, id, now),
    openSessionsOf(db, id, now),
    holdingsOf(db, id),
    holdsOf(db, id),
    withdrawalsOfCustomer(db, { userId: id }),
    db.select().from(orders).where(eq(orders.userId, id)).orderBy(desc(orders.createdAt)).limit(LISTED),
    entriesAbout(db, `customer:${id}`),
    namesOf(db)
  ])
  const timeline = [
    ...withdrawals.map((row) => ({
      at: row.requestedAt,
      kind: 'Withdrawal',
      text: `${formatExactUnits(row.amount, row.currency)} ${row.currency} to ${row.receiver}, ${row.state}`,
      link: `/withdrawals?filter=all&w=${row.id}`,
      isStaff: false
    })),
    ...bought.map((row) => ({
      at: row.createdAt,
      kind: 'Order',
      text: `${row.id}, ${formatCents(row.euroCentsToPay, 'EUR')} to pay, ${ORDER_STATES[row.status] ?? 'created'}`,
      link: null,
      isStaff: false
    })),
    ...entries.map(({ at, act, actor, why }) => ({
      at,
      kind: 'Staff',
      // A reason may name people: it is for those who read the log.
      text: `${nameOf(names, actor)}: ${act.replaceAll('_', ' ')}${staff.rights.includes('read_audit') ? `. ${why}` : ''}`,
      link: null,
      isStaff: true
    })),
    { at: user.since, kind: 'Account', text: 'Opened', link: null, isStaff: false }
  ]
  return {
    id,
    email: masked(user.email),
    since: user.since.toISOString(),
    isVerified: identity?.review.reviewStatus === 'completed',
    gate: gate.reason,
    sessions,
    balances: [...holdings].map(([currency, holding]) => ({
      currency,
      kinds: CUSTOMER_KINDS.flatMap((kind) => (holding[kind] > 0n ? [{ kind, amount: holding[kind].toString() }] : [])),
      total: CUSTOMER_KINDS.reduce((sum, kind) => sum + holding[kind], 0n).toString()
    })),
    holds: holds.map(({ id: holdId, reason, why, createdAt, endsAt, releasedAt }) => ({
      id: String(holdId),
      reason,
      why,
      createdAt: createdAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? null,
      releasedAt: releasedAt?.toISOString() ?? null,
      isOpen: releasedAt === null && (endsAt === null || endsAt > now)
    })),
    timeline: timeline
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, LISTED * 2)
      .map((line) => ({ ...line, at: line.at.toISOString() }))
  }
}

const ORDER_STATES: Record<number, string> = { 0: 'created', 1: 'announced as paid', 2: 'completed' }

/** Nobody decides about an account of their own. Throws `not_found`, `own_account`. */
export async function requireOthers(context: Context, staff: Staff, userId: string): Promise<string> {
  const email = await userEmailOf(context.db, userId)
  if (!email) throw new DeskError('not_found')
  if (email.toLowerCase() === staff.email) throw new DeskError('own_account')
  return email
}

type Hold = { staff: Staff; userId: string; why: string; days: number; right: 'hold_account' | 'hold_longer' }

/** Holds withdrawals and trades for some days; the customer reads why and until when. */
export async function holdCustomer(context: Context, { staff, userId, why, days, right }: Hold) {
  await requireOthers(context, staff, userId)
  await decideBriefly(context, staff, right, async (work) => {
    if (right === 'hold_account') await requireFirstHold(work, userId)
    const endsAt = new Date(work.now.getTime() + days * 86_400_000)
    const hold = { userId, reason: 'staff', sourceType: 'staff', sourceId: randomUUID(), why, endsAt } as const
    await holdWithdrawals(work, hold)
    await tell(work, userId, 'accountHeld', { why, until: `${formatMoment(endsAt.toISOString())} UTC` })
    await keepEntry(work, { actor: staffActor(staff), act: right, subject: `customer:${userId}`, why, details: { days } })
  })
  return { message: `Held for ${days === 1 ? 'a day' : `${days} days`}. The customer has a mail with your reason.` }
}

/** A day each day would be a hold without end, which is for compliance alone. */
async function requireFirstHold({ tx, now }: Work, userId: string): Promise<void> {
  const since = now.getTime() - AGAIN_DAYS * 86_400_000
  const [newest] = (await holdsOf(tx, userId)).filter(
    ({ sourceType, createdAt }) => sourceType === 'staff' && createdAt.getTime() > since
  )
  if (newest) throw new DeskError('held_before')
}
const AGAIN_DAYS = 3

type Told = { accountHeld: { why: string; until: string }; holdReleased: { since: string } }

export async function tell<Name extends keyof Told>(work: Work, userId: string, name: Name, params: Told[Name]): Promise<void> {
  const [user] = await work.tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(eq(users.id, userId))
  if (user) await work.enqueue(mailTo(user, name, params as never))
}

export async function endSessionsOfCustomer(context: Context, { staff, userId, why }: Pick<Hold, 'staff' | 'userId' | 'why'>) {
  await requireOthers(context, staff, userId)
  await decideBriefly(context, staff, 'end_sessions', async (work) => {
    await endSessionsOfUser(work, userId)
    await keepEntry(work, { actor: staffActor(staff), act: 'end_sessions', subject: `customer:${userId}`, why })
  })
  return { message: 'Ended. Whoever used the account must sign in again.' }
}
