/** Calls of the API by our own pages, without the network, for the browser that asks for the page. */
import type { HttpBindings } from '@hono/node-server'
import { type CallName, calls, pathOf } from '#lib/contract/calls.ts'
import { CallFailed, type Failure } from '#lib/contract/errors.ts'
import type { Answer } from '#lib/contract/types.ts'
import type { Customer } from '../platform/actor.ts'
import { failureOf } from '../platform/api/failure.ts'
import type { Api } from '../platform/api/types.ts'

export type CallInput = {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: unknown
}

/** The browser behind a page or form: its headers, and the address that it connected from. Limits by address count by it. */
export type Browser = { headers: Headers; remoteAddress: string | undefined }
export type FormOutcome<K extends CallName> = {
  data: Answer<K> | undefined
  failure: Failure | undefined
  /** `Set-Cookie` headers of the answer. */
  cookies: string[]
}

/** `browser`: undefined only for calls without a limit by address; the others throw. */
export type Caller = { customer: Customer | undefined; browser: Browser | undefined }

/** Throws CallFailed. A value that cannot be part of a path is `not_found`. */
export async function ask<K extends CallName>(
  api: Api,
  { customer, browser }: Caller,
  name: K,
  input: CallInput = {}
): Promise<Answer<K>> {
  if (!isPath(name, input.params)) throw new CallFailed(failureOf('not_found'))

  const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]))
  const url = `/v1${pathOf(name, input.params)}${query.size > 0 ? `?${query}` : ''}`
  const hasBody = input.body !== undefined
  const init = {
    method: calls[name].method,
    headers: [...keptOf(browser, FROM_PAGES), ...(hasBody ? [JSON_TYPE] : [])],
    ...(hasBody && { body: JSON.stringify(input.body) })
  }
  const response = await api.request(url, init, {
    ...(customer && { customer }),
    ...(browser && { incoming: incomingOf(browser) })
  })
  const body: { data: Answer<K> } | Failure = await response.json()
  if ('data' in body) return body.data
  throw new CallFailed(body)
}

const JSON_TYPE: [string, string] = ['content-type', 'application/json']
/** The session is passed as the customer; the cookie itself is for forms that sign in and out. */
const FROM_PAGES = ['user-agent', 'x-forwarded-for', 'host']
const FROM_FORMS = ['cookie', ...FROM_PAGES]

/** The browser as the API's server would see it. */
export const incomingOf = ({ remoteAddress }: Browser) => ({ socket: { remoteAddress } }) as HttpBindings['incoming']

function keptOf(browser: Browser | undefined, names: string[]): [string, string][] {
  return names.flatMap((name) => {
    const value = browser?.headers.get(name) ?? null
    return value === null ? [] : [[name, value] as [string, string]]
  })
}

function isPath(name: CallName, params: CallInput['params']): boolean {
  try {
    pathOf(name, params)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export async function submit<K extends CallName>(api: Api, browser: Browser, name: K, body: object): Promise<FormOutcome<K>> {
  const init = {
    method: calls[name].method,
    body: JSON.stringify(body),
    headers: [...keptOf(browser, FROM_FORMS), JSON_TYPE]
  }
  const response = await api.request(`/v1${pathOf(name)}`, init, { incoming: incomingOf(browser), isForm: true })
  const answer: { data: Answer<K> } | Failure = await response.json()
  const cookies = response.headers.getSetCookie()
  return 'data' in answer ? { data: answer.data, failure: undefined, cookies } : { data: undefined, failure: answer, cookies }
}
