/** The steps before signing: the customer confirms a new address, or cancels; an operator approves or rejects. */
import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { CANCELLABLE } from '#lib/domain/withdrawals/withdrawal.ts'
import { users } from '../access/index.ts'
import { type Actor, actorText, type Customer, customerActor, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { PrivateKey } from '../platform/ed25519.ts'
import { AppError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type PasskeyAnswer, thoseWhoMay } from '../staff/index.ts'
import { approvalText } from './approval.ts'
import { keepDecision, lockWithdrawal, type Made, takeBack } from './end.ts'
import { CONFIRM_SECONDS, readLinkToken } from './link.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawalDecisions, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

/** The withdrawal that the page behind the link shows. Throws `link_invalid`. */
export async function withdrawalOfLink(context: Context, token: string): Promise<WithdrawalRow> {
  const [row] = await context.db
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.id, await readLinkToken(context, token)))
  if (!row) throw new AppError('link_invalid')
  return row
}

/**
 * Confirms the address of a withdrawal by the link of its mail, or cancels the withdrawal; returns it as it is then. Throws
 * `link_invalid`, also if it is too late.
 */
export async function answerLink(
  context: Context,
  { limits }: WithdrawalSettings,
  { token, isConfirmed }: { token: string; isConfirmed: boolean }
): Promise<WithdrawalRow> {
  const id = await readLinkToken(context, token)
  return transact(context, async (work) => {
    if (!isConfirmed) {
      const actor = systemActor('mail-link')
      const made = { decision: 'cancelled', actor, why: 'Cancelled by the link of the mail.' } as const
      const ended = await takeBack(context, work, id, made)
      if (!ended) throw new AppError('link_invalid')
      return ended
    }
    const row = await lockWithdrawal(work, id, ['unconfirmed'])
    if (!row) throw new AppError('link_invalid')
    return confirmAddress(work, row, limits.approvalAboveCents)
  })
}

async function confirmAddress(work: Work, row: WithdrawalRow, approvalAboveCents: bigint): Promise<WithdrawalRow> {
  const { tx, now } = work
  const isBig = row.usdCents > approvalAboveCents
  const step = isBig ? { state: 'review' as const } : { state: 'approved' as const, approvedAt: now }
  await tx.update(withdrawalAddresses).set({ confirmedAt: now }).where(eq(withdrawalAddresses.id, row.addressId))
  await tx.update(withdrawals).set(step).where(eq(withdrawals.id, row.id))
  await keepDecision(work, row.id, {
    decision: 'confirmed',
    actor: systemActor('mail-link'),
    why: 'Confirmed by the link of the mail.'
  })
  return { ...row, ...step }
}

/**
 * Throws `withdrawal_not_found`, and `withdrawal_not_cancellable` once it is signed or over. While its chain shows something that nobody can
 * explain, it may be this withdrawal's payment: then the wish is kept and the signer answers it; throws `withdrawal_cancel_asked`.
 */
export async function cancelWithdrawal(context: Context, customer: Customer, id: string): Promise<void> {
  const isAsked = await transact(context, async (work) => {
    const [row] = await work.tx
      .select({ id: withdrawals.id })
      .from(withdrawals)
      .where(and(eq(withdrawals.id, id), eq(withdrawals.userId, customer.userId)))
    if (!row) throw new AppError('withdrawal_not_found')
    if (await takeBack(context, work, id, { ...BY_CUSTOMER, actor: customerActor(customer) })) return false
    const [asked] = await work.tx
      .update(withdrawals)
      .set({ cancelAskedAt: sql`coalesce(${withdrawals.cancelAskedAt}, ${work.now.toISOString()}::timestamptz)` })
      .where(and(eq(withdrawals.id, id), inArray(withdrawals.state, [...CANCELLABLE])))
      .returning({ id: withdrawals.id })
    if (!asked) throw new AppError('withdrawal_not_cancellable')
    return true
  })
  if (isAsked) throw new AppError('withdrawal_cancel_asked')
}

const BY_CUSTOMER = { decision: 'cancelled', why: 'Cancelled by the customer.' } as const

