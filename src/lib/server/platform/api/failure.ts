/** Turns errors into answers. What is not an AppError says nothing of the inside and carries the request id. */
import type { Context as HonoContext } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ErrorCode, errorStatus, type Failure } from '#lib/contract/errors.ts'
import { errorMessages } from '#lib/messages/errors.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { UnavailableError } from '../ports.ts'
import type { ApiEnv } from './types.ts'

function answer(http: HonoContext<ApiEnv>, failure: Failure): Response {
  if (failure.retryAfterSeconds) http.header('Retry-After', String(failure.retryAfterSeconds))
  return http.json(failure, failure.statusCode as ContentfulStatusCode)
}

export function fail(http: HonoContext<ApiEnv>, code: ErrorCode): Response {
  return answer(http, { statusCode: errorStatus[code], code, message: errorMessages[code] })
}

export function handleError(log: Log) {
  return (error: Error, http: HonoContext<ApiEnv>): Response => {
    if (error instanceof AppError) {
      const { code, message, retryAfterSeconds, fields, ticket } = error
      return answer(http, {
        statusCode: errorStatus[code],
        code,
        message,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(fields && { fields }),
        ...(ticket && { ticket })
      })
    }
    if (error instanceof HTTPException && error.status === 413) return fail(http, 'body_too_large')
    if (error instanceof HTTPException && error.status < 500) return fail(http, 'invalid_request')
    const requestId = http.get('requestId')
    if (error instanceof UnavailableError) {
      log.warn({ requestId, path: http.req.path, err: error }, 'not available')
      return fail(http, 'unavailable')
    }
    log.error({ requestId, method: http.req.method, path: http.req.path, err: error }, 'call failed')
    return answer(http, { statusCode: 500, code: 'internal', message: errorMessages.internal, requestId })
  }
}
