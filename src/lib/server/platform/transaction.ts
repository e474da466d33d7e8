import type { Context } from './context.ts'
import { databaseError, type Transaction } from './db/client.ts'

const TRIES = 4
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

const withMail = new WeakSet<Transaction>()

/** A mail was written down in this transaction: the outbox is woken when it commits. */
export function noteMail(tx: Transaction): void {
  withMail.add(tx)
}

/**
 * Runs `work` in one transaction: all of it happens, or nothing. Tried again, a few times, where the database gave up
 * on a conflict. Inside, only `tx` may be used: the embedded database has one connection.
 */
export async function transact<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      let hasMail = false
      const result = await context.db.transaction(async (tx) => {
        const answer = await work(tx)
        hasMail = withMail.has(tx)
        return answer
      })
      if (hasMail) context.wakeOutbox()
      return result
    } catch (error) {
      const { code } = databaseError(error)
      if (attempt >= TRIES || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error
    }
  }
}
