/** Parts that the shapes of the desk share. */
import { z } from '@hono/zod-openapi'
import type { DeskCallName } from './calls.ts'

/** What a call takes and answers. */
export type DeskShape = { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }
/** Shapes of some of the desk's calls: a misspelled call or part of one does not compile. */
export type SomeShapes = Partial<Record<DeskCallName, DeskShape>>

export const moment = z.iso.datetime()
export const units = z.string().regex(/^\d{1,78}$/)
/** In one spelling: ids are compared as text, too. */
export const uuid = z.uuid().toLowerCase()
export const why = z.string().trim().min(3, 'Say why, in a few words.').max(500, 'At most 500 characters.')
/** In one spelling: subjects of the log are compared as text. */
export const rowNumber = z.string().regex(/^[1-9]\d{0,17}$/)
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'A day, e.g. 2026-11-30.')
/** An amount of a token as a person types it, e.g. `0.002`. */
export const coinsTyped = z
  .string()
  .trim()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'An amount, e.g. 0.002.')
export const done = z.object({ message: z.string() })
export const proposed = z.object({ proposalId: z.string() })
export const stop = z.object({ id: z.string(), why: z.string(), actor: z.string(), stoppedAt: moment })
/** The reference of an order, however it was spaced. */
export const reference = z
  .string()
  .transform((text) => text.replace(/\s/g, '').toUpperCase())
  .pipe(z.string().regex(/^RF\d{14}$/, 'A reference has RF and 14 digits.'))
/** A file for the browser's downloads. */
export const fileAnswer = z.object({
  name: z.string(),
  content: z.string(),
  type: z.string(),
  encoding: z.enum(['text', 'base64'])
})
export const json = z.record(z.string(), z.unknown())
