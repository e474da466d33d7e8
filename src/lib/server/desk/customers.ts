/** Customers as staff see them: found by what somebody names, shown without a name, held and released. */
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import type { ActivityKind } from '#lib/domain/activity/kinds.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { CUSTOMER_KINDS } from '#lib/domain/ledger/holdings.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { showActivity } from '#lib/format/activity/activity.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { formatSigned, KIND_LABELS } from '#lib/format/wallet/statement.ts'
import type { MailParams } from '#lib/messages/index.ts'
import { endSessionsOfUser, holdsOf, holdWithdrawals, sessionsOf, userEmailOf, users } from '../access/index.ts'
import { listActivity } from '../activity/index.ts'
import { chainAddresses } from '../chains/index.ts'
import { deposits } from '../deposits/index.ts'
import { casesAbout } from '../help/index.ts'
import { identityHistory, readIdentityOf } from '../identity/index.ts'
import { holdingsOf, readStatement } from '../ledger/index.ts'
import { noticesTold } from '../notices/index.ts'
import { orders } from '../orders/index.ts'
import { traderOf } from '../p2p/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { jobStates } from '../platform/jobs/read.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError, decideBriefly, entriesAbout, keepEntry, namesOf, type Staff, staffActor } from '../staff/index.ts'
import { customerGate, withdrawalAddressesTable, withdrawalsOfCustomer, withdrawalsOfTransaction } from '../withdrawals/index.ts'
import { limitRequestsShown } from './limitRequests.ts'
import { nameOf } from './names.ts'

const FOUND = 20
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The first letter of each part: enough to tell two customers apart, too little to write to one. */
export const masked = (email: string) => email.replace(/^(.)[^@]*@(.).*$/, '$1…@$2…')

type Found = DeskAnswer<'findCustomers'>

/** By e-mail, customer, withdrawal, order or payment reference, address, transaction or nickname, each exactly as it is named. */
export async function findCustomers({ db }: Context, q: string): Promise<Found> {
  if (q === '') return []
  const columns = { id: users.id, email: users.email, since: users.createdAt }
  const of = (ids: string[]) => (ids.length > 0 ? db.select(columns).from(users).where(inArray(users.id, ids)).limit(FOUND) : [])
  const plain = q.replace(/\s/g, '')
  const [byEmail, byId, byOrder, byAddress, byReceiver, byTransaction, byNickname] = await Promise.all([
    db.select(columns).from(users).where(eq(users.email, q.toLowerCase())).limit(1),
    UUID.test(q) ? customersOfId({ db }, q.toLowerCase()) : [],
    db
      .select(columns)
      .from(orders)
      .innerJoin(users, eq(users.id, orders.userId))
      .where(eq(orders.id, plain.toUpperCase()))
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
      .limit(FOUND),
    customersOfTransaction(db, plain).then(of),
    traderOf(db, q).then((id) => of(id ? [id] : []))
  ])
  const all = [
    ...byEmail.map((row) => ({ ...row, foundBy: 'e-mail' })),
    ...byId,
    ...byOrder.map((row) => ({ ...row, foundBy: 'order' })),
    ...byAddress.map((row) => ({ ...row, foundBy: 'deposit address' })),
    ...byReceiver.map((row) => ({ ...row, foundBy: 'withdrawal address' })),
    ...byTransaction.map((row) => ({ ...row, foundBy: 'transaction' })),
    ...byNickname.map((row) => ({ ...row, foundBy: 'nickname' }))
  ]
  const seen = new Set<string>()
  return all
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(({ id, email, since, foundBy }) => ({ id, email: masked(email), since: since.toISOString(), foundBy }))
}

