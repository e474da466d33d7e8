/** Tells a change that was not made from one of which nobody knows whether it was made, when the connection is lost. */

import { isLost, isReadOnly, OutcomeUnknownError } from './faults.ts'
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
/** A select from tables alone: one that calls a function may change something. */
const READS =
  /^\s*select\b(?!.*(\b(from|join|lateral|select)|,)\s+(?!(json\w*|count|coalesce|max|min|sum|exists)\b)[a-z_]\w*\s*\()/is

/** True if an answer to it may be the answer to a commit, in a connection with this transaction status. */
function mayCommit(text: string, status: string | null): boolean {
  if (COMMIT.test(text)) return true
  return status !== IN_TRANSACTION && !CHANGES_NOTHING.test(text) && !READS.test(text)
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
    const isDecisive = mayCommit(textOf(config), client.getTransactionStatus())
    query(config, values, (error, result) => {
      // A server that takes no writes has refused it.
      const isUnknown = isDecisive && ((isLost(error) && !isReadOnly(error)) || isUnconfirmed)
      isUnconfirmed = false
      const told = isUnknown ? new OutcomeUnknownError('The database did not confirm the commit', { cause: error }) : error
      if (isLost(error)) {
        lostBy = told
        onLost()
      }
      answered(told, result)
    })
  }
  client.query = (config: unknown, values: unknown, answered?: Answered) =>
    answered
      ? ask(config, values, answered)
      : new Promise((resolve, reject) => ask(config, values, (error, result) => (error ? reject(error) : resolve(result))))
}
