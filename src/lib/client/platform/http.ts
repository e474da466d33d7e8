/** The only way from the browser to the API: bearer token, one refresh and replay on a 401, time-outs, errors as CallError. */
import { type CallName, calls, isOpenCall, pathOf } from '#lib/contract/calls.ts'
import type { Failure } from '#lib/contract/errors.ts'
import type { Answer, Body, Query } from '#lib/contract/types.ts'
import { endedSession } from './endedSession.ts'
import { CallError } from './failure.ts'
import { loadChunk } from './loadChunk.ts'
import { refreshToken } from './refresh.ts'
import { HttpError, sendJson } from './sendJson.ts'
import { session } from './session.ts'
import { apiUrl } from './transport.ts'

const TIMEOUT_MS = 3000
const UNAUTHORIZED = 401

export type Input<K extends CallName> = {
  params?: Record<string, string | number>
  query?: Query<K>
  body?: Body<K>
  idempotencyKey?: string
}

async function request<K extends CallName>(name: K, input: Input<K>, token: string | undefined): Promise<Answer<K>> {
  const { method } = calls[name]
  const url = apiUrl(pathOf(name, input.params))
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(input.idempotencyKey && { 'Idempotency-Key': input.idempotencyKey })
  }
  if (method !== 'GET')
    return (await sendJson<{ data: Answer<K> }>(url, { method, headers, body: input.body ?? {}, timeoutMs: TIMEOUT_MS })).data
  // The client that retries is loaded with the first read: no page reads before it has been looked at.
  const { readJson } = await loadChunk(() => import('./retried.ts'))
  const query = input.query as Record<string, string | number> | undefined
  return (await readJson<{ data: Answer<K> }>(url, { headers, query, timeoutMs: TIMEOUT_MS })).data
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof HttpError && error.status === UNAUTHORIZED
}

function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (!(error instanceof HttpError)) return new CallError(undefined, { cause: error })
  const said = typeof error.data === 'object' && error.data ? (error.data as Failure) : 'unreadable'
  return new CallError(said, { cause: error })
}

/**
 * Makes a call of the contract and returns its data; throws CallError. On a 401, refreshes the tokens and replays the call,
 * once. If the refresh fails, the original error is thrown; only a refused refresh ends the session here.
 */
export async function callNow<K extends CallName>(name: K, input: Input<K> = {}): Promise<Answer<K>> {
  const token = isOpenCall(name) ? undefined : (session.get()?.token ?? '')
  try {
    try {
      return await request(name, input, token)
    } catch (error) {
      if (token === undefined || !isUnauthorized(error)) throw error
      const refreshed = await refreshToken(token)
      if (refreshed === 'refused') endedSession()
      if (typeof refreshed === 'string') throw error
      return await request(name, input, refreshed.token)
    }
  } catch (error) {
    throw asCallError(error)
  }
}
