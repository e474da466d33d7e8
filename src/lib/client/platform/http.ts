/** The only way from the browser to the API: bearer token, one refresh and replay on a 401, time-outs, errors as CallError. */
import ky, { isHTTPError } from 'ky'
import { type CallName, calls, isOpenCall, pathOf } from '#lib/contract/calls.ts'
import type { Failure } from '#lib/contract/errors.ts'
import type { Answer, Body, Query } from '#lib/contract/types.ts'
import { endedSession } from './endedSession.ts'
import { CallError } from './failure.ts'
import { refreshToken } from './refresh.ts'
import { session } from './session.ts'
import { apiUrl, send } from './transport.ts'

const TIMEOUT_MS = 3000
const GET_RETRIES = 2

export type Input<K extends CallName> = {
  params?: Record<string, string | number>
  query?: Query<K>
  body?: Body<K>
  idempotencyKey?: string
}

const client = ky.create({ timeout: TIMEOUT_MS, retry: { limit: GET_RETRIES, methods: ['get'] }, fetch: send })

async function request<K extends CallName>(name: K, input: Input<K>, token: string | undefined): Promise<Answer<K>> {
  const answer = await client(apiUrl(pathOf(name, input.params)), {
    method: calls[name].method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(input.idempotencyKey && { 'Idempotency-Key': input.idempotencyKey })
    },
    ...(input.query && { searchParams: input.query as Record<string, string | number> }),
    ...(calls[name].method !== 'GET' && { json: input.body ?? {} })
  }).json<{ data: Answer<K> }>()
  return answer.data
}

function isUnauthorized(error: unknown): boolean {
  return isHTTPError(error) && error.response.status === 401
}

function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (!isHTTPError<Failure>(error)) return new CallError(undefined, { cause: error })
  const said = typeof error.data === 'object' ? error.data : undefined
  return new CallError(said ?? 'unreadable', { cause: error })
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