/** Whose deposit or withdrawal a transaction of a chain is. */
async function customersOfTransaction(db: Executor, transactionId: string): Promise<string[]> {
  if (!/^(0x)?[0-9a-fA-F]{16,64}$|^\d{10,20}$/.test(transactionId)) return []
  const named = [...new Set([transactionId, transactionId.toLowerCase()])]
  const came = await db
    .selectDistinct({ userId: deposits.userId })
    .from(deposits)
    .where(and(inArray(deposits.chain, [...CHAINS]), inArray(deposits.transactionId, named)))
    .limit(FOUND)
  const went = await withdrawalsOfTransaction(db, named)
  return [...new Set([...came.map(({ userId }) => userId), ...went])].filter((id) => id !== null)
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

type AskedOf = { id: string; kind?: ActivityKind | 'mail' | undefined; before?: string | undefined }

/** One page with everything: by a kind and older than a cursor, the timeline of that alone. Throws `not_found`. */
export async function customerOf(
  context: Context,
  { activity }: { activity: ActivitySource[] },
  staff: Staff,
  { id, kind, before }: AskedOf
): Promise<DeskAnswer<'getCustomer'>> {
  const { db, clock } = context
  const now = clock()
  const [user] = await db.select({ email: users.email, since: users.createdAt }).from(users).where(eq(users.id, id))
  if (!user) throw new DeskError('not_found')
  const feedKind = kind === 'mail' ? undefined : kind
  const asked = { in: 'USD' as const, limit: LISTED, ...(feedKind && { kind: feedKind }), ...(before && { before }) }
  const [identity, gate, seen, holdings, holds, feed, withdrawals, checks, entries, names, requests, cases] = await Promise.all([
    readIdentityOf(db, id),
    customerGate(db, id, now),
    sessionsOf(db, id, now),
    holdingsOf(db, id),
    holdsOf(db, id),
    kind === 'mail' ? NO_LINES : listActivity(context, activity, { userId: id } as Customer, asked),
    withdrawalsOfCustomer(db, { userId: id }),
    identityHistory(db, id),
    entriesAbout(db, `customer:${id}`),
    namesOf(db),
    limitRequestsShown(context, id),
    casesAbout(db, id)
  ])
  const receivers = new Map(withdrawals.map((row) => [row.id, row]))
  const lines = feed.lines.map((line) => ({ at: line.at, ...toldOf(line, receivers) }))
  const oldest = feed.next ? (feed.lines.at(-1)?.at ?? '') : ''
  const until = before?.split('_')[0]
  const told = kind && kind !== 'mail' ? [] : await mailsOf(db, id, { from: oldest || undefined, before: until })
  // What is no line of the activity stands beside the lines of the same time.
  const beside = [
    ...entries.map(({ at, act, actor, why }) => ({
      at: at.toISOString(),
      kind: act === 'note_customer' ? 'Note' : 'Staff',
      // A reason may name people: it is for those who read the log. A note is for all who serve the customer.
      text: act === 'note_customer' || staff.rights.includes('read_audit') ? why : '',
      ...PLAIN,
      staff: { name: nameOf(names, actor), act }
    })),
    ...checks.map(({ at, type }) => ({ at: at.toISOString(), kind: 'Check', text: type, ...PLAIN })),
    ...cases.map(({ number, state, openedAt }) => ({
      at: openedAt.toISOString(),
      kind: 'Message',
      text: `${number}, ${state}`,
      ...PLAIN,
      link: staff.rights.includes('see_cases') ? `/support?filter=over&c=${number}` : null
    })),
    ...seen.map(({ device, network, method, createdAt, isFirst }) => ({
      at: createdAt.toISOString(),
      kind: 'Sign-in',
      text: `${device}, ${network}, by ${method.replaceAll('_', ' ')}${isFirst ? ', for the first time' : ''}`,
      ...PLAIN
    })),
    { at: user.since.toISOString(), kind: 'Account', text: 'Opened', ...PLAIN }
  ].filter(({ at }) => at >= oldest && (!before || at < (before.split('_')[0] ?? '')))
  const timeline = [...lines, ...told, ...(kind ? [] : beside)]
  return {
    id,
    email: masked(user.email),
    since: user.since.toISOString(),
    isVerified: identity?.review.reviewStatus === 'completed',
    gate: gate.reason,
    sessions: seen.filter(({ isOpen }) => isOpen).length,
    seen: seen.slice(0, SEEN).map(({ createdAt, lastSeenAt, endedAt, ...session }) => ({
      ...session,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null
    })),
    limitRequests: requests,
    balances: [...holdings].map(([currency, holding]) => ({
      currency,
      kinds: CUSTOMER_KINDS.flatMap((one) => (holding[one] > 0n ? [{ kind: one, amount: holding[one].toString() }] : [])),
      total: CUSTOMER_KINDS.reduce((sum, one) => sum + holding[one], 0n).toString()
    })),
    holds: holds.map(({ id: holdId, reason, why, createdAt, endsAt, releasedAt }) => ({
      id: String(holdId),
      // Names of a list are for those who decide about them.
      reason: reason === 'screening' && !staff.rights.includes('see_hits') ? 'review' : reason,
      why,
      createdAt: createdAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? null,
      releasedAt: releasedAt?.toISOString() ?? null,
      isOpen: releasedAt === null && (endsAt === null || endsAt > now)
    })),
    timeline: timeline.toSorted((one, other) => other.at.localeCompare(one.at)),
    next: kind === 'mail' ? (told.length === MAILS ? `${told.at(-1)?.at}_notice:${told.at(-1)?.id}` : null) : feed.next
  }
}

/** What is no withdrawal, payment, or mail, and nobody of staff did. */
const PLAIN = { link: null, staff: null, mail: null }
const NO_LINES = { lines: [], next: null }
const MAILS = 50
const SEEN = 10

/** Mails and notices of a time, newest first. */
async function mailsOf(db: Executor, userId: string, window: { from?: string | undefined; before?: string | undefined }) {
  const told = await noticesTold(db, userId, { ...window, limit: MAILS })
  const states = await jobStates(
    db,
    told.map(({ jobId }) => jobId)
  )
  return told.map(({ id, at, title, openedAt, jobId, mayRepeat }) => ({
    id,
    at: at.toISOString(),
    kind: 'Mail',
    text: `“${title}”, ${states.get(jobId) ?? 'sent'}${openedAt ? ', opened' : ''}`,
    ...PLAIN,
    mail: mayRepeat ? id : null
  }))
}

type Line = Awaited<ReturnType<typeof listActivity>>['lines'][number]
type Withdrawals = Map<string, Awaited<ReturnType<typeof withdrawalsOfCustomer>>[number]>

/** A line of the activity as staff read it: with every digit, the reference and the receiver. */
function toldOf(line: Line, receivers: Withdrawals) {
  const { title, details, state } = showActivity(line)
  const id = line.id.split(/:(.*)/s)[1] ?? ''
  const amount = findToken(line.currency) ? `${formatExactUnits(line.amount, line.currency)} ${line.currency}` : undefined
  const receiver = line.kind === 'withdrawal' ? receivers.get(id)?.receiver : undefined
  const parts = [title, amount, details, receiver && `to ${receiver}`, line.orderId, state?.label.toLowerCase()]
  return {
    kind: KINDS[line.kind],
    text: parts.filter(Boolean).join(', '),
    link:
      line.kind === 'withdrawal'
        ? `/withdrawals?filter=all&w=${id}`
        : line.kind === 'payment'
          ? `/payments?filter=all&p=${id}`
          : null,
    staff: null,
    mail: null
  }
}

const KINDS: Record<ActivityKind, string> = {
  purchase: 'Order',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  trade: 'Trade',
  transfer: 'Move',
  reward: 'Reward',
  payment: 'Payment'
}

/** The lines of the books that add up to what the customer has of a token, each with the balance after it. Throws `not_found`. */
export async function explainBalance(
  context: Context,
  { id, currency, before }: { id: string; currency: string; before?: string | undefined }
): Promise<DeskAnswer<'explainBalance'>> {
  if (!findToken(currency) || !(await userEmailOf(context.db, id))) throw new DeskError('not_found')
  const asked = { currency, account: 'total', limit: LISTED, ...(before && { before }) } as const
  const { balance, lines, next } = await readStatement(context, { userId: id } as Customer, asked)
  return {
    currency,
    balance,
    lines: lines.map(({ id: lineId, at, kind, amount, balanceAfter, counterpart, orderId }) => ({
      id: lineId,
      at,
      what: KIND_LABELS[kind],
      amount: formatSigned(amount, currency),
      after: formatExactUnits(balanceAfter, currency),
      with: counterpart.owner === 'customer' ? 'another customer' : `the house: ${counterpart.account.replaceAll('_', ' ')}`,
      orderId
    })),
    next
  }
}

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

type ToldName = 'accountHeld' | 'holdReleased' | 'identityAgain' | 'limitRaised' | 'limitRefused'

export async function tell<Name extends ToldName>(
  work: Work,
  userId: string,
  name: Name,
  params: MailParams<Name>
): Promise<void> {
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
