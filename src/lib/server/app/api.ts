/** The `/v1` application. */
import { randomUUID } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { calls } from '#lib/contract/calls.ts'
import { BRAND } from '#lib/domain/brand.ts'
import { registerUsers } from '../access/handlers.ts'
import { registerSecurity } from '../access/securityHandlers.ts'
import { registerIdentity } from '../identity/handlers.ts'
import { registerOrders } from '../orders/handlers.ts'
import { fail, handleError } from '../platform/api/failure.ts'
import type { ApiDependencies } from '../platform/api/route.ts'
import type { Api, ApiEnv } from '../platform/api/types.ts'
import { registerToken } from '../wallet/handlers.ts'

const BODY_BYTES = 64 * 1024
const knownPaths = Object.values(calls).map(({ path }) => new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}/?$`))

export function createApi(dependencies: ApiDependencies): Api {
  const api: Api = new OpenAPIHono<ApiEnv>({ strict: false }).basePath('/v1')
  const limitBody = bodyLimit({ maxSize: BODY_BYTES, onError: (http) => fail(http, 'body_too_large') })
  api.use((http, next) => {
    const requestId = http.env?.requestId ?? randomUUID()
    http.set('requestId', requestId)
    // The front server sets them itself, where it costs less.
    if (!http.env?.requestId) {
      http.header('X-Request-Id', requestId)
      http.header('Cache-Control', 'no-store')
    }
    // Only looking for a body makes a GET several times slower.
    return http.req.method === 'GET' ? next() : limitBody(http, next)
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
  registerUsers(api, dependencies)
  registerSecurity(api, dependencies)
  registerIdentity(api, dependencies)
  registerToken(api, dependencies)
  registerOrders(api, dependencies)
  api.doc31('/openapi.json', { openapi: '3.1.0', info: { title: `${BRAND.name} API`, version: '1' }, servers: [{ url: '/v1' }] })
  api.onError(handleError(dependencies.context.log))
  api.notFound((http) => fail(http, knownPaths.some((path) => path.test(http.req.path)) ? 'method_not_allowed' : 'not_found'))
  return api
}