/** Gives back what customers asked to cancel and the signer has cleared. Runs in the worker: the signer books nothing. */
export async function endCleared(context: Context): Promise<void> {
  const cleared = await context.db
    .select({ id: withdrawals.id, userId: withdrawals.userId })
    .from(withdrawals)
    .where(and(isNotNull(withdrawals.cancelClearedAt), inArray(withdrawals.state, [...CANCELLABLE])))
    .limit(EXPIRED_AT_ONCE)
  for (const row of cleared)
    await transact(context, (work) =>
      takeBack(context, work, row.id, { ...BY_CUSTOMER, actor: customerActor(row) }, { isCleared: true })
    )
}

/**
 * Locks the unsigned withdrawals of a customer whose account somebody else may have used, and returns their ids. The caller has locked
 * the customer's row.
 */
export async function lockUnsignedOf({ tx }: Work, userId: string): Promise<string[]> {
  const open = await tx
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.userId, userId), inArray(withdrawals.state, [...CANCELLABLE])))
    .orderBy(asc(withdrawals.id))
    .for('update')
  return open.map(({ id }) => id)
}

/**
 * Cancels these withdrawals. While a chain shows a payment of ours that nobody knows, nothing is given back: its withdrawals go to
 * `review`, so that they are not signed before an operator has looked.
 */
export async function endUnsigned(context: Context, work: Work, ids: string[]): Promise<void> {
  const made = {
    decision: 'cancelled',
    actor: systemActor('access'),
    why: 'The customer reported that somebody else had signed in.'
  } as const
  for (const id of ids) {
    if (await takeBack(context, work, id, made)) continue
    await work.tx
      .update(withdrawals)
      .set({ state: 'review', approvedAt: null })
      .where(and(eq(withdrawals.id, id), inArray(withdrawals.state, [...CANCELLABLE])))
  }
}

type ByOperator = { id: string; actor: Actor; why: string }

/** `approved`: by as many persons as the house wants. `one_more`: another person must do the same. */
export type Approval = 'approved' | 'one_more' | 'not_waiting' | 'approved_before'

/**
 * Approves a withdrawal with a key in a file, whose signature the signer checks against its list. `twoAboveCents`: above it, a second person
 * must approve it too.
 */
export function approveWithdrawal(
  context: Context,
  settings: Pick<WithdrawalSettings, 'networkNames'>,
  { id, actor, why, key, twoAboveCents }: ByOperator & { key: PrivateKey; twoAboveCents: bigint }
): Promise<Approval> {
  return transact(context, (work) =>
    approveOnce(work, { id, actor, why, twoAboveCents }, (row) => ({ signature: key.sign(approvalText(settings, row)) }))
  )
}

/** The same with a passkey's answer to `challengeOfApproval`. It stays as long as it says; then the person approves again. */
export function approveByPasskey(
  work: Work,
  { id, actor, why, answer, twoAboveCents }: ByOperator & { answer: PasskeyAnswer; twoAboveCents: bigint }
): Promise<Approval> {
  return approveOnce(work, { id, actor, why, twoAboveCents }, () => ({ passkey: answer }))
}

async function approveOnce(
  work: Work,
  { id, actor, why, twoAboveCents }: ByOperator & { twoAboveCents: bigint },
  proofOf: (row: WithdrawalRow) => Pick<Made, 'signature' | 'passkey'>
): Promise<Approval> {
  const row = await lockWithdrawal(work, id, ['review'])
  if (!row) return 'not_waiting'
  const { persons, wanted } = roundOf(await approvalsOf(work.tx, [id], work.now), approvalsWanted(row, twoAboveCents))
  if (persons.has(actorText(actor))) return 'approved_before'
  await keepDecision(work, id, { decision: 'approved', actor, why, wanted, ...proofOf(row) })
  if (persons.size + 1 < wanted) return 'one_more'
  await work.tx.update(withdrawals).set({ state: 'approved', approvedAt: work.now }).where(eq(withdrawals.id, id))
  return 'approved'
}

/** How many persons the house wants; the signer counts by itself. */
export const approvalsWanted = ({ usdCents }: Pick<WithdrawalRow, 'usdCents'>, twoAboveCents: bigint) =>
  usdCents > twoAboveCents ? 2 : 1

