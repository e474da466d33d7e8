/** Turns errors into responses, and codes into sentences. An unknown error reveals no internals and carries the request id. */
import { randomUUID } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ErrorCode, errorStatus, type Failure } from '#lib/contract/errors.ts'
import { errorSentence } from '#lib/messages/index.ts'
import { isGivenUp, isUnreachable } from '../db/faults.ts'
import { AppError, UnavailableError } from '../errors.ts'
import type { Log } from '../log.ts'
import { note } from '../web/notes.ts'
import type { ApiEnv } from './types.ts'

/** The `Retry-After` while a service that we need does not respond. */
export const RETRY_AFTER_SECONDS = 5

type Details = Omit<Failure, 'statusCode' | 'code' | 'message'>

export function failureOf(code: ErrorCode, details: Details = {}): Failure {
  return { statusCode: errorStatus[code], code, message: errorSentence('en', code, details.params), ...details }
}

export function fail(http: HonoContext<ApiEnv>, code: ErrorCode, details: Details = {}): Response {
  return answerFailure(http, failureOf(code, details))
}

function answerFailure(http: HonoContext<ApiEnv>, failure: Failure): Response {
  note(http.env?.outgoing, { code: failure.code })
  if (failure.retryAfterSeconds) http.header('Retry-After', String(failure.retryAfterSeconds))
  return http.json(failure, failure.statusCode as ContentfulStatusCode)
}

/** The front server's request id, which is also in the access log and in the response's header. */
function requestIdOf(http: HonoContext<ApiEnv>): string {
  return http.env?.requestId ?? String(http.env?.outgoing?.getHeader('X-Request-Id') ?? randomUUID())
}

/** True if the caller disconnected before its body was complete: nothing is wrong on our side. */
function isGone(error: Error, http: HonoContext<ApiEnv>): boolean {
  return error.name === 'AbortError' || (error.message === 'aborted' && http.req.raw.signal.aborted)
}

/** Where a call failed, for the log. */
type Where = { requestId: string; path: string; method: string }

/** The failure that the caller gets. Errors that are not the caller's fault are logged. */
export function failureOfError(log: Log, error: unknown, where: Where): Failure {
  if (error instanceof AppError) return failureOf(error.code, error.details)
  const { requestId, path, method } = where
  if (isUnreachable(error) || isGivenUp(error) || error instanceof UnavailableError) {
    log.warn({ requestId, path, err: error }, 'not available')
    return failureOf('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  log.error({ requestId, method, path, err: error }, 'call failed')
  return failureOf('internal', { requestId })
}

export function handleError(log: Log) {
  return (error: Error, http: HonoContext<ApiEnv>): Response => {
    if (error instanceof HTTPException && error.status === 413) return fail(http, 'body_too_large')
    if (error instanceof HTTPException && error.status < 500) return fail(http, 'invalid_request')
    const where = { requestId: requestIdOf(http), path: http.req.path, method: http.req.method }
    if (!(error instanceof AppError) && isGone(error, http)) {
      log.debug({ requestId: where.requestId, path: where.path }, 'the caller went away')
      return fail(http, 'invalid_request')
    }
    return answerFailure(http, failureOfError(log, error, where))
  }
}
