import type { Context } from './context.ts'
import { databaseError, type Transaction } from './db/client.ts'
import { insertJobs, type NewJob } from './jobs/insert.ts'

const TRIES = 4
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/** What a use case works with inside a transaction: all of it happens, or nothing. */
export type Work = {
  tx: Transaction
  /** One moment for everything that the transaction writes. */
  now: Date
  /** Writes jobs down; a worker takes them after the commit. */
  enqueue: (...jobs: NewJob[]) => Promise<void>
}

/**
 * Runs `work` in one transaction. Tried again, a few times, where the database gave up on a conflict. Inside, only `tx`
 * may be used: the embedded database has one connection.
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

/** Runs what is a transaction by itself, again where the database gave up on a conflict. */
export async function tryAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const { code } = databaseError(error)
      if (attempt >= TRIES || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error
    }
  }
}
