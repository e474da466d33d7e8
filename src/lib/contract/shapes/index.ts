/**
 * The shape of every call's input and answer. The server validates with these; the browser imports only the types
 * made of them (`contract/types.ts`), so that no schema library reaches it.
 */
import type { z } from '@hono/zod-openapi'
import type { CallName } from '../calls.ts'
import { accountShapes } from './account.ts'
import { ordersShapes } from './orders.ts'
import { tokenShapes } from './token.ts'
import { usersShapes } from './users.ts'

export type Shape = { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }

export const shapes = { ...usersShapes, ...accountShapes, ...tokenShapes, ...ordersShapes } satisfies Record<CallName, Shape>
export type Shapes = typeof shapes
