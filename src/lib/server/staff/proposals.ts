/**
 * What two persons decide. A proposal carries its act out on trial, takes everything back, and keeps what it would do and the facts that it
 * was decided by. Another person's approval compares the facts and carries the act out in the same transaction.
 */
import { randomUUID } from 'node:crypto'
import { and, eq, inArray, lte } from 'drizzle-orm'
import { deskSentence } from '#lib/contract/desk/errors.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import type { Context } from '../platform/context.ts'
import { databaseError } from '../platform/db/faults.ts'
import { AppError } from '../platform/errors.ts'
import type { Work } from '../platform/transaction.ts'
import { keepEntry } from './audit.ts'
import { decideBriefly, lockFor, transactBriefly } from './decide.ts'
import { DeskError } from './failure.ts'
import { findProposal, type Proposal } from './proposalList.ts'
import { type Facts, type PlanLine, staff, staffProposals } from './schema.ts'
import type { ActOf, AnyAct, Decided } from './twoPersons.ts'
import { lockPeople, mayStill, requireRight, requireRole, requireStill, type Staff, staffActor } from './who.ts'

/** Undoes a trial. */
class TrialOver extends Error {
  override name = 'TrialOver'
}

const UNIQUE_VIOLATION = '23505'

/** What an act would do, and the facts that it is decided by. Nothing of it stays. */
async function tryOut(
  context: Context,
  act: AnyAct,
  input: unknown,
  decided: Decided
): Promise<{ facts: Facts; plan: PlanLine[] }> {
  let found: { facts: Facts; plan: PlanLine[] } | undefined
  try {
    await transactBriefly(context, async (work) => {
      await lockPeople(work, lockFor(act.right))
      const facts = await act.facts(work, input as never)
      found = { facts, plan: await act.run(work, input as never, decided) }
      throw new TrialOver()
    })
  } catch (error) {
    if (!(error instanceof TrialOver)) throw error
  }
  if (!found) throw new Error('A trial ended without a result')
  return found
}

function requireOther(by: Staff, act: AnyAct, input: unknown): void {
  if (act.personOf?.(input as never) === by.id) throw new DeskError('own_account')
}

/** Throws what the act refuses, `right_missing`, `own_account`, `proposal_open`, `busy`. Returns the proposal's id. */
export async function propose(
  context: Context,
  by: Staff,
  act: AnyAct,
  { input, why, replaces }: { input: Record<string, unknown>; why: string; replaces?: string }
): Promise<string> {
  requireRight(by, act.right)
  requireOther(by, act, input)
  const subject = act.subjectOf(input as never)
  const { facts, plan } = await tryOut(context, act, input, { by, proposer: by.id, why, proposal: '' })
  const id = randomUUID()
  try {
    await decideBriefly(context, by, act.right, async (work) => {
      const { tx, now } = work
      await lapse(work)
      if (replaces !== undefined) {
        const replaced = await tx
          .update(staffProposals)
          .set({ state: 'replaced' })
          .where(and(eq(staffProposals.id, replaces), inArray(staffProposals.state, ['open', 'lapsed'])))
          .returning({ id: staffProposals.id })
        if (replaced.length === 0) throw new DeskError('proposal_over')
      }
      const expiresAt = new Date(now.getTime() + PROPOSAL_SECONDS * 1000)
      const row = { id, act: act.right, subject, input, facts, plan, why, proposedBy: by.id, proposedAt: now, expiresAt }
      await tx.insert(staffProposals).values({ ...row, state: 'open' })
      await keepEntry(work, {
        actor: staffActor(by),
        act: `propose:${act.right}`,
        subject,
        why,
        details: { proposal: id, ...loggedOf(act, input, plan), facts, ...(replaces && { replaces }) }
      })
    })
  } catch (error) {
    if (databaseError(error).code === UNIQUE_VIOLATION) throw new DeskError('proposal_open')
    throw error
  }
  return id
}

/** For the log: input and plan, or what the act says instead. */
const loggedOf = (act: AnyAct, input: Record<string, unknown>, plan: PlanLine[]) =>
  act.logged ? { input: act.logged(input as never) } : { input, plan }

/** Ends proposals whose day is over. */
async function lapse({ tx, now }: Work): Promise<void> {
  await tx
    .update(staffProposals)
    .set({ state: 'lapsed' })
    .where(and(eq(staffProposals.state, 'open'), lte(staffProposals.expiresAt, now)))
}

async function lockOpen({ tx, now }: Work, id: string): Promise<Proposal> {
  const [proposal] = await tx.select().from(staffProposals).where(eq(staffProposals.id, id)).for('update')
  if (!proposal) throw new DeskError('not_found')
  if (proposal.state !== 'open' || proposal.expiresAt <= now) throw new DeskError('proposal_over')
  return proposal
}

const textOf = (plan: PlanLine[]) => JSON.stringify(plan.map(({ what, value }) => [what, value]))

/** The facts that are not as they were, in words. */
export function changesOf(then: Facts, now: Facts): string[] {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return names
    .filter((name) => then[name] !== now[name])
    .map((name) => `${name} was ${then[name] ?? 'unknown'} and is ${now[name] ?? 'gone'}`)
}

/** Who proposed it must still have the right: what a person may not propose any more, nobody approves for them. */
async function proposerChanges({ tx }: Work, act: AnyAct, { proposedBy }: Proposal): Promise<string[]> {
  if (await mayStill(tx, proposedBy, act.right)) return []
  const [proposer] = await tx.select({ name: staff.name }).from(staff).where(eq(staff.id, proposedBy))
  return [`${proposer?.name ?? 'the proposer'} has no right to this any more`]
}

