/** Cases of support: messages of customers and visitors, and what staff answer. */
import { createHash } from 'node:crypto'
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { userEmailOf } from '../access/index.ts'
import { answerCase, assignCase, closeCase, findCase, listCases, noteCase, type SupportCase, snoozeCase } from '../help/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { countAgainst } from '../platform/limits.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError, decideBriefly, keepEntry, namesOf, type Staff, staffActor } from '../staff/index.ts'
import { masked, nameOf } from './names.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import type { DeskSettings } from './settings.ts'
import type { DeskHandlers } from './types.ts'

const BEGINNING = 120
const ANSWERS = { max: 60, windowSeconds: 3600 }
const MOST_SNOOZE_DAYS = 30
const DAY_MS = 86_400_000

type Listed = DeskAnswer<'listCases'>[number]

function shown(row: SupportCase, first: string, names: Map<string, string>): Listed {
  const { number, userId, email, state, assignedTo, snoozedUntil, snoozeWhy, openedAt, waitsSince } = row
  return {
    number,
    customerId: userId,
    email: masked(email),
    state,
    assignedTo: assignedTo && nameOf(names, `staff:${assignedTo}`),
    snoozedUntil: snoozedUntil?.toISOString() ?? null,
    snoozeWhy,
    openedAt: openedAt.toISOString(),
    waitsSince: waitsSince.toISOString(),
    first: first.length > BEGINNING ? `${first.slice(0, BEGINNING)}…` : first
  }
}

async function caseOf({ db }: Context, staff: Staff, number: string): Promise<DeskAnswer<'getCase'>> {
  const [known, names] = await Promise.all([findCase(db, number), namesOf(db)])
  if (!known) throw new DeskError('not_found')
  const { found, messages } = known
  // Notes of colleagues about oneself are not for oneself.
  if (await isOwn(db, staff, found)) throw new DeskError('own_account')
  return {
    ...shown(found, messages[0]?.text ?? '', names),
    isMine: found.assignedTo === staff.id,
    context: found.context,
    messages: messages.map(({ from, actor, text, at }) => ({
      from,
      who: actor && nameOf(names, actor),
      text,
      at: at.toISOString()
    }))
  }
}

/** By the address of the message, or the one that its account has now. */
async function isOwn(db: Executor, staff: Staff, { email, userId }: SupportCase): Promise<boolean> {
  const now = userId ? await userEmailOf(db, userId) : undefined
  return [email, now].some((one) => one?.toLowerCase() === staff.email)
}

/** Nobody answers a message of their own. Throws `not_found`, `own_account`. */
async function requireOthersCase({ db }: Context, staff: Staff, number: string): Promise<SupportCase> {
  const known = await findCase(db, number)
  if (!known) throw new DeskError('not_found')
  if (await isOwn(db, staff, known.found)) throw new DeskError('own_account')
  return known.found
}

type Step = { staff: Staff; number: string }

/** One step of a case, which the log keeps without what was written. */
async function take(
  context: Context,
  { staff, number, act, why = '', details }: Step & { act: string; why?: string; details?: Record<string, string> },
  run: (work: Work) => Promise<boolean>
): Promise<void> {
  await requireOthersCase(context, staff, number)
  await decideBriefly(context, staff, 'answer_case', async (work) => {
    // The case is there: somebody has written to it since it was read.
    if (!(await run(work))) throw new DeskError('case_went_on')
    await keepEntry(work, { actor: staffActor(staff), act, subject: `case:${number}`, why, ...(details && { details }) })
  })
}

async function snooze(
  context: Context,
  { staff, number, until, why, seen }: Step & { until: string; why: string; seen: string }
) {
  const [end, now] = [new Date(`${until}T07:00:00Z`), context.clock()]
  if (Number.isNaN(end.getTime()) || end <= now || end.getTime() - now.getTime() > MOST_SNOOZE_DAYS * DAY_MS)
    throw new DeskError('invalid_fields', {
      fields: { until: `A day from tomorrow on, at most ${MOST_SNOOZE_DAYS} days ahead.` }
    })
  await take(context, { staff, number, act: 'snooze_case', why }, (work) =>
    snoozeCase(work, { number, seen: new Date(seen) }, { until: end, why })
  )
  return { message: 'It comes back on that day, or with a new message.' }
}

async function showSender(context: Context, { staff, number, why }: Step & { why: string }) {
  await countAgainst(context, [{ key: `desk:reveal:${staff.id}`, ...REVEALS }])
  const { email } = await requireOthersCase(context, staff, number)
  await decideBriefly(context, staff, 'show_personal_data', (work) =>
    keepEntry(work, { actor: staffActor(staff), act: 'show_personal_data', subject: `case:${number}`, why })
  )
  return { email, until: new Date(context.clock().getTime() + REVEALED_MINUTES * 60_000).toISOString() }
}

type CaseCall = 'listCases' | 'getCase' | 'answerCase' | 'noteCase' | 'assignCase' | 'snoozeCase' | 'closeCase' | 'showSender'

export function caseHandlers(context: Context, settings: DeskSettings): Pick<DeskHandlers, CaseCall> {
  return {
    listCases: async ({ staff, query }) => {
      const [cases, names] = await Promise.all([listCases(context, query.filter, staff.id), namesOf(context.db)])
      return cases.map(({ first, ...row }) => shown(row, first, names))
    },
    getCase: ({ staff, params }) => caseOf(context, staff, params.number),
    answerCase: async ({ staff, params: { number }, body: { text, seen } }) => {
      const answer = {
        number,
        seen: new Date(seen),
        text,
        actor: staffActor(staff),
        replyTo: settings.supportEmail,
        link: `${context.origin}/help/contact#cases`
      }
      await countAgainst(context, [{ key: `desk:answer:${staff.id}`, ...ANSWERS }])
      // The log proves what was answered, and names nobody.
      const details = { text: createHash('sha256').update(text).digest('hex') }
      await take(context, { staff, number, act: 'answer_case', details }, (work) => answerCase(work, answer))
      return { message: 'Answered, by mail and among their notices.' }
    },
    noteCase: async ({ staff, params: { number }, body: { text } }) => {
      await take(context, { staff, number, act: 'note_case' }, (work) =>
        noteCase(work, { number, text, actor: staffActor(staff) })
      )
      return { message: 'Noted for your colleagues.' }
    },
    assignCase: async ({ staff, params: { number }, body: { to } }) => {
      await take(context, { staff, number, act: 'assign_case', why: to }, (work) =>
        assignCase(work, number, to === 'me' ? staff.id : null)
      )
      return { message: to === 'me' ? 'It is yours.' : 'It is nobody’s.' }
    },
    snoozeCase: ({ staff, params, body }) => snooze(context, { staff, ...params, ...body }),
    closeCase: async ({ staff, params: { number }, body: { why, seen } }) => {
      await take(context, { staff, number, act: 'close_case', why }, (work) => closeCase(work, { number, seen: new Date(seen) }))
      return { message: 'Closed. A new message opens it again.' }
    },
    showSender: ({ staff, params, body }) => showSender(context, { staff, ...params, ...body })
  }
}
