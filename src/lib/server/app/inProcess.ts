/** Calls of the API by our own pages, without the network: as a customer, or as the plain form of a visitor's browser. */
import type { HttpBindings } from '@hono/node-server'
import { type CallName, calls, pathOf } from '#lib/contract/calls.ts'
import { CallFailed, type Failure } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'
import type { Customer } from '../platform/actor.ts'
import type { Api } from '../platform/api/types.ts'

export type CallInput = {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

/** The browser behind a form: its headers, and the address that it connected from. */
export type FormSender = { headers: Headers; remoteAddress: string | undefined }
export type FormOutcome<K extends CallName> = {
  data: Answer<K> | undefined
  failure: Failure | undefined
  /** `Set-Cookie` headers of the answer. */
  cookies: string[]
}

/** Throws CallFailed. */
export async function ask<K extends CallName>(
  api: Api,
  customer: Customer | undefined,
  name: K,
  input: CallInput = {}
): Promise<Answer<K>> {
  const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]))
  const url = `/v1${pathOf(name, input.params)}${query.size > 0 ? `?${query}` : ''}`
  const init = {
    method: calls[name].method,
    ...(input.body !== undefined && {
      body: JSON.stringify(input.body),
      headers: { 'content-type': 'application/json' }
    })
  }
  const response = await api.request(url, init, customer ? { customer } : {})
  const body: { data: Answer<K> } | Failure = await response.json()
  if ('data' in body) return body.data
  throw new CallFailed(body)
}

const FORWARDED = ['cookie', 'user-agent', 'x-forwarded-for', 'host']

export async function submit<K extends CallName>(
  api: Api,
  { headers, remoteAddress }: FormSender,
  name: K,
  body: object
): Promise<FormOutcome<K>> {
  const kept = FORWARDED.flatMap((header) => {
    const value = headers.get(header)
    return value === null ? [] : [[header, value] as [string, string]]
  })
  const init = {
    method: calls[name].method,
    body: JSON.stringify(body),
    headers: [...kept, ['content-type', 'application/json'] as [string, string]]
  }
  const incoming = { socket: { remoteAddress } } as HttpBindings['incoming']
  const response = await api.request(`/v1${pathOf(name)}`, init, { incoming, isForm: true })
  const answer: { data: Answer<K> } | Failure = await response.json()
  const cookies = response.headers.getSetCookie()
  return 'data' in answer ? { data: answer.data, failure: undefined, cookies } : { data: undefined, failure: answer, cookies }
}
