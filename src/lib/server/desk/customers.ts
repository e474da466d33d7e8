/** What staff do with customers: find them, look, note, hold and release them, end their sessions, see personal data. */
import { randomUUID } from 'node:crypto'
import { HOLD_DAYS } from '#lib/domain/staff/sessions.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { endSessionsOfUser, holdsOf, holdWithdrawals } from '../access/index.ts'
import { verifiedNameOf } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { countAgainst } from '../platform/limits.ts'
import type { Work } from '../platform/transaction.ts'
import { DeskError, decideBriefly, keepEntry, type Staff, staffActor } from '../staff/index.ts'
import { customerOf, explainBalance } from './customerPage.ts'
import { findCustomers } from './findCustomers.ts'
import { requireOthers } from './ownAccount.ts'
import { REVEALED_MINUTES, REVEALS } from './reveal.ts'
import type { DeskSettings } from './settings.ts'
import { tell } from './tellCustomer.ts'
import type { DeskHandlers, Propose } from './types.ts'

type CustomerCall =
  | 'findCustomers'
  | 'getCustomer'
  | 'explainBalance'
  | 'noteCustomer'
  | 'holdAccount'
  | 'holdLonger'
  | 'proposeRelease'
  | 'endCustomerSessions'
  | 'showPersonalData'

export function customerHandlers(
  context: Context,
  settings: Pick<DeskSettings, 'activity'>,
  proposes: Propose<'release_hold'>
): Pick<DeskHandlers, CustomerCall> {
  return {
    findCustomers: ({ query }) => findCustomers(context, query.q),
    getCustomer: ({ staff, params, query }) => customerOf(context, settings, staff, { ...params, ...query }),
    explainBalance: ({ params, query }) => explainBalance(context, { ...params, ...query }),
    noteCustomer: async ({ staff, params, body }) => {
      await requireOthers(context, staff, params.id)
      await decideBriefly(context, staff, 'note_customer', (work) =>
        keepEntry(work, { actor: staffActor(staff), act: 'note_customer', subject: `customer:${params.id}`, why: body.why })
      )
      return { message: 'Noted. It stays as it is.' }
    },
    holdAccount: ({ staff, params, body }) =>
      holdCustomer(context, { staff, userId: params.id, why: body.why, days: HOLD_DAYS.short, right: 'hold_account' }),
    holdLonger: ({ staff, params, body }) =>
      holdCustomer(context, { staff, userId: params.id, why: body.why, days: Number(body.days), right: 'hold_longer' }),
    proposeRelease: async ({ staff, params, body }) => {
      await requireOthers(context, staff, params.id)
      return proposes(staff, 'release_hold', { id: params.id, holdId: body.holdId }, body.why)
    },
    endCustomerSessions: ({ staff, params, body }) => endSessionsOfCustomer(context, { staff, userId: params.id, why: body.why }),
    showPersonalData: async ({ staff, params, body }) => {
      await countAgainst(context, [{ key: `desk:reveal:${staff.id}`, ...REVEALS }])
      const email = await requireOthers(context, staff, params.id)
      const name = await verifiedNameOf(context.db, params.id)
      await decideBriefly(context, staff, 'show_personal_data', (work) =>
        keepEntry(work, { actor: staffActor(staff), act: 'show_personal_data', subject: `customer:${params.id}`, why: body.why })
      )
      const until = new Date(context.clock().getTime() + REVEALED_MINUTES * 60_000).toISOString()
      return { email, name, until }
    }
  }
}

type Hold = { staff: Staff; userId: string; why: string; days: number; right: 'hold_account' | 'hold_longer' }

/** Holds withdrawals and trades for some days; the customer reads why and until when. */
async function holdCustomer(context: Context, { staff, userId, why, days, right }: Hold) {
  await requireOthers(context, staff, userId)
  await decideBriefly(context, staff, right, async (work) => {
    if (right === 'hold_account') await requireFirstHold(work, userId)
    const endsAt = new Date(work.now.getTime() + days * 86_400_000)
    const hold = { userId, reason: 'staff', sourceType: 'staff', sourceId: randomUUID(), why, endsAt } as const
    await holdWithdrawals(work, hold)
    await tell(work, userId, 'accountHeld', { why, until: `${formatMoment(endsAt.toISOString())} UTC` })
    await keepEntry(work, { actor: staffActor(staff), act: right, subject: `customer:${userId}`, why, details: { days } })
  })
  return { message: `Held for ${days === 1 ? 'a day' : `${days} days`}. The customer has a mail with your reason.` }
}

/** A day each day would be a hold without end, which is for compliance alone. */
async function requireFirstHold({ tx, now }: Work, userId: string): Promise<void> {
  const since = now.getTime() - AGAIN_DAYS * 86_400_000
  const [newest] = (await holdsOf(tx, userId)).filter(
    ({ sourceType, createdAt }) => sourceType === 'staff' && createdAt.getTime() > since
  )
  if (newest) throw new DeskError('held_before')
}
const AGAIN_DAYS = 3

async function endSessionsOfCustomer(context: Context, { staff, userId, why }: Pick<Hold, 'staff' | 'userId' | 'why'>) {
  await requireOthers(context, staff, userId)
  await decideBriefly(context, staff, 'end_sessions', async (work) => {
    await endSessionsOfUser(work, userId)
    await keepEntry(work, { actor: staffActor(staff), act: 'end_sessions', subject: `customer:${userId}`, why })
  })
  return { message: 'Ended. Whoever used the account must sign in again.' }
}
