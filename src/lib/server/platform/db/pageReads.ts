/**
 * What a page reads. The questions that it asks at the same moment go to the database as one statement, so that a page of twenty questions makes
 * as many round trips as its answers depend on one another. The connections are read-only: looking at a page changes nothing. What a page
 * asks twice is sent once.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import {
  asResult,
  combine,
  describe,
  doubt,
  type Known,
  type KnownStatements,
  knowNothing,
  knownOf,
  type Result,
  rowsIn,
  type Typed,
  type Types
} from './combined.ts'
import { isGivenUp, isReadOnly } from './faults.ts'
import { isStatement } from './frequent.ts'
import type { Pipeline } from './pipeline.ts'
import type { Standby } from './standby.ts'

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
 * One page: what it has asked so far, by the text of the statement; and what it asks at this moment. `mayBeOld`: while no primary answers, a standby
 * may. `isOld`: one has answered. `context`: the async context in which the page reads; undefined for a page without `onePage`. It is made once a page,
 * because each `run` of an `AsyncLocalStorage` makes two contexts, and V8 copies with each collection what a page keeps while it waits.
 */
type Page = {
  asked: Map<string, Question[]>
  questions: Question[]
  mayBeOld: boolean
  isOld: boolean
  context?: AsyncResource
}

const pages = new AsyncLocalStorage<Page>()
const reads = new AsyncLocalStorage<Page>()
const ofAnyAge = new AsyncLocalStorage<true>()

const newPage = (mayBeOld = false): Page => ({ asked: new Map(), questions: [], mayBeOld, isOld: false })

/**
 * What `run` reads by `reading` belongs to one page. With `mayBeOld` so does what it reads otherwise, if there is a standby: while no primary answers,
 * the standby does.
 */
export function onePage<T>(run: () => T, { mayBeOld = false } = {}): T {
  const page = newPage(mayBeOld)
  return pages.run(page, () => {
    page.context = reads.run(page, () => new AsyncResource('PAGE_READS'))
    return run()
  })
}

/** Within a page that may be old, a standby may answer what `run` reads also while a primary answers. */
export function atAnyAge<T>(run: () => T): T {
  return pages.getStore()?.mayBeOld ? ofAnyAge.run(true, run) : run()
}

/** `run` only reads, for the page that it runs in, or for one of its own. A page's reads run in the context in which it began, e.g. its span. */
export function reading<T>(run: () => T): T {
  const page = pages.getStore()
  return page?.context ? page.context.runInAsyncScope(run) : reads.run(page ?? newPage(), run)
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
    page.asked.clear()
    return look()
  }
  if ('error' in found) throw found.error
  return found.value
}

/** After a change: what the page has read may no longer be true. */
export function forgetReads(): void {
  pages.getStore()?.asked.clear()
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
  statements: KnownStatements
}

/** Sends the reads of pages to the pipeline or the standby. `isLost`: the database did not answer. `types`: the driver's parsers of values. */
export function sendPagesTo(
  pipeline: Pipeline,
  pool: { query: unknown },
  { standby, isLost, types }: Pick<Ways, 'standby' | 'isLost' | 'types'>
): void {
  const ways: Ways = { pipeline, standby, fromPool: (pool.query as Query).bind(pool), isLost, types, statements: knowNothing() }
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
    const asked = page.asked.get(config.text)
    const before = asked?.find((one) => one.statement.rowMode === config.rowMode && areSame(one.values, values))
    if (before) return before.answer.promise
    const answer = Promise.withResolvers<unknown>()
    const known = knownOf(ways.statements, config.text)
    const isOfAnyAge = canBeOld(page) && ofAnyAge.getStore() === true
    const question = { statement: config, values, answer, known, isOfAnyAge }
    if (asked) asked.push(question)
    else page.asked.set(config.text, [question])
    page.questions.push(question)
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

const areSame = (some: unknown[], others: unknown[]) =>
  some.length === others.length && some.every((value, index) => isSame(value, others[index]))
/** Objects, e.g. dates and lists, by what they hold. */
const isSame = (one: unknown, other: unknown) =>
  one === other || (typeof one === 'object' && typeof other === 'object' && textOf(one) === textOf(other))
const textOf = (value: unknown) => JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner))

const MOST_AT_ONCE = 32
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
    describe(ways.statements, statement.text, result.fields)
    answer.resolve(result)
  } catch (error) {
    if (!isReadOnly(error)) return answer.reject(error)
    // It writes, and has done nothing yet. What the page has read may be changed by it.
    page.asked.clear()
    answer.resolve(ways.fromPool(statement, values))
  }
}

async function sendTogether(ways: Ways, page: Page, questions: KnownQuestion[]): Promise<void> {
  const together = questions.length > 1 ? combine(ways.statements, questions) : undefined
  if (!together) {
    for (const question of questions) void sendAlone(ways, page, question)
    return
  }
  const values = questions.flatMap((question) => question.values)
  try {
    const asked: Asked = { page, isOfAnyAge: questions.every((question) => question.isOfAnyAge) }
    const [row = []] = ((await ask(ways, asked, { ...together, rowMode: 'array' }, values)) as { rows: (string | null)[][] }).rows
    // All of them are read before one is answered: where one cannot be, each gets its own answer below.
    const results = questions.map(({ statement, known }, index) => asResult(ways.types, statement, known, rowsIn(row[index])))
    for (const [index, { answer }] of questions.entries()) answer.resolve(results[index])
  } catch (error) {
    if (isReadOnly(error)) page.asked.clear()
    for (const { statement, values: own, known, answer } of questions) {
      // A statement that took too long would take too long again.
      if (ways.isLost(error) || isGivenUp(error)) answer.reject(error)
      else {
        // One of them has a fault, or its table has changed: each gets its own answer, and is described anew.
        doubt(ways.statements, statement.text, known)
        answer.resolve(ways.fromPool(statement, own))
      }
    }
  }
}
