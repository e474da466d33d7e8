/**
 * What a page reads. The questions that it asks at the same moment go to the database as one statement, so that a page of twenty questions makes
 * as many round trips as its answers depend on one another. The connections are read-only: looking at a page changes nothing. What a page
 * asks twice is sent once.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { isReadOnly } from './faults.ts'
import { isStatement, type Statement } from './frequent.ts'
import type { Pipeline } from './pipeline.ts'
import type { Standby } from './standby.ts'

export type Types = { getTypeParser: (oid: number, format: string) => (text: string) => unknown }
type Typed = Statement & { types?: Types }
type Field = { name: string; dataTypeID: number }
type Result = { rows: unknown[]; fields: Field[] }
type Known = { id: number; fields: Field[] }
/**
 * `known`: how the statement was described when it was asked; undefined: not yet. `isOfAnyAge`: a standby may answer it also while a primary
 * answers.
 */
type Question = {
  statement: Typed
  values: unknown[]
  answer: PromiseWithResolvers<unknown>
  known: Known | undefined
  isOfAnyAge: boolean
}
type KnownQuestion = Question & { known: Known }
/**
 * One page: its answers so far, by values and statement; and what it asks at this moment. `mayBeOld`: while no primary answers, a standby may. `isOld`:
 * one has answered.
 */
type Page = {
  answers: Map<string, Promise<unknown>>
  questions: Question[]
  mayBeOld: boolean
  isOld: boolean
}

const pages = new AsyncLocalStorage<Page>()
const reads = new AsyncLocalStorage<Page>()
const ofAnyAge = new AsyncLocalStorage<true>()

const newPage = (mayBeOld = false): Page => ({ answers: new Map(), questions: [], mayBeOld, isOld: false })

/**
 * What `run` reads by `reading` belongs to one page. With `mayBeOld` so does what it reads otherwise, if there is a standby: while no primary answers,
 * the standby does.
 */
export function onePage<T>(run: () => T, { mayBeOld = false } = {}): T {
  return pages.run(newPage(mayBeOld), run)
}

/** Within a page that may be old, a standby may answer what `run` reads also while a primary answers. */
export function atAnyAge<T>(run: () => T): T {
  return pages.getStore()?.mayBeOld ? ofAnyAge.run(true, run) : run()
}

/** `run` only reads, for the page that it runs in, or for one of its own. */
export function reading<T>(run: () => T): T {
  return reads.run(pages.getStore() ?? newPage(), run)
}

/**
 * Looks again where a standby may have found nothing only because it is a moment behind, e.g. after a sign-in: the rest of the page is then read from
 * the primary. `isNothing`: what `look` returned, or threw, may be due to that.
 */
export async function lookTwice<T>(
  look: () => Promise<T>,
  isNothing: (found: { value: T } | { error: unknown }) => boolean
): Promise<T> {
  const found = await look().then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  const page = pages.getStore()
  if (page?.isOld && isNothing(found)) {
    page.mayBeOld = false
    page.isOld = false
    page.answers.clear()
    return look()
  }
  if ('error' in found) throw found.error
  return found.value
}

/** After a change: what the page has read may no longer be true. */
export function forgetReads(): void {
  pages.getStore()?.answers.clear()
}

/** `run` may write: what is kept by the way, e.g. the use of a limit, and work that a page sets off. */
export function notReading<T>(run: () => T): T {
  return pages.exit(() => reads.exit(run))
}

type Query = (config: unknown, values?: unknown, answered?: unknown) => unknown
/** Where statements go: those of pages to the pipeline or the standby, all others, and those that failed together, to the pool. */
type Ways = {
  pipeline: Pipeline
  standby: Standby | undefined
  fromPool: Query
  isLost: (error: unknown) => boolean
  types: Types
}

