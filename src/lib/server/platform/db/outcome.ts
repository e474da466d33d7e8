/** Tells a change that was not made from one of which nobody knows whether it was made, when the connection is lost. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseLostError, isLost, isReadOnly, OutcomeUnknownError } from './faults.ts'
import { isStatement } from './frequent.ts'

type Answered = (error: unknown, result?: unknown) => void
type Notice = { routine?: string }
/** A connection of the driver. */
type Client = {
  query: unknown
  getTransactionStatus: () => string | null
  on: (event: 'notice', listener: (notice: Notice) => void) => unknown
}

/** Where PostgreSQL waits for its standby after a commit. It warns from there if somebody ended the wait, and answers as if all were well. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN'
const IN_TRANSACTION = 'T'
const COMMIT = /^\s*commit\b/i
/** Statements of the driver and the query builder that change nothing that lasts. */
const CHANGES_NOTHING = /^\s*(begin|rollback|savepoint|release|set|show|listen|unlisten)\b/i
/** What may stand before a parenthesis in a select that changes nothing. Every other function may change something. */
const HARMLESS = new Set(
  (
    'count sum min max coalesce greatest least nullif exists in any all values and or not on using where from select filter over lateral as then else ' +
    'when case now lower upper length json_agg json_build_array json_build_object jsonb_build_object row_number unnest array'
  ).split(' ')
)
const CALLED = /([a-z_][\w.]*|")\s*\(/gi

/** True if an answer to it may be the answer to a commit. `status`: of the connection's transaction, when it was sent. */
function mayCommit({ text, status }: Sent): boolean {
  if (COMMIT.test(text)) return true
  return status !== IN_TRANSACTION && !CHANGES_NOTHING.test(text) && !reads(text)
}

/** True for a select from tables alone. */
export function reads(text: string): boolean {
  if (!/^\s*select\b/i.test(text) || /\binto\b/i.test(text)) return false
  return [...text.matchAll(CALLED)].every(([, name = '']) => HARMLESS.has(name.toLowerCase()))
}

/** What was answered within a call, to be looked at only if the call fails. */
type Sent = { text: string; status: string | null }
const calls = new AsyncLocalStorage<Sent[]>()

/**
 * Runs one call. `hasChanged()`: something was committed for it, so that a later fault of the database does not mean that it has failed. What was
 * committed for several calls together (`Batch`) does not count: its answer is the last that such a call asks the database for.
 */
export async function watchingChanges<T>(run: (hasChanged: () => boolean) => Promise<T>): Promise<T> {
  const answered: Sent[] = []
  return calls.run(answered, () => run(() => answered.some(mayCommit)))
}

const textOf = (config: unknown) => (isStatement(config) ? config.text : String(config))

/**
 * After this, the connection's `query` fails with OutcomeUnknownError where the answer to a commit is missing, and at once with the first
 * error after one that lost the connection: a rollback would only wait for an answer that does not come. `onLost`: it was lost.
 */
export function watchOutcome(client: Client, onLost: () => void): void {
  const query = (client.query as (config: unknown, values: unknown, answered: Answered) => unknown).bind(client)
  let lostBy: unknown
  let isUnconfirmed = false
  client.on('notice', ({ routine }) => {
    if (routine === WAITS_FOR_STANDBY) isUnconfirmed = true
  })
  function ask(config: unknown, values: unknown, answered: Answered): void {
    if (lostBy !== undefined) {
      answered(lostBy)
      return
    }
    const call = calls.getStore()
    const sent = { text: textOf(config), status: client.getTransactionStatus() }
    query(config, values, (error, result) => {
      const wasConfirmed = !isUnconfirmed
      isUnconfirmed = false
      if (!error && wasConfirmed) call?.push(sent)
      const hasLost = Boolean(error) && isLost(error)
      if (wasConfirmed && !hasLost) return answered(error, result)
      // A server that takes no writes has refused it.
      const isUnknown = !(hasLost && isReadOnly(error)) && mayCommit(sent)
      const told = isUnknown
        ? new OutcomeUnknownError('The database did not confirm the commit', { cause: error })
        : hasLost && new DatabaseLostError('The database was lost', { cause: error })
      if (hasLost) {
        lostBy = told
        onLost()
      }
      answered(told || error, result)
    })
  }
  client.query = (config: unknown, values: unknown, answered?: Answered) =>
    answered
      ? ask(config, values, answered)
      : new Promise((resolve, reject) => ask(config, values, (error, result) => (error ? reject(error) : resolve(result))))
}
