/** Acts that two persons decide: how an act is described. */
import type { Right, StaffRole } from '#lib/domain/staff/rights.ts'
import type { Work } from '../platform/transaction.ts'
import type { Facts, PlanLine } from './schema.ts'
import type { Staff } from './who.ts'

/** Who decides, and why. `proposer`: who proposed it. `proposal`: its id; empty on trial. */
export type Decided = { by: Pick<Staff, 'id'>; proposer: string; why: string; proposal: string }
export type TwoPersonAct<Input> = {
  right: Right
  /** What it is about, e.g. `chain:bitcoin`: one open proposal of an act and subject at a time. */
  subjectOf: (input: Input) => string
  /** Who it is about: they decide nothing of it. */
  personOf?: (input: Input) => string | undefined
  /** A role that the approver must have in addition to the right. */
  approverRole?: StaffRole
  /** The worker carries it out after the approval. */
  isByWorker?: boolean
  /** What of the input the log keeps, where it names people. */
  logged?: (input: Input) => Record<string, unknown>
  /** The facts that are compared, read in the transaction: never times, ids or display prices. Locks what it decides about. */
  facts: (work: Work, input: Input) => Promise<Facts>
  /** Carries it out, and says what it did. */
  run: (work: Work, input: Input, decided: Decided) => Promise<PlanLine[]>
}
/** The two persons of an act, for its row. A trial has one person so far, and nothing of it stays. */
export const personsOf = ({ by, proposer }: Pick<Decided, 'by' | 'proposer'>) => ({
  decidedBy: `staff:${proposer}`,
  approvedBy: by.id === proposer ? 'staff:trial' : `staff:${by.id}`
})
/** An act with its input checked by the caller's shapes. */
export type AnyAct = TwoPersonAct<never>
export type DeskActs = Partial<Record<Right, AnyAct>>
/** The act of a right. */
export type ActOf = (right: Right) => AnyAct
