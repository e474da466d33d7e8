import type { ErrorCode, ErrorParams } from '#lib/contract/errors.ts'
import type { FieldError } from '#lib/domain/fields.ts'

type Details = {
  params?: ErrorParams
  retryAfterSeconds?: number
  fields?: Record<string, FieldError>
  ticket?: string
}

/** An error that the caller may know about, by its code. The edge chooses the words. */
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

/** The outside world does not answer at the moment; the caller may try again. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}