/** Sends the reads of pages to the pipeline or the standby. `isLost`: the database did not answer. `types`: the driver's parsers of values. */
export function sendPagesTo(
  pipeline: Pipeline,
  pool: { query: unknown },
  { standby, isLost, types }: Pick<Ways, 'standby' | 'isLost' | 'types'>
): void {
  const ways: Ways = { pipeline, standby, fromPool: (pool.query as Query).bind(pool), isLost, types }
  const canBeOld = (page: Page) => standby !== undefined && page.mayBeOld
  const pageOf = () => {
    const page = reads.getStore()
    if (page || !standby) return page
    const own = pages.getStore()
    return own?.mayBeOld ? own : undefined
  }
  const query: Query = (config, values, answered) => {
    const page = pageOf()
    if (!page || answered || !isStatement(config) || !Array.isArray(values)) return ways.fromPool(config, values, answered)
    const known = described.get(config.text)
    const asked = JSON.stringify(values, values.every(isPlain) ? undefined : bigintAsText)
    const key = `${asked}${config.rowMode ?? ''}${known ? known.id : config.text}`
    const before = page.answers.get(key)
    if (before) return before
    const answer = Promise.withResolvers<unknown>()
    page.answers.set(key, answer.promise)
    page.questions.push({ statement: config, values, answer, known, isOfAnyAge: canBeOld(page) && ofAnyAge.getStore() === true })
    if (page.questions.length === 1) sendSoon(() => send(ways, page))
    return answer.promise
  }
  pool.query = query

  /**
   * Sends what all pages ask at this moment in one packet, without waiting until the process has drawn other pages: the database works meanwhile.
   * Each page keeps its own context, e.g. for traces; not by `AsyncLocalStorage.bind`, whose function has a getter of its own (decision 0054).
   */
  let due: (() => void)[] = []
  function sendSoon(sendPage: () => void): void {
    const context = new AsyncResource('PAGE_QUESTIONS')
    due.push(() => context.runInAsyncScope(sendPage))
    if (due.length > 1) return
    setImmediate(() => {
      const all = due
      due = []
      for (const one of all) one()
      pipeline.flush()
    })
  }
}

