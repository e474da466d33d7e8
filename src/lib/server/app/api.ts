/** The `/v1` application: the calls of all features. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { type CallName, calls } from '#lib/contract/calls.ts'
import { BRAND } from '#lib/domain/brand.ts'
import { authenticate, hasOwnLimits, readBrowser, requireFreshProof } from '../access/index.ts'
import { fail, handleError } from '../platform/api/failure.ts'
import { underEmailLimits } from '../platform/api/limits.ts'
import { type ApiDependencies, type Handlers, mountCalls, type Serve, serveCalls } from '../platform/api/mount.ts'
import { describeApi } from '../platform/api/openapi.ts'
import type { Api, ApiEnv } from '../platform/api/types.ts'
import { featureHandlers, type features } from './features.ts'
import type { Parts } from './parts.ts'

const BODY_BYTES = 64 * 1024
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE']
const knownPaths = Object.values(calls).map(({ path }) => new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}/?$`))

export function createApi(parts: Parts): { api: Api; serve: Serve } {
  const { context } = parts
  const dependencies = callDependencies(parts)
  const serve = serveCalls(dependencies, handlersOf(parts))
  const api: Api = new OpenAPIHono<ApiEnv>({ strict: false }).basePath('/v1')
  const limitBody = bodyLimit({ maxSize: BODY_BYTES, onError: (http) => fail(http, 'body_too_large') })
  // Not for GET, which has no body: Hono answers a path with one handler alone without its chain of middleware.
  api.on(METHODS_WITH_BODY, '*', limitBody)
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
  mountCalls(api, dependencies, serve)
  describeApi(api, `${BRAND.name} API`)
  api.onError(handleError(context.log))
  api.notFound((http) => fail(http, knownPaths.some((path) => path.test(http.req.path)) ? 'method_not_allowed' : 'not_found'))
  return { api, serve }
}

function callDependencies({ context, config }: Parts): ApiDependencies {
  return {
    context,
    proxyHops: config.proxyHops,
    authenticate: (http, limitsOf) => authenticate(context, http, limitsOf),
    requireFreshProof: (customer) => requireFreshProof(context, customer),
    underEmailLimits: underEmailLimits(context, async ({ http, email, name }) => {
      const holder = readBrowser(http, config.production)
      return (await hasOwnLimits(context, holder, email, name)) ? holder : undefined
    })
  }
}

type FeatureHandlers = {
  [Name in keyof typeof features]: (typeof features)[Name] extends { handlers: (parts: Parts) => infer Own } ? Own : never
}
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never

/** A call without a handler does not compile: what the features register must be all of the contract. */
function handlersOf(parts: Parts): Handlers<CallName> {
  return Object.assign({}, ...featureHandlers(parts)) as AllOf<FeatureHandlers[keyof typeof features]>
}
