/** Serves the calls of the contract, over the network and in process: limits, input, proof, then the handler. */
import type { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import { type CallName, calls } from '#lib/contract/calls.ts'
import type { CallRules } from '#lib/contract/rules.ts'
import { eventStream } from '#lib/contract/shapes/common.ts'
import { type Shape, type Shapes, shapes } from '#lib/contract/shapes/index.ts'
import { whereShown } from '#lib/contract/shownBy.ts'
import type { Answer, Done } from '#lib/contract/types.ts'
import { answerSentence } from '#lib/messages/index.ts'
import type { Customer } from '../actor.ts'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import { isDatabaseLost, isGivenUp, isOutcomeUnknown } from '../db/faults.ts'
import { watchingChanges } from '../db/outcome.ts'
import { AppError } from '../errors.ts'
import { countedWith } from '../limitedReads.ts'
import { countAgainst, type Limit } from '../limits.ts'
import { note } from '../web/notes.ts'
import { clientAddress, limitKeyOf } from './clientAddress.ts'
import { describeCall } from './describe.ts'
import { RETRY_AFTER_SECONDS } from './failure.ts'
import { type Input, readInput } from './input.ts'
import { type EmailLimits, limitsOfCaller } from './limits.ts'
import { fromStandby, readingOnly } from './mayBeOld.ts'
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
  /** Returns the customer of the bearer token; throws `unauthorized`. `isCounted`: it also counted against their limits. */
  authenticate: (
    http: HonoContext<ApiEnv>,
    limitsOf: (userId: string) => Limit[]
  ) => Promise<{ customer: Customer; isCounted: boolean }>
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

/** A caller whom the transport has identified. `readInput` returns what the call's shape lets through. */
type Caller = {
  address: string
  customer: Customer | undefined
  /** The limits by address and account are counted. */
  isCounted?: boolean
  idempotencyKey: string | undefined
  readInput: (shape: Shape) => Input | Promise<Input>
  http: HonoContext<ApiEnv>
}
/** Runs a call by its rules: limits, input, proof, then its handler. Returns what the handler answers. */
export type Serve = (name: CallName, caller: Caller) => Promise<unknown>

export function serveCalls(
  { context, requireFreshProof, underEmailLimits }: Pick<ApiDependencies, 'context' | 'requireFreshProof' | 'underEmailLimits'>,
  handlers: Handlers<CallName>
): Serve {
  function serve(name: CallName, caller: Caller): Promise<unknown> {
    const { address, isCounted, idempotencyKey, readInput: read, http } = caller
    const rules: CallRules = calls[name]
    const customer = rules.who === 'anyone' ? undefined : caller.customer
    const shape: Shape = shapes[name]
    const { limits } = rules
    requireAddress(name, address)
    if (rules.who === 'customer' && !customer) throw new AppError('unauthorized')
    const limited = isCounted ? [] : limitsOfCaller(name, limits, { address, userId: customer?.userId })
    function perform(): Promise<unknown> {
      const input = (shape.params ?? shape.query ?? shape.body) ? read(shape) : NO_INPUT
      return input instanceof Promise ? input.then(performWith) : performWith(input)
    }
    function performWith(input: Input): Promise<unknown> {
      if (rules.proof === 'fresh' && customer) requireFreshProof(customer)
      const call: AnyCall = { ...input, customer, address, http, idempotencyKey }
      // The only place where a call's name loses its static type: `handlers` has an entry for every name.
      const handle = () => (handlers[name] as (call: never) => Promise<unknown>)(call as never)
      const run = () => fromStandby(name, handle)
      // What only reads has no outcome that could be unknown.
      if (rules.method === 'GET') return run()
      const email = emailOf(input.body)
      return watchingChanges(async (hasChanged) => {
        try {
          return limits.email && email !== undefined
            ? await underEmailLimits({ name, limits: limits.email, address, email, http }, run)
            : await run()
        } catch (error) {
          if (!isUnknown(error, { hasKey: idempotencyKey !== undefined, hasChanged: hasChanged() })) throw error
          throw outcomeUnknown(context, name, { idempotencyKey, error })
        }
      })
    }
    const answered = onlyReads(name) ? countedWith(context, limited, perform) : countAgainst(context, limited).then(perform)
    const message = answerSentence('en', name)
    return message === undefined ? answered : answered.then((answer) => (answer instanceof Response ? answer : { message }))
  }
  return (name, caller) => attempt(() => serve(name, caller))
}

/** A stream goes on after its answer: it would read the same for ever. */
const onlyReads = (name: CallName) => calls[name].method === 'GET' && shapes[name].answer !== eventStream

export function mountCalls(api: Api, dependencies: ApiDependencies, serve: Serve): void {
  // Fixed paths first, so that Hono's fast router can take all of them.
  const hasParams = (name: CallName) => Number(calls[name].path.includes('{'))
  for (const name of (Object.keys(calls) as CallName[]).sort((one, other) => hasParams(one) - hasParams(other))) {
    describeCall(api, name)
    mountCall(api, dependencies, name, serve)
  }
}

function mountCall(
  api: Api,
  { proxyHops, authenticate }: Pick<ApiDependencies, 'proxyHops' | 'authenticate'>,
  name: CallName,
  serve: Serve
): void {
  const rules: CallRules = calls[name]
  const path = rules.path.replace(/\{(\w+)\}/g, ':$1')
  api.on(METHODS[rules.method].toUpperCase(), path, (http) =>
    onlyReads(name) ? readingOnly(name, () => answer(http)) : answer(http)
  )
  async function answer(http: HonoContext<ApiEnv>): Promise<Response> {
    const address = clientAddress(http, proxyHops) ?? ''
    requireAddress(name, address)
    note(http.env?.outgoing, { from: limitKeyOf(address), route: `/v1${rules.path}` })
    const limitsOf = (userId: string) => limitsOfCaller(name, rules.limits, { address, userId })
    const caller = rules.who === 'anyone' ? { customer: undefined } : await authenticate(http, limitsOf)
    if (caller.customer) note(http.env?.outgoing, { who: caller.customer.userId })
    const answered = await serve(name, {
      address,
      ...caller,
      idempotencyKey: keyOf(http, rules),
      readInput: (shape) => readInput(http, shape),
      http
    })
    return answered instanceof Response ? answered : http.json({ data: answered })
  }
}

/**
 * Also a call that lost the database after it had changed something; and one with a key that waited in vain: most likely for an earlier one
 * with the same key, whose outcome is not known.
 */
function isUnknown(error: unknown, { hasKey, hasChanged }: { hasKey: boolean; hasChanged: boolean }): boolean {
  if (isOutcomeUnknown(error) || (hasChanged && isDatabaseLost(error))) return true
  return hasKey && isGivenUp(error)
}

/** Neither done nor failed, as far as we know. With its key the caller asks again; without one they look first. */
function outcomeUnknown(
  { log }: Context,
  name: CallName,
  { idempotencyKey, error }: { idempotencyKey: string | undefined; error: unknown }
) {
  log.warn({ call: name, err: error }, 'the outcome of a call is not known')
  const lookAt = idempotencyKey === undefined ? whereShown(name) : undefined
  return new AppError('outcome_unknown', { retryAfterSeconds: RETRY_AFTER_SECONDS, ...(lookAt && { lookAt }) })
}

/** Without an address all browsers would share one counter, and anybody could use it up for everybody. */
function requireAddress(name: CallName, address: string): void {
  const { limits }: CallRules = calls[name]
  if ((limits.address !== undefined || limits.email !== undefined) && address === '')
    throw new Error(`${name} is limited by address: the caller must pass the browser's`)
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
