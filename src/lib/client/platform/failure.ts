import type { ErrorCode, Failure } from '#lib/contract/errors.ts'
import type { FieldError } from '#lib/domain/fields.ts'
import { texts } from '#messages/platform/texts.ts'

/** `unreadable`: the answer is not in the API's format, e.g. it comes from a proxy. */
const OWN_SENTENCES = { offline: texts.offline, unreadable: texts.somethingWrong } as const

/**
 * A failed call: the API's error code, or `unreachable`, `unreadable`, or `offline` if nothing was sent. `unnamed`: an answer in the
 * specification's form (statusCode, message), without a code of ours.
 */
export class CallError extends Error {
  readonly code: ErrorCode | 'unnamed' | 'unreachable' | 'unreadable' | 'offline'
  readonly fields: Record<string, FieldError>
  readonly retryAfterSeconds: number | undefined
  /** Set only with `second_factor_required`. */
  readonly ticket: string | undefined

  constructor(said: Partial<Failure> | 'offline' | 'unreadable' | undefined, options?: ErrorOptions) {
    const failure = typeof said === 'string' ? undefined : said
    super(typeof said === 'string' ? OWN_SENTENCES[said] : (failure?.message ?? texts.unreachable), options)
    this.name = 'CallError'
    const unknown = failure?.message ? 'unnamed' : 'unreachable'
    this.code = typeof said === 'string' ? said : (failure?.code ?? unknown)
    this.fields = failure?.fields ?? {}
    this.retryAfterSeconds = failure?.retryAfterSeconds
    this.ticket = failure?.ticket
  }
}

/** The server's sentence, or the screen's own `fallback` if the server sent none (spec section 8). */
export function sentenceOf(error: unknown, fallback: string): string {
  if (!(error instanceof CallError) || error.code === 'unreachable') return fallback
  // The server did answer, so the sentence must not say that it is unreachable.
  if (error.code === 'unreadable' && fallback !== texts.unreachable) return fallback
  return error.message
}
