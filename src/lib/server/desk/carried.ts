/**
 * Acts that two persons decide at the desk and the worker carries out: the desk's database user may not book or change what they are about.
 * The worker reads the decision anew, and does nothing unless two different persons made it who both still have the right.
 */
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Right } from '#lib/domain/staff/rights.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { type AnyAct, findProposal, mayStill, type PlanLine, type Staff, staffActor, type TwoPersonAct } from '../staff/index.ts'

const KIND = 'carry_out'
type Payload = { proposal: string }

/** Who decided, and why. `proposal`: its id, by which it is done once. */
export type Carried = { actor: Actor; why: string; proposal: string }
export type Carrying = {
  context: Context
  /** Throws a RangeError that says why the chain cannot be read from that block. */
  readOn: (chain: Chain, made: { actor: Actor; why: string; fromHeight: number | undefined }) => Promise<void>
}

export type CarriedAct<Input> = Omit<TwoPersonAct<Input>, 'run'> & {
  /** What it will do. Throws what refuses it. */
  plan: (work: Work, input: Input, by: Pick<Staff, 'id'>) => Promise<PlanLine[]>
  /**
   * Does it, once for a proposal. Throws where it cannot be done any more: the job then gives up after its tries, and the page House shows
   * the error.
   */
  carryOut: (parts: Carrying, input: Input, made: Carried) => Promise<void>
}
export type AnyCarried = CarriedAct<never>

/** The act as the desk runs it. */
export function byWorker({ plan, carryOut: _, ...act }: AnyCarried): AnyAct {
  return {
    ...act,
    run: async (work, input, { by, proposal }) => {
      const lines = await plan(work, input, by)
      await work.enqueue({ kind: KIND, payload: { proposal } satisfies Payload })
      return lines
    }
  }
}

export function carryOutJob(acts: Partial<Record<Right, AnyCarried>>, parts: Carrying): JobKind {
  return {
    name: KIND,
    role: 'worker',
    tries: 3,
    run: async (payload) => {
      const {
        act: right,
        state,
        input,
        proposedBy,
        decidedBy,
        why,
        id
      } = await findProposal(parts.context, (payload as Payload).proposal)
      const act = acts[right]
      if (!act || state !== 'approved' || !decidedBy || decidedBy === proposedBy)
        throw new Error(`Proposal ${id} is not one that two persons have approved and the worker carries out`)
      for (const person of [proposedBy, decidedBy])
        if (!(await mayStill(parts.context.db, person, right))) throw new Error(`${person} has no right to ${right} any more`)
      const made = {
        actor: staffActor({ id: decidedBy }),
        why: `${why} (with staff:${proposedBy}, proposal ${id})`,
        proposal: id
      }
      await act.carryOut(parts, input as never, made)
    }
  }
}
