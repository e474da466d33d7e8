/** A customer as staff see them, without a name: everything that happened, and what explains a balance. */
import { eq } from 'drizzle-orm'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import type { ActivityKind } from '#lib/domain/activity/kinds.ts'
import { CUSTOMER_KINDS } from '#lib/domain/ledger/holdings.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { showActivity } from '#lib/format/activity/activity.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatSigned, KIND_LABELS } from '#lib/format/wallet/statement.ts'
import { holdsOf, sessionsOf, userEmailOf, users } from '../access/index.ts'
import { listActivity } from '../activity/index.ts'
import { casesAbout } from '../help/index.ts'
import { identityHistory, readIdentityOf } from '../identity/index.ts'
import { holdingsOf, readStatement } from '../ledger/index.ts'
import { noticesTold } from '../notices/index.ts'
import type { ActivitySource } from '../platform/activitySource.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { jobStates } from '../platform/jobs/read.ts'
import { DeskError, entriesAbout, namesOf, type Staff } from '../staff/index.ts'
import { customerGate, withdrawalsOfCustomer } from '../withdrawals/index.ts'
import { limitRequestsShown } from './limitRequests.ts'
import { masked, nameOf } from './names.ts'

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