/** JSON writes these without help, which is faster. */
const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number' || value === null
const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** The columns of each statement, as the database described them with its answer. */
const described = new Map<string, Known>()
/** Those of statements that are to be described anew: where nothing has changed they keep their number. */
const doubted = new Map<string, Known>()
/** Statements of several questions, by the numbers of these. */
const combined = new Map<string, { name: string; text: string }>()
/** Each connection keeps a plan of each; pages ask for far fewer. */
const MOST_COMBINED = 200
const MOST_DESCRIBED = 2000
const MOST_AT_ONCE = 32
/** A value within quotes that looks like a parameter would be renumbered. */
const PARAMETER_IN_QUOTES = /'[^']*\$\d[^']*'/
/** inet and char(n): as text they differ from what the driver gets. */
const OTHER_AS_TEXT = [869, 1042]
let numbered = 0

function send(ways: Ways, page: Page): void {
  const questions = page.questions.splice(0)
  const together: KnownQuestion[] = []
  for (const question of questions) {
    if (isKnown(question)) together.push(question)
    else void sendAlone(ways, page, question)
  }
  // In one order, whichever came first: fewer different statements.
  together.sort((one, other) => one.known.id - other.known.id)
  const groups =
    ways.standby && page.mayBeOld
      ? [together.filter(({ isOfAnyAge }) => isOfAnyAge), together.filter(({ isOfAnyAge }) => !isOfAnyAge)]
      : [together]
  for (const group of groups)
    for (let from = 0; from < group.length; from += MOST_AT_ONCE)
      void sendTogether(ways, page, group.slice(from, from + MOST_AT_ONCE))
}

const isKnown = (question: Question): question is KnownQuestion => question.known !== undefined

type Asked = { page: Page; isOfAnyAge: boolean }

/** From the standby where it may answer; from the primary otherwise, and where the standby has failed. */
async function ask(ways: Ways, { page, isOfAnyAge }: Asked, config: unknown, values: unknown): Promise<unknown> {
  const { pipeline, standby, isLost } = ways
  const mayAnswer = () => page.mayBeOld && standby?.isUsable && (isOfAnyAge || standby.isPrimarySilent)
  async function askStandby(): Promise<unknown> {
    const answer = await standby?.query(config, values)
    page.isOld = true
    return answer
  }
  if (mayAnswer())
    try {
      return await askStandby()
    } catch {
      return pipeline.query(config, values)
    }
  if (!page.mayBeOld || !standby) return pipeline.query(config, values)
  try {
    return await standby.unlessSilent(pipeline.query(config, values))
  } catch (error) {
    if (!isLost(error)) throw error
    // Whether a primary answers is found out now, not with the next look.
    await standby.look()
    if (mayAnswer()) return askStandby()
    throw error
  }
}

async function sendAlone(ways: Ways, page: Page, { statement, values, answer, isOfAnyAge }: Question): Promise<void> {
  try {
    const result = (await ask(ways, { page, isOfAnyAge }, statement, values)) as Result
    describe(statement.text, result.fields)
    answer.resolve(result)
  } catch (error) {
    if (!isReadOnly(error)) return answer.reject(error)
    // It writes, and has done nothing yet. What the page has read may be changed by it.
    page.answers.clear()
    answer.resolve(ways.fromPool(statement, values))
  }
}

function describe(text: string, fields: Field[]): void {
  if (described.has(text) || described.size >= MOST_DESCRIBED) return
  if (PARAMETER_IN_QUOTES.test(text) || fields.some(({ dataTypeID }) => OTHER_AS_TEXT.includes(dataTypeID))) return
  const before = doubted.get(text)
  doubted.delete(text)
  const columnsOf = (list: Field[]) => list.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  if (before && columnsOf(before.fields) === columnsOf(fields)) described.set(text, before)
  else {
    numbered += 1
    described.set(text, { id: numbered, fields })
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
/** The statement took too long, and the next try would too. */
const isTooLong = (error: unknown) => codeOf(error) === '57014'

async function sendTogether(ways: Ways, page: Page, questions: KnownQuestion[]): Promise<void> {
  const together = questions.length > 1 ? combine(questions) : undefined
  if (!together) {
    for (const question of questions) void sendAlone(ways, page, question)
    return
  }
  const values = questions.flatMap((question) => question.values)
  try {
    const asked: Asked = { page, isOfAnyAge: questions.every((question) => question.isOfAnyAge) }
    const [row = []] = ((await ask(ways, asked, { ...together, rowMode: 'array' }, values)) as { rows: (string | null)[][] }).rows
    for (const [index, { statement, known, answer }] of questions.entries())
      answer.resolve(asResult(ways.types, statement, known, rowsIn(row[index])))
  } catch (error) {
    if (isReadOnly(error)) page.answers.clear()
    for (const { statement, values: own, known, answer } of questions) {
      if (ways.isLost(error) || isTooLong(error)) answer.reject(error)
      else {
        // One of them has a fault, or its table has changed: each gets its own answer, and is described anew.
        if (described.get(statement.text) === known) described.delete(statement.text)
        doubted.set(statement.text, known)
        answer.resolve(ways.fromPool(statement, own))
      }
    }
  }
}

const NO_ROWS = '[]'
const rowsIn = (column: string | null | undefined): (string | null)[][] =>
  column && column !== NO_ROWS ? JSON.parse(column) : []

/** uuid, text and varchar: JSON has their text as it is. */
const SAME_IN_JSON = [2950, 25, 1043]
const asText = ({ dataTypeID }: Field, name: string) => (SAME_IN_JSON.includes(dataTypeID) ? name : `${name}::text`)

/**
 * One statement with a column a question: its rows as JSON, each value as the text that the driver would have got. `array` instead of an aggregate, and no
 * cast where none is needed: both are prepared anew each time that the statement runs.
 */
function combine(questions: KnownQuestion[]): { name: string; text: string } | undefined {
  const key = questions.map(({ known, values }) => `${known.id} ${values.length}`).join()
  const before = combined.get(key)
  if (before || combined.size >= MOST_COMBINED) return before
  let offset = 0
  const columns = questions.map(({ statement, known: { fields }, values }) => {
    const names = fields.map((_, index) => `c${index}`)
    const text = statement.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)
    offset += values.length
    const texts = fields.map((field, index) => asText(field, `q.c${index}`))
    return `array_to_json(array(select json_build_array(${texts.join()}) from (${text}) as q(${names.join()})))::text`
  })
  const made = { name: `page_${combined.size}`, text: `select ${columns.join()}` }
  combined.set(key, made)
  return made
}

function asResult(usual: Types, { rowMode, types = usual }: Typed, known: Known, rows: (string | null)[][]): Result {
  const { fields } = known
  const parsers = parsersOf(known, types)
  const parsed = rows.map((row) => row.map((value, index) => (value === null ? null : parsers[index]?.(textOf(value)))))
  if (rowMode === 'array') return { fields, rows: parsed }
  return { fields, rows: parsed.map((row) => Object.fromEntries(row.map((value, index) => [fields[index]?.name, value]))) }
}

/** Where a column has another type by now, its values may not be texts: the statement then fails, and is described anew. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('A column has changed its type')
}

type Parser = ReturnType<Types['getTypeParser']>
/** By the columns of a statement; a statement is nearly always asked by the same part of the process, with the same parsers. */
const lastParsers = new WeakMap<Known, { types: Types; parsers: Parser[] }>()

function parsersOf(known: Known, types: Types): Parser[] {
  const last = lastParsers.get(known)
  if (last?.types === types) return last.parsers
  const parsers = known.fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  lastParsers.set(known, { types, parsers })
  return parsers
}
