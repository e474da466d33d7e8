import type { ErrorCode } from '#lib/contract/errors.ts'
import { errorMessages } from '#lib/messages/errors.ts'

type Details = { retryAfterSeconds?: number; fields?: Record<string, string>; ticket?: string }

/** An error that the caller may know about; its code decides status and sentence. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly fields: Record<string, string> | undefined
  readonly ticket: string | undefined

  constructor(code: ErrorCode, details: Details = {}) {
    super(errorMessages[code])
    this.name = 'AppError'
    this.code = code
    this.retryAfterSeconds = details.retryAfterSeconds
    this.fields = details.fields
    this.ticket = details.ticket
  }
}
