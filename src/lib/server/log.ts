/** JSON logs. What could hold a secret is never logged; these paths are removed should one slip in. */
import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>

export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'refreshToken', 'code', 'otp', '*.password', '*.token', '*.refreshToken'],
      remove: true
    }
  })
}
