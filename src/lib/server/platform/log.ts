/** JSON logs without secrets. */
import { type Logger, type LoggerOptions, pino } from 'pino'
import { databaseError } from './db/faults.ts'
import { traceOfLine } from './tracing.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>

/**
 * Makes an error safe for the log. The query builder puts a failed statement's parameters, such as codes and
 * addresses, into its message, so only the database's own message is kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint } = databaseError(error)
  if (!('params' in error) && code === undefined) return { name: error.name, message: error.message, stack: error.stack }
  const cause = error.cause instanceof Error ? error.cause : undefined
  return { name: 'DatabaseError', code, constraint, message: cause?.message ?? 'a statement failed', stack: cause?.stack }
}

/** Lines are buffered for at most this long: writing each by itself costs a sixth of the time of a trivial call. */
const FLUSH_MS = 1000
const GATHERED_BYTES = 4096
const SECRETS = ['password', 'token', 'refreshToken', 'code', 'otp', '*.password', '*.token', '*.refreshToken']

export type Logs = {
  log: Log
  /** For the line of each request: its few fields are known, so nothing is redacted. */
  access: Log
  /** Writes the buffered lines. */
  flush: () => void
}

export function createLogs(level: string): Logs {
  const destination = pino.destination({ sync: false, minLength: GATHERED_BYTES, periodicFlush: FLUSH_MS })
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError }
  }
  return {
    log: pino({ ...options, mixin: traceOfLine, redact: { paths: SECRETS, remove: true } }, destination),
    access: pino(options, destination),
    flush: () => destination.flush()
  }
}
