import { databaseError, type Transaction } from '../db/client.ts'
import type { Context } from './context.ts'

const TRIES = 4
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/**
 * Runs `work` in one transaction: all of it happens, or nothing. Tried again, a few times, where the database gave up
 * on a conflict. Inside, only `tx` may be used: the embedded database has one connection.
 */
export async function transact<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await context.db.transaction(work)
      context.wakeOutbox()
      return result
    } catch (error) {
      const { code } = databaseError(error)
      if (attempt >= TRIES || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error
    }
  }
}
