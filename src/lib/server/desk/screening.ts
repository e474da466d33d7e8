/** Names that are like one of the list: what staff see of them, and who decides. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { nameInitials } from '#lib/domain/payments/names.ts'
import type { Birth } from '#lib/domain/screening/names.ts'
import { screeningStateOf } from '#lib/domain/screening/verdict.ts'
import type { Context } from '../platform/context.ts'
import { countAgainst } from '../platform/limits.ts'
import { decideHit, findHit, type Hit, listHits, listState } from '../screening/index.ts'
import {
  type AnyAct,
  type DeskActs,
  DeskError,
  decideBriefly,
  keepEntry,
  namesOf,
  personsOf,
  type Staff,
  staffActor,
  type TwoPersonAct
} from '../staff/index.ts'
import { nameOf } from './names.ts'
import { requireOthers } from './ownAccount.ts'
import { requireOthersOrder } from './paymentActs.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import type { DeskHandlers, Propose } from './types.ts'

async function hitsOf({ db, clock }: Context, filter: 'open' | 'over'): Promise<DeskAnswer<'listHits'>> {
  const [hits, list, names] = await Promise.all([listHits(db, filter), listState(db), namesOf(db)])
  return {
    hits: hits.map((hit) => shown(hit, names)),
    state: screeningStateOf(list, clock()),
    list: list ? { ...list, readAt: list.readAt?.toISOString() ?? null } : null
  }
}

function shown(hit: Hit, names: Map<string, string>): DeskAnswer<'listHits'>['hits'][number] {
  const { id, userId, of, name, listed, about, births, score, birth, foundAt, state, decidedBy, approvedBy, decidedAt, why } = hit
  const person = (actor: string | null) => actor && nameOf(names, actor)
  return {
    id: String(id),
    customerId: userId,
    of,
    name: nameInitials(name),
    listed,
    about,
    births: births.map(birthText),
    score,
    birth,
    foundAt: foundAt.toISOString(),
    state,
    decidedBy: person(decidedBy),
    approvedBy: person(approvedBy),
    decidedAt: decidedAt?.toISOString() ?? null,
    why
  }
}

/** As short as what the list knows: a day, a month, a year, or a range. */
function birthText({ from, to }: Birth): string {
  if (from === to) return from
  if (from.slice(0, 7) === to.slice(0, 7)) return from.slice(0, 7)
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)]
  return first === last ? first : `${first === '0000' ? '' : first}–${last === '9999' ? '' : last}`
}

async function requireOpen(context: Context, staff: Staff, id: string): Promise<Hit> {
  const hit = await findHit(context.db, BigInt(id))
  if (!hit) throw new DeskError('not_found')
  if (hit.userId) await requireOthers(context, staff, hit.userId)
  if (hit.state !== 'open') throw new DeskError('hit_decided')
  return hit
}

const otherPerson: TwoPersonAct<{ id: string }> = {
  right: 'dismiss_hit',
  subjectOf: ({ id }) => `hit:${id}`,
  facts: async ({ tx }, { id }) => {
    const hit = await findHit(tx, BigInt(id), true)
    if (!hit) throw new DeskError('not_found')
    // The log is read by more people than this page: it names nobody.
    return {
      entry: `${hit.source} ${hit.entryId}`,
      score: hit.score.toFixed(2),
      'birth date': hit.birth,
      state: hit.state
    }
  },
  run: async (work, { id }, { by, proposer, why }) => {
    const hit = await findHit(work.tx, BigInt(id), true)
    if (!hit) throw new DeskError('not_found')
    await requireOthersOrder(work.tx, by, hit.userId ?? undefined)
    if (!(await decideHit(work, 'other_person', { id: hit.id, ...personsOf({ by, proposer }), why })))
      throw new DeskError('hit_decided')
    return [
      { what: 'Not this person', value: `${hit.source} ${hit.entryId}` },
      { what: 'From now on', value: 'the same two names are not asked about again' }
    ]
  }
}

export const screeningActs: DeskActs = { dismiss_hit: otherPerson as AnyAct }

async function confirm(context: Context, { staff, id, why }: { staff: Staff; id: string; why: string }) {
  const hit = await requireOpen(context, staff, id)
  await decideBriefly(context, staff, 'confirm_hit', async (work) => {
    const decided = { id: hit.id, decidedBy: `staff:${staff.id}`, why }
    if (!(await decideHit(work, 'same_person', decided))) throw new DeskError('hit_decided')
    await keepEntry(work, { actor: staffActor(staff), act: 'confirm_hit', subject: `hit:${id}`, why })
  })
  return { message: 'Noted. Nothing of this customer moves: report it as the law asks for, and tell them nothing.' }
}

async function show(context: Context, { staff, id, why }: { staff: Staff; id: string; why: string }) {
  await countAgainst(context, [{ key: `desk:reveal:${staff.id}`, ...REVEALS }])
  const hit = await findHit(context.db, BigInt(id))
  if (!hit) throw new DeskError('not_found')
  if (hit.userId) await requireOthers(context, staff, hit.userId)
  await decideBriefly(context, staff, 'show_personal_data', (work) =>
    keepEntry(work, { actor: staffActor(staff), act: 'show_personal_data', subject: `hit:${id}`, why })
  )
  const until = new Date(context.clock().getTime() + REVEALED_MINUTES * 60_000).toISOString()
  return { name: hit.name, birthDate: hit.birthDate ?? '', until }
}

type ScreeningCall = 'listHits' | 'proposeOtherPerson' | 'confirmHit' | 'showHit'

export function screeningHandlers(
  context: Context,
  proposes: Propose<'dismiss_hit', { id: string }>
): Pick<DeskHandlers, ScreeningCall> {
  return {
    listHits: ({ query }) => hitsOf(context, query.filter),
    proposeOtherPerson: async ({ staff, params, body }) => {
      await requireOpen(context, staff, params.id)
      return proposes(staff, 'dismiss_hit', params, body.why)
    },
    confirmHit: ({ staff, params, body }) => confirm(context, { staff, ...params, ...body }),
    showHit: ({ staff, params, body }) => show(context, { staff, ...params, ...body })
  }
}
