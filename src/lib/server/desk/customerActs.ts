/** What staff do for a customer: a mail again, the identity check again, a higher limit. */
import { eq } from 'drizzle-orm'
import { LIMIT_DAYS } from '#lib/domain/withdrawals/limit.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { users } from '../access/index.ts'
import { askIdentityAgain, isVerifiedCustomer } from '../identity/index.ts'
import { askAgain } from '../notices/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { countAgainst } from '../platform/limits.ts'
import {
  type AnyAct,
  type DeskActs,
  DeskError,
  decideBriefly,
  keepEntry,
  personsOf,
  type Staff,
  staffActor,
  type TwoPersonAct
} from '../staff/index.ts'
import { customerGate, dollars, lockLimitRequest, raiseLimit, refuseLimit } from '../withdrawals/index.ts'
import { limitRequestsShown } from './limitRequests.ts'
import { requireOthers } from './ownAccount.ts'
import { requireOthersOrder } from './paymentActs.ts'
import type { DeskSettings } from './settings.ts'
import { tell } from './tellCustomer.ts'
import type { DeskHandlers, Propose } from './types.ts'

const DAY_MS = 86_400_000
const MAILS = { max: 30, windowSeconds: 3600 }

type About = { staff: Staff; id: string; why: string }

async function mailAgain(context: Context, { staff, id, notice, why }: About & { notice: string }) {
  await countAgainst(context, [{ key: `desk:mail:${staff.id}`, ...MAILS }])
  await requireOthers(context, staff, id)
  await decideBriefly(context, staff, 'send_mail_again', async (work) => {
    const name = await askAgain(work, id, BigInt(notice))
    if (!name) throw new DeskError('mail_not_again')
    const details = { notice, name }
    await keepEntry(work, { actor: staffActor(staff), act: 'send_mail_again', subject: `customer:${id}`, why, details })
  })
  return { message: 'It is sent again, to the address that the customer has now.' }
}

async function checkAgain(context: Context, { staff, id, why }: About) {
  await requireOthers(context, staff, id)
  await decideBriefly(context, staff, 'ask_identity_again', async (work) => {
    if (!(await askIdentityAgain(work, id))) throw new DeskError('check_not_completed')
    await tell(work, id, 'identityAgain', { why, link: `${context.origin}/profile#identity` })
    await keepEntry(work, { actor: staffActor(staff), act: 'ask_identity_again', subject: `customer:${id}`, why })
  })
  return {
    message: 'Asked. The customer has a mail with your reason; until the check is complete, nothing is withdrawn or traded.'
  }
}

type Raise = { id: string; requestId: string; dayCents: string; days: string }

/** What a person looked at: who asks, for what, and what has changed at the account. */
async function accountFacts(db: Executor, userId: string, now: Date): Promise<Record<string, string>> {
  const [user] = await db
    .select({ password: users.passwordChangedAt, email: users.emailChangedAt })
    .from(users)
    .where(eq(users.id, userId))
  const gate = await customerGate(db, userId, now)
  const changed = (at: Date | null | undefined) => (at ? `${formatMoment(at.toISOString())} UTC` : 'never')
  return {
    'may withdraw': gate.reason ?? 'yes',
    'password changed': changed(user?.password),
    'e-mail changed': changed(user?.email)
  }
}

const raise = (settings: DeskSettings): TwoPersonAct<Raise> => ({
  right: 'raise_limit',
  subjectOf: ({ id }) => `customer:${id}`,
  facts: async (work, { id, requestId }) => {
    const request = await lockLimitRequest(work, BigInt(requestId))
    if (request?.userId !== id) throw new DeskError('limit_request_over')
    return { asked: dollars(request.askedCents), ...(await accountFacts(work.tx, id, work.now)) }
  },
  run: async (work, { id, requestId, dayCents, days }, { by, proposer }) => {
    await requireOthersOrder(work.tx, by, id)
    const request = await lockLimitRequest(work, BigInt(requestId))
    if (request?.userId !== id) throw new DeskError('limit_request_over')
    const cents = BigInt(dayCents)
    const { dayCents: house, mostCents } = settings.withdrawals.limits
    if (cents <= house || cents > mostCents)
      throw new DeskError('limit_not_possible', {
        params: { why: `Above ${dollars(house)}, and at most ${dollars(mostCents)}.` }
      })
    if (!(await isVerifiedCustomer(work.tx, id)) || (await customerGate(work.tx, id, work.now)).reason !== null)
      throw new DeskError('limit_not_possible', { params: { why: 'This customer may not withdraw at the moment.' } })
    const endsAt = new Date(work.now.getTime() + Number(days) * DAY_MS)
    await raiseLimit(work, { request, dayCents: cents, endsAt, ...personsOf({ by, proposer }) })
    const until = `${formatMoment(endsAt.toISOString()).slice(0, 10)}`
    await tell(work, id, 'limitRaised', { limit: dollars(cents), until, link: `${settings.customerOrigin()}/limits` })
    return [
      { what: 'Withdrawals in 24 hours', value: `up to ${dollars(cents)}` },
      { what: 'For', value: `${days} days; then ${dollars(house)} again` },
      { what: 'The signer', value: `signs up to its own limit for one customer, whatever is kept here` }
    ]
  }
})

export const customerActs = (settings: DeskSettings): DeskActs => ({ raise_limit: raise(settings) as AnyAct })

async function refuse(context: Context, { staff, id, requestId, why }: About & { requestId: string }) {
  await requireOthers(context, staff, id)
  await decideBriefly(context, staff, 'refuse_limit', async (work) => {
    const request = await lockLimitRequest(work, BigInt(requestId))
    if (request?.userId !== id) throw new DeskError('limit_request_over')
    await refuseLimit(work, { request, decidedBy: `staff:${staff.id}`, answer: why })
    await tell(work, id, 'limitRefused', { why, link: `${context.origin}/limits` })
    await keepEntry(work, { actor: staffActor(staff), act: 'refuse_limit', subject: `customer:${id}`, why })
  })
  return { message: 'Answered. The customer has a mail with your reason.' }
}

type CustomerCall = 'sendMailAgain' | 'askIdentityAgain' | 'listLimitRequests' | 'proposeLimit' | 'refuseLimit'

export function customerActHandlers(context: Context, proposes: Propose<'raise_limit', Raise>): Pick<DeskHandlers, CustomerCall> {
  return {
    sendMailAgain: ({ staff, params, body }) => mailAgain(context, { staff, ...params, ...body }),
    askIdentityAgain: ({ staff, params, body }) => checkAgain(context, { staff, ...params, ...body }),
    listLimitRequests: () => limitRequestsShown(context),
    proposeLimit: async ({ staff, params, body: { why, ...asked } }) => {
      await requireOthers(context, staff, params.id)
      return proposes(staff, 'raise_limit', { ...params, ...asked, days: asked.days || String(LIMIT_DAYS) }, why)
    },
    refuseLimit: ({ staff, params, body }) => refuse(context, { staff, ...params, ...body })
  }
}
