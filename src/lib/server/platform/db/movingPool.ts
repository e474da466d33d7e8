/** A pool of connections to a database that may move to another server. */
import { DatabaseLostError, isDatabaseLost } from './faults.ts'

/** A connection of the driver's pool; `release(true)` closes it. */
type Client = { query: (config: never, values: never) => Promise<unknown>; release: (isLost?: boolean) => void }
type Pool<C> = {
  connect: () => Promise<C>
  on: (event: 'connect', listener: (client: C) => void) => unknown
  end: () => Promise<void>
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** As the driver's pool, as far as the query builder uses it. */
export class MovingPool<C extends Client = Client> {
  readonly #pool: Pool<C>
  /** The connections that were opened since the database was last lost. */
  #current = new WeakSet<C>()

  constructor(pool: Pool<C>) {
    this.#pool = pool
    pool.on('connect', (client) => this.#current.add(client))
  }

  /** Call when the database was lost: its connections are not used again, also those that look sound. */
  renew(): void {
    this.#current = new WeakSet()
  }

  /** A connection, to be released; with `true` it is closed. */
  async connect(): Promise<C> {
    for (;;) {
      const client = await this.#pool.connect().catch((cause: unknown) => {
        throw new DatabaseLostError('No connection to the database', { cause })
      })
      if (this.#current.has(client)) return client
      client.release(true)
    }
  }

  async query(config: never, values: never): Promise<unknown> {
    const client = await this.connect()
    try {
      const answer = await client.query(config, values)
      client.release()
      return answer
    } catch (error) {
      client.release(isDatabaseLost(error))
      throw error
    }
  }

  load(): { open: number; used: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, used: totalCount - idleCount, waiting: waitingCount }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}