/**
 * The persons whose approvals count now, and how many it takes. Where enough had approved it and it waits again, the signer did not take their
 * approvals: it begins anew, with two, because the signer may want more than the house does.
 */
export function roundOf(
  approvals: { actor: string; wanted: number | null }[],
  wanted: number
): { persons: Set<string>; wanted: number } {
  const persons = new Set<string>()
  let isSentBack = false
  for (const made of approvals) {
    persons.add(made.actor)
    if (persons.size < (made.wanted ?? wanted)) continue
    persons.clear()
    isSentBack = true
  }
  return { persons, wanted: isSentBack ? Math.max(wanted, 2) : wanted }
}

/** Approvals of these withdrawals that are still valid, oldest first: those of persons who may approve now, and have not expired. */
export async function approvalsOf(db: Executor, ids: string[], now: Date) {
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(withdrawalDecisions)
    .where(and(inArray(withdrawalDecisions.withdrawalId, ids), eq(withdrawalDecisions.decision, 'approved')))
    .orderBy(asc(withdrawalDecisions.id))
  // A row without a signature is nobody's approval.
  const valid = rows.filter(({ passkey, signature }) =>
    passkey ? Number(passkey.expires) * 1000 > now.getTime() : signature !== null
  )
  const persons = [...new Set(valid.flatMap(({ actor }) => STAFF_ID.exec(actor)?.[1] ?? []))]
  const able = await thoseWhoMay(db, persons, 'approve_withdrawal')
  return valid.filter(
    ({ actor, passkey }) => (passkey === null && !STAFF_ID.test(actor)) || able.has(STAFF_ID.exec(actor)?.[1] ?? '')
  )
}
/** A person of the desk. The command keeps the name of somebody who is none. */
const STAFF_ID = /^staff:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** False if it is signed or over. The customer reads `why`. */
export async function rejectWithin(context: Context, work: Work, { id, actor, why }: ByOperator): Promise<boolean> {
  return (await takeBack(context, work, id, { decision: 'rejected', actor, why })) !== undefined
}

/** The same, in a transaction of its own. */
export function rejectWithdrawal(context: Context, made: ByOperator): Promise<boolean> {
  return transact(context, (work) => rejectWithin(context, work, made))
}

/** Withdrawals that are not over, oldest first, with their customers. */
export function openWithdrawals({ db }: Pick<Context, 'db'>) {
  return db
    .select({ withdrawal: withdrawals, email: users.email })
    .from(withdrawals)
    .innerJoin(users, eq(users.id, withdrawals.userId))
    .where(inArray(withdrawals.state, ['unconfirmed', 'review', 'approved', 'signed']))
    .orderBy(asc(withdrawals.requestedAt))
    .limit(LISTED)
}
const LISTED = 500

const EVERY_SECONDS = 60
const EXPIRED_AT_ONCE = 100

/** Cancels withdrawals whose new address was not confirmed while the link was valid. */
export async function expireUnconfirmed(context: Context): Promise<void> {
  const { db, clock } = context
  const before = new Date(clock().getTime() - CONFIRM_SECONDS * 1000)
  const expired = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.state, 'unconfirmed'), lt(withdrawals.requestedAt, before), isNull(withdrawals.endedAt)))
    .limit(EXPIRED_AT_ONCE)
  const made = {
    decision: 'cancelled',
    actor: systemActor('withdrawals'),
    why: 'The address was not confirmed within 24 hours.'
  } as const
  for (const { id } of expired)
    await transact(context, (work) =>
      // Not one that was confirmed meanwhile.
      takeBack(context, work, id, made, { states: ['unconfirmed'] })
    )
}

export function expiryJob(context: Context): JobKind {
  return { name: 'withdrawals_unconfirmed', role: 'worker', everySeconds: EVERY_SECONDS, run: () => expireUnconfirmed(context) }
}

export function clearedJob(context: Context): JobKind {
  return { name: 'withdrawals_cleared', role: 'worker', everySeconds: CLEARED_EVERY_SECONDS, run: () => endCleared(context) }
}
const CLEARED_EVERY_SECONDS = 5
