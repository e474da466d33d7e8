/**
 * What a page reads. The questions that it asks at the same moment go to the database as one statement, so that a page of twenty questions makes
 * as many round trips as its answers depend on one another. The connections are read-only: looking at a page changes nothing. What a page
 * asks twice is sent once.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Pipeline } from './pipeline.ts'

type Types = { getTypeParser: (oid: number, format: string) => (text: string) => unknown }
type Statement = { text: string; rowMode?: string; types?: Types }
type Field = { name: string; dataTypeID: number }
type Result = { rows: unknown[]; fields: Field[] }
type Question = { statement: Statement; values: unknown[]; answer: PromiseWithResolvers<unknown> }
/** One page: its answers so far, by statement, then by values; and what it asks at this moment. */
type Page = { answers: Map<string, Map<string, Promise<unknown>>>; questions: Question[] }
const pages = new AsyncLocalStorage<Page>()

/** Whatever `run` reads belongs to one page, outside transactions. Nested calls are of the outer page. */
export function readingPage<T>(run: () => T): T {
  return pages.getStore() ? run() : pages.run({ answers: new Map(), questions: [] }, run)
}

type Query = (config: unknown, values?: unknown, answered?: unknown) => unknown

/** Sends the reads of pages to the pipeline; all other statements go to the pool, as before. */
export function sendPagesTo(pipeline: Pipeline, pool: pg.Pool): void {
  const fromPool = pool.query.bind(pool) as Query
  const query: Query = (config, values, answered) => {
    const page = pages.getStore()
    if (!page || answered || !isStatement(config) || !Array.isArray(values)) return fromPool(config, values, answered)
    const byValues = page.answers.get(config.text) ?? new Map<string, Promise<unknown>>()
    page.answers.set(config.text, byValues)
    const key = `${config.rowMode ?? ''}${JSON.stringify(values, bigintAsText)}`
    const known = byValues.get(key)
    if (known) return known
    const answer = Promise.withResolvers<unknown>()
    byValues.set(key, answer.promise)
    page.questions.push({ statement: config, values, answer })
    if (page.questions.length === 1) setImmediate(() => send(pipeline, page.questions.splice(0)))
    return answer.promise
  }
  pool.query = query as typeof pool.query
}

function isStatement(config: unknown): config is Statement {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string'
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** The columns of each statement, as the database described them with its first answer. */
const described = new Map<string, { id: number; fields: Field[] }>()
/** Statements of several questions, by the numbers of these. */
const combined = new Map<string, { name: string; text: string }>()
/** Each connection keeps a plan of each; pages ask for far fewer. */
const MOST_COMBINED = 500
const MOST_DESCRIBED = 2000
const MOST_AT_ONCE = 32

function send(pipeline: Pipeline, questions: Question[]): void {
  const isKnown = ({ statement }: Question) => described.has(statement.text)
  const known = questions.filter(isKnown)
  for (const question of questions) if (!isKnown(question)) void sendAlone(pipeline, question)
  for (let from = 0; from < known.length; from += MOST_AT_ONCE)
    void sendTogether(pipeline, known.slice(from, from + MOST_AT_ONCE))
}

async function sendAlone(pipeline: Pipeline, { statement, values, answer }: Question): Promise<void> {
  try {
    const result = (await pipeline.query(statement, values)) as Result
    if (!described.has(statement.text) && described.size < MOST_DESCRIBED)
      described.set(statement.text, { id: described.size, fields: result.fields })
    answer.resolve(result)
  } catch (error) {
    answer.reject(error)
  }
}

async function sendTogether(pipeline: Pipeline, questions: Question[]): Promise<void> {
  const statement = questions.length > 1 ? combine(questions) : undefined
  if (!statement) {
    for (const question of questions) void sendAlone(pipeline, question)
    return
  }
  const values = questions.flatMap((question) => question.values)
  try {
    const [row = []] = ((await pipeline.query({ ...statement, rowMode: 'array' }, values)) as { rows: string[][] }).rows
    questions.forEach(({ statement, answer }, index) => {
      answer.resolve(asResult(statement, JSON.parse(row[index] ?? '[]')))
    })
  } catch {
    // One of them cannot be answered: each gets its own answer or error.
    for (const question of questions) void sendAlone(pipeline, question)
  }
}

/** One statement with a column a question: its rows as JSON, each value as the text that the driver would have got. */
function combine(questions: Question[]): { name: string; text: string } | undefined {
  const key = questions.map(({ statement, values }) => `${described.get(statement.text)?.id} ${values.length}`).join()
  const known = combined.get(key)
  if (known || combined.size >= MOST_COMBINED) return known
  let offset = 0
  const columns = questions.map(({ statement, values }) => {
    const names = (described.get(statement.text)?.fields ?? []).map((_, index) => `c${index}`)
    const text = statement.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)
    offset += values.length
    return `(select json_agg(json_build_array(${names.map((name) => `q.${name}::text`).join()}))::text from (${text}) as q(${names.join()}))`
  })
  const made = { name: `page_${combined.size}`, text: `select ${columns.join()}` }
  combined.set(key, made)
  return made
}

function asResult({ text, rowMode, types = pg.types as Types }: Statement, rows: (string | null)[][]): Result {
  const fields = described.get(text)?.fields ?? []
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  const parsed = rows.map((row) => row.map((value, index) => (value === null ? null : parsers[index]?.(value))))
  if (rowMode === 'array') return { fields, rows: parsed }
  return { fields, rows: parsed.map((row) => Object.fromEntries(row.map((value, index) => [fields[index]?.name, value]))) }
}
