/**
 * What a page reads. Its statements go to few connections, each of which sends what is asked at the same moment in one packet and does not
 * wait for one answer before the next question (pipelining): a page of twenty questions makes as many round trips as its answers depend on
 * one another. These connections are read-only, so that looking at a page changes nothing. A statement that a page asks twice is sent once.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The answers of one page so far, by statement and values. */
type Page = Map<string, Promise<unknown>>
const pages = new AsyncLocalStorage<Page>()

/** Whatever `run` reads belongs to one page, outside transactions. Nested calls are of the outer page. */
export function readingPage<T>(run: () => T): T {
  return pages.getStore() ? run() : pages.run(new Map(), run)
}

type Statement = { text: string; rowMode?: string }
type Query = (config: unknown, values?: unknown, answered?: unknown) => unknown
/** The driver's connection, which it does not describe. */
type Piped = pg.Client & { connection: { stream: { cork: () => void; uncork: () => void } } }
type Lane = { client: Piped; ready: Promise<unknown> | undefined; waiting: number }

/**
 * Sends the reads of pages to at most `lanes` connections of their own; all other statements go to the pool, as before. `prepare` is called
 * with each connection. Returns what closes them.
 */
export function pipelinePages(
  pool: pg.Pool,
  { lanes: most, config, prepare }: { lanes: number; config: pg.ClientConfig; prepare: (client: pg.Client) => void }
): () => Promise<void> {
  const lanes: Lane[] = []
  /** Where the questions of this moment go. */
  let current: Lane | undefined

  function open(): Lane {
    const client = new pg.Client({
      ...config,
      options: '-c default_transaction_read_only=on',
      pipeline: true
    } as pg.ClientConfig) as Piped
    const lane: Lane = { client, ready: undefined, waiting: 0 }
    const drop = () => {
      if (lanes.includes(lane)) lanes.splice(lanes.indexOf(lane), 1)
      if (current === lane) current = undefined
    }
    client.on('error', drop)
    client.once('end', drop)
    prepare(client)
    lane.ready = client.connect().then(
      () => {
        lane.ready = undefined
      },
      (error: unknown) => {
        drop()
        throw error
      }
    )
    lane.ready.catch(() => undefined)
    lanes.push(lane)
    return lane
  }

  function choose(): Lane {
    if (current) return current
    const [idlest] = lanes.toSorted((one, other) => one.waiting - other.waiting)
    const lane = idlest && (idlest.waiting === 0 || lanes.length === most) ? idlest : open()
    current = lane
    const { stream } = lane.client.connection
    stream.cork()
    setImmediate(() => {
      if (current === lane) current = undefined
      stream.uncork()
    })
    return lane
  }

  async function ask(config: Statement, values: unknown): Promise<unknown> {
    const lane = choose()
    lane.waiting += 1
    try {
      if (lane.ready) await lane.ready
      return await (lane.client.query as Query)(config, values)
    } finally {
      lane.waiting -= 1
    }
  }

  const fromPool = pool.query.bind(pool) as Query
  const query: Query = (config, values, answered) => {
    const page = pages.getStore()
    if (!page || answered || typeof config !== 'object' || config === null || !('text' in config))
      return fromPool(config, values, answered)
    const statement = config as Statement
    const key = JSON.stringify([statement.text, statement.rowMode, values], bigintAsText)
    const known = page.get(key)
    if (known) return known
    const asked = ask(statement, values)
    page.set(key, asked)
    return asked
  }
  pool.query = query as typeof pool.query
  return async () => {
    await Promise.all(lanes.map(({ client }) => client.end()))
  }
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
