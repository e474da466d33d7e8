/** Serves the calls of the contract: limits, bearer, proof, shape, then the handler. */
import type { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import { type CallName, calls } from '#lib/contract/calls.ts'
import type { CallRules } from '#lib/contract/rules.ts'
import { type Shape, type Shapes, shapes } from '#lib/contract/shapes/index.ts'
import type { Answer, Done } from '#lib/contract/types.ts'
import { answerSentence } from '#lib/messages/index.ts'
import type { Customer } from '../actor.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { countAgainst, type Limit } from '../limits.ts'
import { clientAddress } from './clientAddress.ts'
import { describeCall } from './describe.ts'
import { readInput } from './input.ts'
import { type EmailLimits, limitsOfCaller } from './limits.ts'
import type { Api, ApiEnv } from './types.ts'

type Parsed<K extends CallName, P extends keyof Shape> = Shapes[K] extends { [key in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

export type Call<K extends CallName> = {
  params: Parsed<K, 'params'>
  query: Parsed<K, 'query'>
  body: Parsed<K, 'body'>
  idempotencyKey: string | undefined
  address: string
  http: HonoContext<ApiEnv>
} & ((typeof calls)[K]['who'] extends 'anyone' ? unknown : { customer: Customer })

/**
 * One handler for each call: a missing or an unknown one does not compile. A call without data responds with a sentence, which is
 * chosen here and not by its handler.
 */
export type Handlers<K extends CallName> = {
  [Name in K]: (call: Call<Name>) => Promise<Answer<Name> extends Done ? unknown : Answer<Name>>
}

export type ApiDependencies = {
  context: Context
  proxyHops: number
  /** Returns the customer of the bearer token; throws `unauthorized`. */
  authenticate: (http: HonoContext<ApiEnv>) => Promise<Customer>
  /** Throws `confirmation_required` or `account_locked`. */
  requireFreshProof: (customer: Customer) => void
  /** Runs a call under its limits by email, and gives back the uses of calls that do not count. */
  underEmailLimits: EmailLimits
}

type AnyCall = {
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | undefined
  address: string
  http: HonoContext<ApiEnv>
  customer: Customer | undefined
}

const KEY_LENGTH = 200
const NO_INPUT = { params: undefined, query: undefined, body: undefined }
const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const

export function mountCalls(api: Api, dependencies: ApiDependencies, handlers: Handlers<CallName>): void {
  // Fixed paths first, so that Hono's fast router can take all of them.
  const hasParams = (name: CallName) => Number(calls[name].path.includes('{'))
  for (const name of (Object.keys(calls) as CallName[]).sort((one, other) => hasParams(one) - hasParams(other))) {
    describeCall(api, name)
    // The only place where a call's name loses its static type: `handlers` has an entry for every name.
    mountCall(api, dependencies, name, handlers[name] as (call: never) => Promise<unknown>)
  }
}

function mountCall(
  api: Api,
  { context, proxyHops, authenticate, requireFreshProof, underEmailLimits }: ApiDependencies,
  name: CallName,
  handle: (call: never) => Promise<unknown>
): void {
  const rules: CallRules = calls[name]
  const shape: Shape = shapes[name]
  const message = answerSentence('en', name)
  const takesInput = Boolean(shape.params ?? shape.query ?? shape.body)
  const path = rules.path.replace(/\{(\w+)\}/g, ':$1')
  const countsAddresses = rules.limits.address !== undefined || rules.limits.email !== undefined
  api.on(METHODS[rules.method].toUpperCase(), path, async (http) => {
    const address = clientAddress(http, proxyHops) ?? ''
    // Otherwise all browsers would share one counter, and anybody could use it up for everybody.
    if (countsAddresses && address === '') throw new Error(`${name} is limited by address: the caller must pass the browser's`)
    const customer = rules.who === 'anyone' ? undefined : await authenticate(http)
    const limits: Limit[] = limitsOfCaller(name, rules.limits, { address, userId: customer?.userId })
    if (limits.length > 0) await countAgainst(context, limits)
    const input = takesInput ? await readInput(http, shape) : NO_INPUT
    if (rules.proof === 'fresh' && customer) requireFreshProof(customer)
    const call: AnyCall = { ...input, customer, address, http, idempotencyKey: keyOf(http, rules) }
    const run = () => handle(call as never)
    const email = emailOf(input.body)
    const answered =
      rules.limits.email && email !== undefined
        ? await underEmailLimits({ name, limits: rules.limits.email, address, email, http }, run)
        : await run()
    if (answered instanceof Response) return answered
    return http.json({ data: message === undefined ? answered : { message } })
  })
}

/** Every call with limits by email has an email in its body; its shape requires it. */
function emailOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'email' in body && typeof body.email === 'string' ? body.email : undefined
}

function keyOf(http: HonoContext<ApiEnv>, { key: counts }: CallRules): string | undefined {
  const key = http.req.header('idempotency-key')
  if (counts === 'none' || key === undefined) return undefined
  if (key === '' || key.length > KEY_LENGTH) throw new AppError('invalid_request')
  return key
}
