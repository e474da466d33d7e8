/**
 * Acts that two persons decide at the desk and the worker carries out: the desk's database user may not book or change what they are about.
 * The worker reads the decision anew. It does nothing unless two different persons made it who both still have the right, the audit log has it,
 * it is at most a day old, no later one was made about the same, and the facts that were approved still hold.
 */
import { sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Right } from '#lib/domain/staff/rights.ts'
import { PROPOSAL_SECONDS } from '#lib/domain/staff/sessions.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { jobsUnder } from '../platform/jobs/read.ts'
import { transact, type Work } from '../platform/transaction.ts'
import {
  type AnyAct,
  approvedProposals,
  changesOf,
  DeskError,
  findProposal,
  isInLog,
  mayStill,
  type PlanLine,
  type Proposal,
  type Staff,
  staffActor,
  type TwoPersonAct
} from '../staff/index.ts'

const KIND = 'carry_out'
type Payload = { proposal: string }
const keyOf = (proposal: string) => `${KIND}:${proposal}`

/** Who decided, and why. `proposal`: its id, by which it is done once; `why` ends with it. */
type Carried = { actor: Actor; why: string; proposal: string }
export type Carrying = {
  context: Context
  /** `upTo`: the newest stop that was looked at. Throws a RangeError that says why the chain cannot be read on. */
  readOn: (chain: Chain, made: { actor: Actor; why: string; fromHeight: number | undefined; upTo: bigint }) => Promise<void>
}

export type CarriedAct<Input> = Omit<TwoPersonAct<Input>, 'run'> & {
  /** What it will do. Throws what refuses it. */
  plan: (work: Work, input: Input, by: Pick<Staff, 'id'>) => Promise<PlanLine[]>
  /** True if this decision was carried out. */
  isDone: (db: Executor, input: Input, made: Carried) => Promise<boolean>
  /** Does it. Throws where it cannot be done: the job gives up after its tries, and the desk shows the error. */
  carryOut: (parts: Carrying, input: Input, made: Carried) => Promise<void>
}
export type AnyCarried = CarriedAct<never>
export type CarriedActs = Partial<Record<Right, AnyCarried>>

/** Until the transaction ends: a decision is not made while the worker looks whether there is a later one. */
const lockSubject = (tx: Executor, right: Right, subject: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${KIND}:${right}:${subject}`}, 0))`)

async function hasLater(
  context: Context,
  right: Right,
  { subject, decidedAt }: { subject: string; decidedAt: Date }
): Promise<boolean> {
  return transact(context, async ({ tx }) => {
    await lockSubject(tx, right, subject)
    return (await approvedProposals(tx, { right, subject, since: decidedAt })).length > 0
  })
}

/** A second decision about the same is not made before the first one is carried out, has failed, or is too old. Throws `house_refused`. */
async function requireNoneWaiting({ tx, now }: Work, right: Right, subject: string): Promise<void> {
  await lockSubject(tx, right, subject)
  const since = new Date(now.getTime() - PROPOSAL_SECONDS * 1000)
  const approved = await approvedProposals(tx, { right, subject, since })
  const jobs = await jobsUnder(tx, approved.map(keyOf))
  // One that has failed for good is decided anew.
  if (jobs.some(({ failedAt }) => failedAt === null))
    throw new DeskError('house_refused', {
      params: { why: 'An earlier decision about this is not carried out yet: look at its page (Approvals).' }
    })
}

/** The act as the desk runs it. */
export function byWorker({ plan, carryOut: _, isDone: __, ...act }: AnyCarried): AnyAct {
  return {
    ...act,
    isByWorker: true,
    run: async (work, input, { by, proposal }) => {
      await requireNoneWaiting(work, act.right, act.subjectOf(input))
      const lines = await plan(work, input, by)
      if (proposal !== '') await work.enqueue({ kind: KIND, key: keyOf(proposal), payload: { proposal } satisfies Payload })
      return lines
    }
  }
}

export type CarryState = { state: 'done' | 'waits' | 'gave_up'; error: string | null }

/** Its decision as it is kept with what is done; undefined if two different persons have not made it. */
function madeBy({
  id,
  state,
  proposedBy,
  decidedBy,
  decidedAt,
  why
}: Proposal): (Carried & { decidedBy: string; decidedAt: Date }) | undefined {
  if (state !== 'approved' || !decidedBy || !decidedAt || decidedBy === proposedBy) return undefined
  const actor = staffActor({ id: decidedBy })
  return { actor, why: `${why} (with staff:${proposedBy}, proposal ${id})`, proposal: id, decidedBy, decidedAt }
}

/** What became of an approved proposal, by what was done. Null for an act that the worker does not carry out. */
export async function carryStateOf(
  { db }: Pick<Context, 'db'>,
  acts: CarriedActs,
  proposal: Proposal
): Promise<CarryState | null> {
  const [act, made] = [acts[proposal.act], madeBy(proposal)]
  if (!act || !made) return null
  if (await act.isDone(db, proposal.input as never, made)) return { state: 'done', error: null }
  const [job] = await jobsUnder(db, [keyOf(proposal.id)])
  return { state: job && !job.failedAt ? 'waits' : 'gave_up', error: job?.lastError ?? null }
}

export function carryOutJob(acts: CarriedActs, parts: Carrying): JobKind {
  const { context } = parts
  return {
    name: KIND,
    role: 'worker',
    tries: 3,
    run: async (payload) => {
      const decided = await findProposal(context, (payload as Payload).proposal)
      const { act: right, subject, facts, proposedBy, id } = decided
      const [act, made] = [acts[right], madeBy(decided)]
      if (!act || !made) throw new Error(`Proposal ${id} is not one that two persons have approved and the worker carries out`)
      const { decidedBy, decidedAt } = made
      const input = decided.input as never
      if (await act.isDone(context.db, input, made)) return
      const log = { subject, proposal: id }
      const isLogged =
        (await isInLog(context.db, { ...log, act: `propose:${right}`, staffId: proposedBy })) &&
        (await isInLog(context.db, { ...log, act: `approve:${right}`, staffId: decidedBy }))
      if (!isLogged) throw new Error(`The audit log has no decision about proposal ${id}`)
      // Nothing is done any more, and the job ends: a failure that cannot be mended would be an alarm for ever.
      if (context.clock().getTime() - decidedAt.getTime() > PROPOSAL_SECONDS * 1000)
        return context.log.warn({ proposal: id }, 'a decision was not carried out within a day: it must be proposed again')
      if (await hasLater(context, right, { subject, decidedAt }))
        return context.log.warn({ proposal: id }, 'a decision was not carried out: a later one about the same has been made')
      for (const person of [proposedBy, decidedBy])
        if (!(await mayStill(context.db, person, right))) throw new Error(`${person} has no right to ${right} any more`)
      const changed = changesOf(facts, await transact(context, (work) => act.facts(work, input)))
      if (changed.length > 0) throw new Error(`It is not as it was approved: ${changed.join('; ')}`)
      await act.carryOut(parts, input, made)
    }
  }
}