/**
 * Carries a proposal out. Throws `own_proposal`, `right_missing`, `own_account`, `proposal_over`, `facts_changed` with what changed, and
 * `act_refused` where the act itself is refused: then the proposal has failed, and nothing else happened.
 */
export async function approveProposal(
  context: Context,
  by: Staff,
  actOf: ActOf,
  { id, why }: { id: string; why: string }
): Promise<{ isByWorker: boolean }> {
  // What it is about does not change, so that its locks are taken in the right order.
  const { act: right } = await findProposal(context, id)
  const isByWorker = actOf(right).isByWorker ?? false
  try {
    await decideBriefly(context, by, right, async (work) => {
      const proposal = await lockOpen(work, id)
      const act = actOf(right)
      if (proposal.proposedBy === by.id) throw new DeskError('own_proposal')
      requireOther(by, act, proposal.input)
      await requireRole(work, by, act.approverRole)
      const changed = [
        ...(await proposerChanges(work, act, proposal)),
        ...changesOf(proposal.facts, await act.facts(work, proposal.input as never))
      ]
      if (changed.length > 0) throw new DeskError('facts_changed', { params: { changed: changed.join('; ') } })
      const decided = { by, proposer: proposal.proposedBy, why: proposal.why, proposal: id }
      const outcome = await act.run(work, proposal.input as never, decided)
      if (textOf(outcome) !== textOf(proposal.plan))
        throw new DeskError('facts_changed', { params: { changed: 'it would do something else than was tried' } })
      await work.tx
        .update(staffProposals)
        .set({ state: 'approved', outcome, decidedBy: by.id, decidedAt: work.now, decisionWhy: why })
        .where(eq(staffProposals.id, id))
      const details = { proposal: id, proposedBy: proposal.proposedBy, ...loggedOf(act, proposal.input, outcome) }
      await keepEntry(work, { actor: staffActor(by), act: `approve:${act.right}`, subject: proposal.subject, why, details })
    })
    return { isByWorker }
  } catch (error) {
    const refused = refusalOf(error)
    if (!refused) throw error
    await keepFailed(context, by, id, refused)
    throw new DeskError('act_refused', { params: { why: refused } })
  }
}

/** What the act itself refuses. Everything else is about the person or the proposal, which then stays as it is. */
const FAILURES = [
  'file_outdated',
  'file_not_to_close',
  'payment_refused',
  'wallet_refused',
  'hold_of_name',
  'price_not_doubted',
  'house_refused',
  'limit_request_over',
  'limit_not_possible',
  'hit_decided',
  'file_not_to_send',
  'person_exists',
  'person_stopped',
  'last_admin',
  'chain_not_halted',
  'invalid_fields'
]

function refusalOf(error: unknown): string | undefined {
  if (error instanceof DeskError)
    return FAILURES.includes(error.code) ? (error.params.why ?? deskSentence(error.code, error.params)) : undefined
  return error instanceof AppError ? `The reason is “${error.code.replaceAll('_', ' ')}”.` : undefined
}

async function keepFailed(context: Context, by: Staff, id: string, refused: string): Promise<void> {
  await decideBriefly(context, by, 'none', async (work) => {
    const proposal = await lockOpen(work, id)
    await work.tx
      .update(staffProposals)
      .set({ state: 'failed', decidedBy: by.id, decidedAt: work.now, decisionWhy: refused })
      .where(eq(staffProposals.id, id))
    const details = { proposal: id, refused }
    await keepEntry(work, { actor: staffActor(by), act: `fail:${proposal.act}`, subject: proposal.subject, why: '', details })
  })
}

/** Rejects a proposal, or withdraws one's own. Throws `right_missing`, `proposal_over`. */
export async function rejectProposal(
  context: Context,
  by: Staff,
  actOf: ActOf,
  { id, why }: { id: string; why: string }
): Promise<void> {
  await decideBriefly(context, by, 'none', async (work) => {
    const proposal = await lockOpen(work, id)
    const act = actOf(proposal.act)
    if (proposal.proposedBy !== by.id) {
      await requireStill(work, by, act.right)
      requireOther(by, act, proposal.input)
    }
    await work.tx
      .update(staffProposals)
      .set({ state: 'rejected', decidedBy: by.id, decidedAt: work.now, decisionWhy: why })
      .where(eq(staffProposals.id, id))
    const details = { proposal: id, proposedBy: proposal.proposedBy }
    await keepEntry(work, { actor: staffActor(by), act: `reject:${proposal.act}`, subject: proposal.subject, why, details })
  })
}

/** Proposes the same with the facts of now; the old one stays readable. Throws as `propose`. */
export async function repeatProposal(
  context: Context,
  by: Staff,
  actOf: ActOf,
  { id, why }: { id: string; why: string }
): Promise<string> {
  const proposal = await findProposal(context, id)
  const { act, input, state } = proposal
  if (state === 'approved' || state === 'rejected' || state === 'replaced') throw new DeskError('proposal_over')
  return propose(context, by, actOf(act), { input, why, ...(state !== 'failed' && { replaces: id }) })
}

/** The facts of an open proposal as they are now, on trial. Undefined if the act would be refused now. */
export async function factsNow(context: Context, act: AnyAct, { input, proposedBy, why }: Proposal): Promise<Facts | undefined> {
  try {
    return (await tryOut(context, act, input, { by: { id: proposedBy }, proposer: proposedBy, why, proposal: '' })).facts
  } catch (error) {
    if (error instanceof DeskError || error instanceof AppError) return undefined
    throw error
  }
}
