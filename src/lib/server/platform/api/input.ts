/** Reads and checks a caller's input. Every failure is the caller's and has a code; nothing here causes a 500. */
import type { Context as HonoContext } from 'hono'
import type { Shape } from '#lib/contract/shapes/index.ts'
import type { FieldError } from '#lib/domain/fields.ts'
import { isFormError } from '#lib/domain/fields.ts'
import { AppError } from '../errors.ts'
import type { ApiEnv } from './types.ts'

export type Input = { params: unknown; query: unknown; body: unknown }

export async function readInput(http: HonoContext<ApiEnv>, shape: Shape): Promise<Input> {
  const params = shape.params ? check(shape.params, http.req.param()) : undefined
  const query = shape.query ? check(shape.query, http.req.query()) : undefined
  const body = shape.body ? check(shape.body, await readJson(http)) : undefined
  return { params, query, body }
}

/** The same for values of a page of ours: as the network would carry them, texts in the path and the query. */
export function checkInput(
  shape: Shape,
  { params, query, body }: { params?: Texts | undefined; query?: Texts | undefined; body?: unknown }
): Input {
  return {
    params: shape.params ? check(shape.params, asTexts(params)) : undefined,
    query: shape.query ? check(shape.query, asTexts(query)) : undefined,
    body: shape.body ? check(shape.body, body ?? {}) : undefined
  }
}

type Texts = Record<string, string | number>
const asTexts = (values: Texts = {}) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]))

function check(shape: NonNullable<Shape['body']>, value: unknown): unknown {
  if (!isStorable(value)) throw new AppError('invalid_request')
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const fields: Record<string, FieldError> = {}
  for (const issue of result.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'body']
    for (const name of names) fields[name.slice(0, 100)] ??= isFormError(issue.message) ? issue.message : 'invalid'
  }
  throw new AppError('invalid_fields', { fields })
}

async function readJson(http: HonoContext<ApiEnv>): Promise<unknown> {
  const text = await http.req.text()
  if (text === '') return {}
  if (!/^application\/json\s*(;|$)/i.test(http.req.header('content-type') ?? '')) throw new AppError('unsupported_media_type')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_json')
  }
}

const MAX_DEPTH = 20

/** False for NUL and half surrogate pairs, which PostgreSQL text cannot hold, and for excessive nesting. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key, depth + 1) && isStorable(inner, depth + 1))
}
