import type { ErrorCode, Failure } from '#lib/contract/errors.ts'
import type { FieldError } from '#lib/domain/fields.ts'
import { texts } from '#lib/messages/en/platform/texts.ts'

/** A call that did not succeed: what the API answered, that it could not be reached, or that nothing was sent. */
export class CallError extends Error {
  readonly code: ErrorCode | 'unreachable' | 'offline'
  readonly fields: Record<string, FieldError>
  readonly retryAfterSeconds: number | undefined
  /** With `second_factor_required`. */
  readonly ticket: string | undefined

  constructor(said: Partial<Failure> | 'offline' | undefined, options?: ErrorOptions) {
    const failure = said === 'offline' ? undefined : said
    super(said === 'offline' ? texts.offline : (failure?.message ?? texts.unreachable), options)
    this.name = 'CallError'
    this.code = said === 'offline' ? said : (failure?.code ?? 'unreachable')
    this.fields = failure?.fields ?? {}
    this.retryAfterSeconds = failure?.retryAfterSeconds
    this.ticket = failure?.ticket
  }
}

/** The server's sentence, or the screen's own where the server could not be reached (spec section 8). */
export function sentenceOf(error: unknown, fallback: string): string {
  return error instanceof CallError && error.code !== 'unreachable' ? error.message : fallback
}
