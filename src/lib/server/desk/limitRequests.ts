/** Requests for higher limits, as staff see them. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import type { Context } from '../platform/context.ts'
import { namesOf } from '../staff/index.ts'
import { limitRequestsOf, openLimitRequests } from '../withdrawals/index.ts'
import { nameOf } from './names.ts'

type Requests = DeskAnswer<'listLimitRequests'>

/** Open requests of all customers, or all of one. */
export async function limitRequestsShown({ db }: Pick<Context, 'db'>, userId?: string): Promise<Requests> {
  const [rows, names] = await Promise.all([userId ? limitRequestsOf(db, userId) : openLimitRequests(db), namesOf(db)])
  return rows.map(
    ({ id, userId: customerId, askedCents, why, askedAt, dueAt, state, decidedAt, decidedBy, approvedBy, answer }) => ({
      id: String(id),
      customerId,
      askedCents: askedCents.toString(),
      why,
      askedAt: askedAt.toISOString(),
      dueAt: dueAt.toISOString(),
      state,
      decidedAt: decidedAt?.toISOString() ?? null,
      persons: [decidedBy, approvedBy].flatMap((actor) => (actor ? [nameOf(names, actor)] : [])),
      answer
    })
  )
}
