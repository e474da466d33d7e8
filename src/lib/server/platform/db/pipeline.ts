/**
 * A few connections that send what is asked at the same moment in one packet, and do not wait for one answer before the next question
 * (pipelining). For short statements outside transactions: one that waits holds up those behind it.
 */

import { DatabaseLostError, isLost, isReadOnly } from './faults.ts'

/** A connection of the driver that is pipelined. The driver does not describe `connection`. */
export type Piped = {
  query: unknown
  connect: () => Promise<unknown>
  end: () => Promise<void>
  on: (event: 'error', listener: () => void) => unknown
  once: (event: 'end', listener: () => void) => unknown
  connection: { stream: { cork: () => void; uncork: () => void } }
}
/** `askedAtMs`: when each question that waits was asked, the oldest first, by `performance.now()`. They are answered in this order. */
type Lane = {
  client: Piped
  opening: Promise<unknown> | undefined
  askedAtMs: number[]
  isCorked: boolean
  idle?: NodeJS.Timeout
}
type PipelineOptions = {
  /** Makes a connection, which is opened when it is needed; a lost one is replaced. */
  make: () => Piped
  /** Asked once a connection; throws if it must not be used. */
  check: (client: Piped) => Promise<void>
  onFailed: (error: unknown) => void
}
type Query = (config: unknown, values?: unknown) => Promise<unknown>

/** A connection that nobody uses is closed after this time, as those of the pool are. */
const IDLE_MS = 10_000
/** A connection whose oldest question waits for so long has a slow statement, or too many: the next questions take another one. */
const SLOW_MS = 10

export class Pipeline {
  readonly #lanes: Lane[] = []
  readonly #most: number
  readonly #options: PipelineOptions
  /** Where the questions of this moment go. */
  #current: Lane | undefined
  /** When a question was last answered, by `performance.now()`. */
  answeredAtMs = 0

  constructor(most: number, options: PipelineOptions) {
    this.#most = most
    this.#options = options
  }

  /** As the driver's: `config` is a statement with its name, `values` its values. */
  async query(config: unknown, values?: unknown): Promise<unknown> {
    const lane = this.#choose()
    lane.askedAtMs.push(performance.now())
    clearTimeout(lane.idle)
    try {
      if (lane.opening) await lane.opening
      const answer = await (lane.client.query as Query)(config, values)
      this.answeredAtMs = performance.now()
      return answer
    } catch (error) {
      this.#options.onFailed(error)
      throw isLost(error) && !isReadOnly(error) ? new DatabaseLostError('The database was lost', { cause: error }) : error
    } finally {
      lane.askedAtMs.shift()
      if (isIdle(lane) && !this.#lanes.includes(lane)) endOf(lane)
      else if (isIdle(lane)) lane.idle = setTimeout(() => this.#end(lane), IDLE_MS).unref()
    }
  }

  /** Call when the database was lost: its connections get no further questions. */
  renew(): void {
    for (const lane of [...this.#lanes]) {
      this.#forget(lane)
      if (isIdle(lane)) endOf(lane)
    }
  }

  #forget(lane: Lane): void {
    clearTimeout(lane.idle)
    const at = this.#lanes.indexOf(lane)
    if (at >= 0) this.#lanes.splice(at, 1)
    if (this.#current === lane) this.#current = undefined
  }

  #end(lane: Lane): void {
    if (!isIdle(lane)) return
    this.#forget(lane)
    endOf(lane)
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ client }) => client.end()))
  }

  #choose(): Lane {
    if (this.#current) return this.#current
    const lane = this.#promptOrIdlest()
    this.#current = lane
    lane.isCorked = true
    lane.client.connection.stream.cork()
    setImmediate(() => this.#release(lane))
    return lane
  }

  /**
   * The first connection that answers promptly, although others may be idle: to wake a process of the database costs both sides more than the
   * question.
   */
  #promptOrIdlest(): Lane {
    const since = performance.now() - SLOW_MS
    const prompt = this.#lanes.find((lane) => isIdle(lane) || (!lane.opening && (lane.askedAtMs[0] ?? 0) > since))
    if (prompt) return prompt
    const [idlest] = this.#lanes.toSorted((one, other) => one.askedAtMs.length - other.askedAtMs.length)
    return idlest && this.#lanes.length === this.#most ? idlest : this.#open()
  }

  #release(lane: Lane): void {
    if (this.#current === lane) this.#current = undefined
    if (!lane.isCorked) return
    lane.isCorked = false
    lane.client.connection.stream.uncork()
  }

  /** Sends what was asked so far, for a caller that knows that nothing more is asked at this moment. */
  flush(): void {
    if (this.#current) this.#release(this.#current)
  }

  #open(): Lane {
    const { make, check } = this.#options
    const client = make()
    const lane: Lane = { client, opening: undefined, askedAtMs: [], isCorked: false }
    const drop = () => this.#forget(lane)
    client.on('error', drop)
    client.once('end', drop)
    lane.opening = open(client, check).then(
      () => {
        lane.opening = undefined
      },
      (error: unknown) => {
        drop()
        throw error
      }
    )
    lane.opening.catch(() => undefined)
    this.#lanes.push(lane)
    return lane
  }
}

const isIdle = ({ askedAtMs }: Lane) => askedAtMs.length === 0

async function open(client: Piped, check: (client: Piped) => Promise<void>): Promise<void> {
  await client.connect()
  await check(client)
}

function endOf({ client }: Lane): void {
  client.end().catch(() => undefined)
}
