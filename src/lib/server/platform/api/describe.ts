/** Describes a call in OpenAPI, from the same shapes that check its input. */
import { z } from '@hono/zod-openapi'
import { type CallName, calls, isOpenCall } from '#lib/contract/calls.ts'
import { BEYOND_SPEC } from '#lib/contract/ownCalls.ts'
import { type Shape, shapes } from '#lib/contract/shapes/index.ts'
import type { Api } from './types.ts'

const failure = z
  .object({
    statusCode: z.number().int(),
    code: z.string(),
    message: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    retryAfterSeconds: z.number().int().optional(),
    lookAt: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
    ticket: z.string().optional(),
    requestId: z.string().optional()
  })
  .openapi('Failure')

export function describeCall(api: Api, name: CallName): void {
  const { method, path } = calls[name]
  const shape: Shape = shapes[name]
  const request = {
    ...(shape.params instanceof z.ZodObject && { params: shape.params }),
    ...(shape.query instanceof z.ZodObject && { query: shape.query }),
    ...(shape.body && { body: { required: true, content: { 'application/json': { schema: shape.body } } } })
  }
  api.openAPIRegistry.registerPath({
    operationId: name,
    method: method.toLowerCase() as Lowercase<typeof method>,
    path,
    summary: shape.summary,
    ...(BEYOND_SPEC.has(name) && { 'x-beyond-specification': true }),
    tags: [path.split('/')[1] ?? ''],
    security: isOpenCall(name) ? [] : [{ bearer: [] }],
    request,
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: z.object({ data: shape.answer }) } } },
      default: { description: 'Failed', content: { 'application/json': { schema: failure } } }
    }
  })
}
