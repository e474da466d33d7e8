/** Registers one call of the contract: limits, bearer, shape, then the handler; and its page in the OpenAPI file. */
import type { z } from '@hono/zod-openapi'
import type { Context as HonoContext } from 'hono'
import { type CallName, calls, isOpenCall } from '#lib/contract/calls.ts'
import type { Shape, Shapes } from '#lib/contract/shapes/index.ts'
import { shapes } from '#lib/contract/shapes/index.ts'
import type { Answer } from '#lib/contract/types.ts'
import { authenticate } from '../../access/authenticate.ts'
import type { Context, Customer } from '../context.ts'
import { AppError } from '../errors.ts'
import { takeLimits } from '../limits.ts'
import { clientAddress } from './clientAddress.ts'
import { describeRoute } from './describe.ts'
import { readInput } from './input.ts'
import { limitsOfCaller, limitsOfEmail } from './limits.ts'
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
} & ((typeof calls)[K] extends { open: true } ? unknown : { customer: Customer })

export type ApiDependencies = {
  context: Context
  proxyHops: number
  secureCookie: boolean
  /** The origin of the product's own pages, where it is configured. */
  publicOrigin: string | undefined
}

const KEY_LENGTH = 200
const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch' } as const

export function route<K extends CallName>(
  api: Api,
  { context, proxyHops }: ApiDependencies,
  name: K,
  summary: string,
  handle: (call: Call<K>) => Promise<Answer<K>>
): void {
  const { method, path } = calls[name]
  const shape: Shape = shapes[name]
  describeRoute(api, name, summary)
  api.on(METHODS[method].toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'), async (http) => {
    const address = clientAddress(http, proxyHops)
    const customer = isOpenCall(name) ? undefined : await authenticate(context, http)
    await takeLimits(context, limitsOfCaller(name, { address, userId: customer?.userId }))
    const input = await readInput(http, shape)
    await takeLimits(context, limitsOfEmail(name, { address, email: input.email }))
    // The one place where a call's static type and its shape meet: `shape` is the entry of `name`.
    const call = {
      ...input,
      customer,
      address,
      http,
      idempotencyKey: method === 'GET' ? undefined : idempotencyKey(http)
    } as unknown as Call<K>
    return http.json({ data: await handle(call) })
  })
}

function idempotencyKey(http: HonoContext<ApiEnv>): string | undefined {
  const key = http.req.header('idempotency-key')
  if (key !== undefined && (key === '' || key.length > KEY_LENGTH)) throw new AppError('invalid_request')
  return key
}
