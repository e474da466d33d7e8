/** JSON logs without a secret in them. */
import { type Logger, pino } from 'pino'
import { databaseError } from './db/client.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>

/**
 * An error as the log may hold it. The query builder puts the parameters of a failed statement into its message, codes
 * and addresses among them: of such an error only what the database said of it is kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint } = databaseError(error)
  if (!('params' in error) && code === undefined) return { name: error.name, message: error.message, stack: error.stack }
  const cause = error.cause instanceof Error ? error.cause : undefined
  return { name: 'DatabaseError', code, constraint, message: cause?.message ?? 'a statement failed', stack: cause?.stack }
}

export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: ['password', 'token', 'refreshToken', 'code', 'otp', '*.password', '*.token', '*.refreshToken'],
      remove: true
    }
  })
}
