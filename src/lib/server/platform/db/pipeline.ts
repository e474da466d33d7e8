/**
 * A few connections that send what is asked at the same moment in one packet, and do not wait for one answer before the next question
 * (pipelining). For short statements outside transactions: one that waits holds up those behind it.
 */

/** A connection of the driver that is pipelined. The driver does not describe `connection`. */
export type Piped = {
  query: unknown
  connect: () => Promise<unknown>
  end: () => Promise<void>
  on: (event: 'error', listener: () => void) => unknown
  once: (event: 'end', listener: () => void) => unknown
  connection: { stream: { cork: () => void; uncork: () => void } }
}
type Lane = { client: Piped; opening: Promise<unknown> | undefined; waiting: number; idle?: NodeJS.Timeout }
type Query = (config: unknown, values?: unknown) => Promise<unknown>

/** A connection that nobody uses is closed after this time, as those of the pool are. */
const IDLE_MS = 10_000

export class Pipeline {
  readonly #lanes: Lane[] = []
  readonly #most: number
  readonly #make: () => Piped
  /** Where the questions of this moment go. */
  #current: Lane | undefined

  /** `make` makes a connection, which is opened when it is needed; a lost one is replaced. */
  constructor(most: number, make: () => Piped) {
    this.#most = most
    this.#make = make
  }

  /** As the driver's: `config` is a statement with its name, `values` its values. */
  async query(config: unknown, values?: unknown): Promise<unknown> {
    const lane = this.#choose()
    lane.waiting += 1
    clearTimeout(lane.idle)
    try {
      if (lane.opening) await lane.opening
      return await (lane.client.query as Query)(config, values)
    } finally {
      lane.waiting -= 1
      if (lane.waiting === 0) lane.idle = setTimeout(() => this.#end(lane), IDLE_MS).unref()
    }
  }

  #end(lane: Lane): void {
    const at = this.#lanes.indexOf(lane)
    if (at < 0 || lane.waiting > 0) return
    this.#lanes.splice(at, 1)
    if (this.#current === lane) this.#current = undefined
    lane.client.end().catch(() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ client }) => client.end()))
  }

  #choose(): Lane {
    if (this.#current) return this.#current
    const [idlest] = this.#lanes.toSorted((one, other) => one.waiting - other.waiting)
    const lane = idlest && (idlest.waiting === 0 || this.#lanes.length === this.#most) ? idlest : this.#open()
    this.#current = lane
    const { stream } = lane.client.connection
    stream.cork()
    setImmediate(() => {
      if (this.#current === lane) this.#current = undefined
      stream.uncork()
    })
    return lane
  }

  #open(): Lane {
    const client = this.#make()
    const lane: Lane = { client, opening: undefined, waiting: 0 }
    const drop = () => {
      const at = this.#lanes.indexOf(lane)
      if (at >= 0) this.#lanes.splice(at, 1)
      if (this.#current === lane) this.#current = undefined
    }
    client.on('error', drop)
    client.once('end', drop)
    lane.opening = client.connect().then(
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
