/** What the desk's calls answer, from the rows. */
import type { DeskAnswer, DeskInput } from '#lib/contract/desk/shapes.ts'
import { DESK_SETTINGS, SETTING_NAMES } from '#lib/domain/staff/settings.ts'
import type { Context } from '../platform/context.ts'
import {
  changesOf,
  type DeskActs,
  deskSettings,
  listEntries,
  listStaff,
  namesOf,
  newestHead,
  openInvitations,
  type Proposal,
  type Staff,
  whoIsHere
} from '../staff/index.ts'
import type { Queued } from '../withdrawals/index.ts'
import type { CarryState } from './carried.ts'
import { nameOf } from './names.ts'

export function shownWithdrawal({ row, signs, approvals, personsNeeded }: Queued) {
  const { id, userId, currency, chain, amount, fee, usdCents, receiver, state, waits, requestedAt } = row
  return {
    id,
    customerId: userId,
    currency,
    chain,
    amount: amount.toString(),
    fee: fee.toString(),
    usdCents: usdCents.toString(),
    receiver,
    state,
    waits,
    requestedAt: requestedAt.toISOString(),
    approvals,
    personsNeeded,
    signs: signs.map(({ at, ...sign }) => ({ ...sign, at: at?.toISOString() ?? null }))
  }
}

type Shown = {
  names: Map<string, string>
  staff: Staff
  acts: DeskActs
  now?: Record<string, string> | undefined
  carried?: CarryState | null
}

export function shownProposal(proposal: Proposal, { names, staff, acts, now, carried = null }: Shown) {
  const {
    id,
    act,
    subject,
    why,
    proposedBy,
    proposedAt,
    expiresAt,
    state,
    decidedBy,
    decidedAt,
    decisionWhy,
    plan,
    outcome,
    facts
  } = proposal
  const changed = now ? changesOf(facts, now) : []
  const role = acts[act]?.approverRole
  const logged = acts[act]?.logged
  const isOver = state !== 'open'
  const isAbout = acts[act]?.personOf?.(proposal.input as never)
  return {
    id,
    act,
    subject,
    why,
    proposedBy: names.get(proposedBy) ?? proposedBy,
    proposedById: proposedBy,
    proposedAt: proposedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state,
    decidedBy: decidedBy && (names.get(decidedBy) ?? decidedBy),
    decidedAt: decidedAt?.toISOString() ?? null,
    decisionWhy,
    // The account of a refund elsewhere is for whoever decides about it; later it is masked, as in the log.
    plan:
      isOver && logged
        ? Object.entries(logged(proposal.input as never)).map(([what, value]) => ({ what, value: String(value) }))
        : (outcome ?? plan),
    facts: [...new Set([...Object.keys(facts), ...Object.keys(now ?? {})])].map((fact) => ({
      fact,
      before: facts[fact] ?? '–',
      now: now ? (now[fact] ?? '–') : null,
      isChanged: changed.length > 0 && facts[fact] !== now?.[fact]
    })),
    approverRole: role ?? null,
    isByWorker: acts[act]?.isByWorker ?? false,
    carried,
    mayDecide:
      state === 'open' &&
      proposedBy !== staff.id &&
      isAbout !== staff.id &&
      staff.rights.includes(act) &&
      (!role || staff.roles.includes(role))
  }
}

export async function peopleOf(context: Context): Promise<DeskAnswer<'listPeople'>> {
  const [people, here, invitations, kept, names] = await Promise.all([
    listStaff(context.db),
    whoIsHere(context),
    openInvitations(context),
    deskSettings(context.db),
    namesOf(context.db)
  ])
  return {
    people: people.map(({ id, name, email, roles, createdAt, stoppedAt, keys }) => ({
      id,
      name,
      email,
      roles,
      createdAt: createdAt.toISOString(),
      stoppedAt: stoppedAt?.toISOString() ?? null,
      keys,
      isHere: stoppedAt === null && here.get(id)?.isHere === true,
      lastSeenAt: here.get(id)?.lastSeenAt.toISOString() ?? null
    })),
    invitations: invitations.map(({ id, name, email, roles, expiresAt, invitedBy }) => ({
      id,
      name,
      email,
      roles,
      expiresAt: expiresAt.toISOString(),
      by: invitedBy ? (names.get(invitedBy) ?? invitedBy) : 'the command line'
    })),
    settings: SETTING_NAMES.map((name) => ({ name, value: kept[name].toString(), unit: DESK_SETTINGS[name].unit }))
  }
}

const AUDIT_LISTED = 100

/** The entries that were asked for, newest first, and how far the signer has signed. `signerKey`: its public key. */
export async function auditOf(
  context: Context,
  signerKey: string,
  { before, ...only }: DeskInput<'listAudit'>['query']
): Promise<DeskAnswer<'listAudit'>> {
  const [rows, head, names] = await Promise.all([
    listEntries(context.db, { ...only, ...(before && { before: BigInt(before) }) }, AUDIT_LISTED),
    newestHead(context.db, signerKey),
    namesOf(context.db)
  ])
  return {
    entries: rows.map(({ id, at, actor, act, subject, why, details, previous, hash }) => ({
      id: String(id),
      at: at.toISOString(),
      actor,
      name: nameOf(names, actor),
      act,
      subject: subject.startsWith('staff:') ? `person:${nameOf(names, subject)}` : subject,
      about: subject,
      why,
      details: JSON.parse(details),
      previous,
      hash,
      isSigned: head !== undefined && id <= head.entryId
    })),
    signedUpTo: head ? String(head.entryId) : null,
    signedAt: head?.signedAt.toISOString() ?? null
  }
}

export const shownStop = ({ id, why, actor, stoppedAt }: { id: bigint; why: string; actor: string; stoppedAt: Date }) => ({
  id: String(id),
  why,
  actor,
  stoppedAt: stoppedAt.toISOString()
})
