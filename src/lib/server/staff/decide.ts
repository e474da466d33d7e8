/** How staff decide: in a transaction that checks again whether they may, and waits for a lock for at most a second. */
import { sql } from 'drizzle-orm'
import type { Right } from '#lib/domain/staff/rights.ts'
import type { Context } from '../platform/context.ts'
import { databaseError } from '../platform/db/faults.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { DeskError } from './failure.ts'
import { lockPeople, requireStill, type Staff } from './who.ts'

const LOCK_TIMEOUT = '1s'
const LOCK_NOT_AVAILABLE = '55P03'

/** A transaction that waits for a lock for at most a second. Throws `busy`. */
export async function transactBriefly<T>(context: Context, run: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact(context, async (work) => {
      await work.tx.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`))
      return run(work)
    })
  } catch (error) {
    if (databaseError(error).code === LOCK_NOT_AVAILABLE) throw new DeskError('busy')
    throw error
  }
}

/** Rights of acts that change people: they wait for every decision that is under way. */
const OF_PEOPLE: Right[] = ['invite_person', 'change_roles', 'stop_person']
export const lockFor = (right: Right) => (OF_PEOPLE.includes(right) ? 'change' : 'decide')

/** Carries out the decision of one person. It is refused if they were stopped, or lost the right, after the call began. Throws as `requireStill`, `busy`. */
export function decideBriefly<T>(
  context: Context,
  by: Staff,
  right: Right | 'none',
  run: (work: Work) => Promise<T>
): Promise<T> {
  return transactBriefly(context, async (work) => {
    await lockPeople(work, right === 'none' ? 'decide' : lockFor(right))
    await requireStill(work, by, right)
    return run(work)
  })
}
