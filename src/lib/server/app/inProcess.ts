/** Calls of the API by our own pages, without the network, for the browser that asks for the page. */
import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import { type CallName, calls, pathOf } from '#lib/contract/calls.ts'
import { CallFailed, type Failure } from '#lib/contract/errors.ts'
import type { Shape } from '#lib/contract/shapes/index.ts'
import type { Answer } from '#lib/contract/types.ts'
import type { Customer } from '../platform/actor.ts'
import { addressBehind, GONE } from '../platform/api/clientAddress.ts'
import { failureOf, failureOfError } from '../platform/api/failure.ts'
import { checkInput } from '../platform/api/input.ts'
import type { Serve } from '../platform/api/mount.ts'
import type { Api, ApiEnv } from '../platform/api/types.ts'
import { attempt } from '../platform/attempt.ts'
import { forgetReads, reading } from '../platform/db/pageReads.ts'
import type { Log } from '../platform/log.ts'
import { inSpan } from '../platform/tracing.ts'

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

type Deps = { serve: Serve; log: Log; proxyHops: number }

/** Throws CallFailed. A value that cannot be part of a path is `not_found`. */
export const ask = <K extends CallName>(deps: Deps, caller: Caller, name: K, input?: CallInput): Promise<Answer<K>> =>
  attempt(() => askNow(deps, caller, name, input))

function askNow<K extends CallName>(
  { serve, log, proxyHops }: Deps,
  { customer, browser }: Caller,
  name: K,
  input: CallInput = {}
): Promise<Answer<K>> {
  if (!isPath(name, input.params)) throw new CallFailed(failureOf('not_found'))
  const forwarded = proxyHops > 0 ? (browser?.headers.get('x-forwarded-for') ?? undefined) : undefined
  const address = addressBehind(browser && (browser.remoteAddress ?? GONE), forwarded, proxyHops) ?? ''
  const readInput = (shape: Shape) => checkInput(shape, input)
  const { method, path } = calls[name]
  const caller = { address, customer, idempotencyKey: undefined, readInput, http: NO_HTTP }
  const run = () => inSpan(`${method} /v1${path}`, () => serve(name, caller))
  const answer = method === 'GET' ? reading(run) : run().finally(forgetReads)
  return answer.then(withoutUndefined as (value: unknown) => Answer<K>, (error: unknown) => {
    throw new CallFailed(failureOfError(log, error, { requestId: randomUUID(), path: `/v1${path}`, method }))
  })
}

/** Pages make no call whose handler looks at the request: those come over the network, or by `submit`. */
const NO_HTTP = new Proxy({} as HonoContext<ApiEnv>, {
  get: (_, name) => {
    throw new Error(`This call needs a request, which a page has not: http.${String(name)}`)
  }
})

/** Leaves out properties that are undefined, because JSON does too. Returns the same object where there are none. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Most answers have none: their objects are passed on, not copied.
  return Array.isArray(value) ? itemsWithoutUndefined(value) : fieldsWithoutUndefined(value as Record<string, unknown>)
}

function itemsWithoutUndefined(items: unknown[]): unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < items.length; index += 1) {
    const kept = withoutUndefined(items[index])
    if (kept === items[index]) continue
    copy ??= [...items]
    copy[index] = kept
  }
  return copy ?? items
}

function fieldsWithoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const key in fields) {
    const one = fields[key]
    const kept = withoutUndefined(one)
    if (kept === one && one !== undefined) continue
    copy ??= { ...fields }
    if (one === undefined) delete copy[key]
    else copy[key] = kept
  }
  return copy ?? fields
}

const JSON_TYPE: [string, string] = ['content-type', 'application/json']
const FROM_FORMS = ['cookie', 'user-agent', 'x-forwarded-for', 'host']

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
