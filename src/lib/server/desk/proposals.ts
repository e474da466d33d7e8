/** What two persons decide, as the desk lists, shows and decides it. */
import type { Context } from '../platform/context.ts'
import {
  type ActOf,
  approveProposal,
  type DeskActs,
  DeskError,
  factsNow,
  findProposal,
  listProposals,
  namesOf,
  rejectProposal,
  repeatProposal
} from '../staff/index.ts'
import { carryStateOf } from './carried.ts'
import { carriedActs } from './houseActs.ts'
import { shownProposal } from './present.ts'
import type { DeskHandlers } from './types.ts'

type ProposalCall = 'listProposals' | 'getProposal' | 'approveProposal' | 'rejectProposal' | 'repeatProposal'

/** `actOf`: the act of a right, among `acts`. */
export function proposalHandlers(context: Context, acts: DeskActs, actOf: ActOf): Pick<DeskHandlers, ProposalCall> {
  return {
    listProposals: async ({ query, staff }) => {
      const [list, names] = await Promise.all([listProposals(context, query.filter, staff.rights), namesOf(context.db)])
      // A list needs no plan and no fact.
      return list.map((proposal) => ({ ...shownProposal(proposal, { names, staff, acts }), plan: [], facts: [] }))
    },
    getProposal: async ({ params, staff }) => {
      const [proposal, names] = await Promise.all([findProposal(context, params.id), namesOf(context.db)])
      // A proposal names people and reasons: it is read by those who may decide it.
      if (!staff.rights.includes(proposal.act)) throw new DeskError('not_found')
      const now = proposal.state === 'open' ? await factsNow(context, actOf(proposal.act), proposal) : undefined
      const carried = await carryStateOf(context, carriedActs, proposal)
      return shownProposal(proposal, { names, staff, acts, now, carried })
    },
    approveProposal: async ({ staff, params, body }) => {
      const { isByWorker } = await approveProposal(context, staff, actOf, { id: params.id, why: body.why })
      return { message: isByWorker ? 'Approved. It is carried out within a minute.' : 'Approved, and carried out.' }
    },
    rejectProposal: async ({ staff, params, body }) => {
      await rejectProposal(context, staff, actOf, { id: params.id, why: body.why })
      return { message: 'Rejected. Nothing was changed.' }
    },
    repeatProposal: async ({ staff, params, body }) => ({
      proposalId: await repeatProposal(context, staff, actOf, { id: params.id, why: body.why })
    })
  }
}
