import type { ErrorCode, ErrorParams } from '#lib/contract/errors.ts'
import type { FieldError } from '#lib/domain/fields.ts'

type Details = {
  params?: ErrorParams
  retryAfterSeconds?: number
  fields?: Record<string, FieldError>
  ticket?: string
  lookAt?: string
}

/** An error that the caller may see, by its code. The text is chosen where the response is made. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Details

  constructor(code: ErrorCode, details: Details = {}) {
    super(code)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** An outside service does not respond at the moment; the caller may try again. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}
