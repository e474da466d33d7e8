/**
 * What a page reads. Its statements go to a pipeline of read-only connections: a page of twenty questions makes as many round trips as its
 * answers depend on one another, and looking at a page changes nothing. A statement that a page asks twice is sent once.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Pipeline } from './pipeline.ts'

/** The answers of one page so far, by statement, then by values. */
type Page = Map<string, Map<string, Promise<unknown>>>
const pages = new AsyncLocalStorage<Page>()

/** Whatever `run` reads belongs to one page, outside transactions. Nested calls are of the outer page. */
export function readingPage<T>(run: () => T): T {
  return pages.getStore() ? run() : pages.run(new Map(), run)
}

type Statement = { text: string; rowMode?: string }
type Query = (config: unknown, values?: unknown, answered?: unknown) => unknown

/** Sends the reads of pages to the pipeline; all other statements go to the pool, as before. */
export function sendPagesTo(pipeline: Pipeline, pool: pg.Pool): void {
  const fromPool = pool.query.bind(pool) as Query
  const query: Query = (config, values, answered) => {
    const page = pages.getStore()
    if (!page || answered || !isStatement(config)) return fromPool(config, values, answered)
    const byValues = page.get(config.text) ?? new Map<string, Promise<unknown>>()
    page.set(config.text, byValues)
    const key = `${config.rowMode ?? ''}${JSON.stringify(values, bigintAsText)}`
    const asked = byValues.get(key) ?? pipeline.query(config, values)
    byValues.set(key, asked)
    return asked
  }
  pool.query = query as typeof pool.query
}

function isStatement(config: unknown): config is Statement {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string'
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
