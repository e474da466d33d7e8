/** The ends of a withdrawal: taken back before it is signed, or decided by the chain. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { CANCELLABLE, type WithdrawalState } from '#lib/domain/withdrawals/withdrawal.ts'
import { isSuspicious, type SendListener } from '../chains/index.ts'
import { customerAccount, house, post, type Transfer } from '../ledger/index.ts'
import { type Actor, actorText, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Work } from '../platform/transaction.ts'
import type { PasskeyAnswer } from '../staff/index.ts'
import { tellEnded } from './mails.ts'
import { type WithdrawalRow, withdrawalDecisions, withdrawals } from './schema.ts'

type Decision = (typeof withdrawalDecisions.$inferInsert)['decision']
export type Made = { decision: Decision; actor: Actor; why: string; signature?: string; passkey?: PasskeyAnswer; wanted?: number }

export async function keepDecision({ tx, now }: Work, withdrawalId: string, { actor, ...made }: Made): Promise<void> {
  await tx.insert(withdrawalDecisions).values({ withdrawalId, ...made, actor: actorText(actor), decidedAt: now })
}

/** Locks the row and returns it, if it is in one of these states. */
export async function lockWithdrawal(
  { tx }: Work,
  id: string,
  states: readonly WithdrawalState[]
): Promise<WithdrawalRow | undefined> {
  const [row] = await tx
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.id, id), inArray(withdrawals.state, [...states])))
    .for('update')
  return row
}

/** The row is over already, in this transaction. */
async function giveBack({ tx, now }: Work, { id }: WithdrawalRow, actor: Actor): Promise<void> {
  await tx.execute(sql`select withdrawals_give_back(${id}::uuid, ${actorText(actor)}, ${now.toISOString()}::timestamptz)`)
}

/**
 * Takes back a withdrawal that is not signed. Undefined if it is too late, or if only an operator may decide. `states`: where fewer may be taken
 * back than all that are not signed.
 */
export async function takeBack(
  context: Context,
  work: Work,
  id: string,
  made: Made & { decision: 'cancelled' | 'rejected' },
  { isCleared = false, states = CANCELLABLE }: { isCleared?: boolean; states?: readonly WithdrawalState[] } = {}
): Promise<WithdrawalRow | undefined> {
  const row = await lockWithdrawal(work, id, states)
  if (!row) return undefined
  // The chain shows a payment that nobody knows, which may be this one: only an operator or the signer may say that it is not.
  const isKnown = isCleared ? row.cancelClearedAt !== null : made.actor.kind === 'staff'
  if (!isKnown && (await isSuspicious(work.tx, row.chain))) return undefined
  const ended = { state: made.decision, waits: null, endedAt: work.now }
  await work.tx.update(withdrawals).set(ended).where(eq(withdrawals.id, id))
  await giveBack(work, row, made.actor)
  await keepDecision(work, id, made)
  await tellEnded(context, work, { ...row, ...ended }, made.why)
  return { ...row, ...ended }
}

/** Ends a withdrawal that the chain has settled: it is paid, or given back because it can no longer be paid. */
export function withdrawalListener(context: Context): SendListener {
  return async (work, send, attempt) => {
    if (send.purpose !== 'withdrawal') return
    const { tx, now } = work
    const row = await lockWithdrawal(work, send.id, ['signed'])
    if (!row) throw new Error(`There is no withdrawal of send ${send.id}`)
    const isPaid = send.state === 'confirmed'
    const ended = {
      state: isPaid ? ('confirmed' as const) : ('given_back' as const),
      transactionId: attempt?.transactionId ?? null,
      endedAt: now
    }
    await tx.update(withdrawals).set(ended).where(eq(withdrawals.id, row.id))
    if (isPaid) await bookPaid(work, row)
    else if (attempt?.isUndone) await giveBackRest(work, row)
    else await giveBack(work, row, systemActor('chains'))
    await tellEnded(context, work, { ...row, ...ended }, attempt?.isUndone ? 'undone' : '')
  }
}

/**
 * The payment was reverted in its block, e.g. refused by the receiver, and the network took its fee: the amount less our fee goes back,
 * to funding first.
 */
async function giveBackRest({ tx, now }: Work, { id, userId, currency, amount, fee, fromFunding }: WithdrawalRow): Promise<void> {
  const source = customerAccount(userId, 'outgoing')
  const back = amount - fee
  const funding = fromFunding < back ? fromFunding : back
  const parts: [Transfer['destination'], bigint][] = [
    [customerAccount(userId, 'funding'), funding],
    [customerAccount(userId, 'spot'), back - funding],
    [house('fees'), fee]
  ]
  await post(tx, {
    reason: 'withdrawal_returned',
    source: { type: 'withdrawal', id },
    reference: `withdrawal:${id}:back`,
    actor: systemActor('chains'),
    transfers: parts.flatMap(([destination, part]) => (part > 0n ? [{ source, destination, currency, amount: part }] : [])),
    at: now
  })
}

async function bookPaid({ tx, now }: Work, { id, userId, currency, amount, fee }: WithdrawalRow): Promise<void> {
  const source = customerAccount(userId, 'outgoing')
  await post(tx, {
    reason: 'withdrawal_confirmed',
    source: { type: 'withdrawal', id },
    reference: `withdrawal:${id}:paid`,
    actor: systemActor('chains'),
    transfers: [
      { source, destination: house('chain'), currency, amount: amount - fee },
      { source, destination: house('fees'), currency, amount: fee }
    ],
    at: now
  })
}
