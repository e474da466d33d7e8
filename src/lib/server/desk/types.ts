/** What a call of the desk gets and answers, and how it proposes what two persons decide. */
import type { DeskCallName } from '#lib/contract/desk/calls.ts'
import type { DeskAnswer, DeskInput } from '#lib/contract/desk/shapes.ts'
import type { Site } from '../platform/webauthn.ts'
import type { DeskActs, Evidence, Opened, Staff } from '../staff/index.ts'

/** `evidence`: of a call with `passkey: 'act'`. `staff`: of a call for staff. */
type DeskCall<K extends DeskCallName> = DeskInput<K> & { site: Site; staff: Staff; evidence: Evidence }
/** `session`: a cookie to set; `isOver`: the cookie is to be forgotten. */
type DeskAnswered<K extends DeskCallName> = { data: DeskAnswer<K>; session?: Opened; isOver?: true }
export type DeskHandlers = { [K in DeskCallName]: (call: DeskCall<K>) => Promise<DeskAnswer<K> | DeskAnswered<K>> }

/** Proposes an act that two persons decide. `right`: the right to propose it; `input`: what is proposed. */
export type Propose<R extends keyof DeskActs, Input = Record<string, unknown>> = (
  staff: Staff,
  right: R,
  input: Input,
  why: string
) => Promise<{ proposalId: string }>
