import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Customer } from '../actor.ts'

/** `customer` is set by pages that ask in process; nothing that comes over the network can set it. */
export type ApiEnv = {
  Bindings: Partial<HttpBindings> & { customer?: Customer; requestId?: string }
}
export type Api = OpenAPIHono<ApiEnv>
