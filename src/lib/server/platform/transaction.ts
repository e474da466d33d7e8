import type { Context } from './context.ts'
import type { Transaction } from './db/client.ts'
import { databaseError, isUnreachable } from './db/faults.ts'
import { insertJobs, type NewJob } from './jobs/insert.ts'

const TRIES = 4
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
/** A prepared statement no longer fits its table, e.g. by a step of a newer release: the next try asks it anew. */
const PLAN_OUTDATED = '0A000'
const AGAIN = [SERIALIZATION_FAILURE, DEADLOCK, PLAN_OUTDATED]

/** Passed to a use case inside a transaction: either all of it is committed, or nothing. */
export type Work = {
  tx: Transaction
  /** One time for everything that the transaction writes. */
  now: Date
  /** Adds jobs; a worker takes them after the commit. */
  enqueue: (...jobs: NewJob[]) => Promise<void>
}

/**
 * Runs `work` in one transaction, and a few times more if the database aborts it because of a conflict. Inside, only `tx` may be
 * used: the embedded database has one connection.
 */
export function transact<T>(context: Context, work: (work: Work) => Promise<T>): Promise<T> {
  return tryAgain(async () => {
    let hasJobs = false
    const result = await context.db.transaction((tx) => {
      const now = context.clock()
      const enqueue = async (...jobs: NewJob[]) => {
        await insertJobs(tx, jobs, now)
        hasJobs = true
      }
      return work({ tx, now, enqueue })
    })
    if (hasJobs) context.wakeJobs()
    return result
  })
}

/** Runs a complete transaction, and again if the database aborts it because of a conflict. */
export async function tryAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const { code } = databaseError(error)
      if (attempt >= TRIES || code === undefined || !AGAIN.includes(code)) throw error
    }
  }
}

/**
 * Runs one transaction for many requests. Returns undefined where it failed as a whole and changed nothing: each request is then to be made alone, so
 * that none is the others' failure. Throws where the database did not answer: only asking again with its key tells each what was done.
 */
export async function tryTogether<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await tryAgain(run)
  } catch (error) {
    if (isUnreachable(error) || databaseError(error).code === undefined) throw error
    return undefined
  }
}
