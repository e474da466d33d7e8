import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Customer } from '../actor.ts'

/** `customer` and `isForm` are set by pages that call in process; a request over the network cannot set them. */
export type ApiEnv = {
  Bindings: Partial<HttpBindings> & { customer?: Customer; requestId?: string; isForm?: boolean }
}
export type Api = OpenAPIHono<ApiEnv>
