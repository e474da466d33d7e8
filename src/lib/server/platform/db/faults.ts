/** What an error says about the database and about what was asked of it. */

/** The error itself and what it was made from, outermost first: the query builder wraps the driver's errors. */
function* causesOf(error: unknown): Generator<Error & { code?: unknown; constraint?: string }> {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current
    current = current.cause
  }
}

/** Every one has a digit; codes of the system, e.g. EPIPE, have none. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** The SQLSTATE and constraint of a database error, however deep the query builder wrapped it. */
export function databaseError(error: unknown): { code: string | undefined; constraint: string | undefined } {
  for (const { code, constraint } of causesOf(error))
    if (typeof code === 'string' && SQLSTATE.test(code)) return { code, constraint }
  return { code: undefined, constraint: undefined }
}

/** The connection to our own database was lost, was refused, or got no response in time. Nothing that was asked for is known to be done. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError'
}

/** True if our own database was lost; other services do not count. Nothing may be decided then by what the database did not answer. */
export function isDatabaseLost(error: unknown): boolean {
  for (const one of causesOf(error)) if (one instanceof DatabaseLostError) return true
  return false
}

/**
 * The connection was lost, or its time was up, after the database had been asked to commit and before it answered: the change may have
 * been made or not. Only asking again with the same key can tell.
 */
export class OutcomeUnknownError extends DatabaseLostError {
  override name = 'OutcomeUnknownError'
}

export function isOutcomeUnknown(error: unknown): boolean {
  for (const one of causesOf(error)) if (one instanceof OutcomeUnknownError) return true
  return false
}

/** The server takes no writes: it is a standby, or was made one. Nothing was changed. */
export const READ_ONLY = '25006'
export const isReadOnly = (error: unknown) => databaseError(error).code === READ_ONLY
/** Of a statement that took too long, and of those behind it on the connection that were to use its plan: 26000, it was never prepared. */
const GIVEN_UP: (string | undefined)[] = ['57014', '26000']
/** True if the database cancelled a statement because it took too long, or did not begin it: nothing was changed. */
export const isGivenUp = (error: unknown) => GIVEN_UP.includes(databaseError(error).code)
const TOO_MANY_CONNECTIONS = '53300'
/** Codes of a connection that was lost, was refused or got no response. */
const UNREACHABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])
const UNREACHABLE_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered|Client was closed)/

/**
 * True if an error means that the database cannot be had, not that a statement was wrong. These are also SQLSTATE 08 (connection), 57P0
 * (the server is stopping or starting), 25006 (it takes no writes) and 53300 (too many connections).
 */
export function isUnreachable(error: unknown): boolean {
  if (isDatabaseLost(error)) return true
  for (const one of causesOf(error)) {
    const code = typeof one.code === 'string' ? one.code : ''
    if (UNREACHABLE_CODES.has(code) || /^(08|57P0)/.test(code) || code === TOO_MANY_CONNECTIONS || code === READ_ONLY) return true
    if (UNREACHABLE_TEXT.test(one.message)) return true
    if (one instanceof AggregateError && one.errors.some(isUnreachable)) return true
  }
  return false
}

/**
 * True if the connection on which the driver met this error must not be used again, and its neighbours are probably lost with it. Whatever is not
 * the server's own answer is the connection's: the names of its errors are many.
 */
export function isLost(error: unknown): boolean {
  const { code } = databaseError(error)
  return code === undefined ? error instanceof Error : isUnreachable(error) && code !== TOO_MANY_CONNECTIONS
}
