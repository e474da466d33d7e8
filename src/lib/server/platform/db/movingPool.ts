/** A pool of connections to a database that may move to another server. */
import type pg from 'pg'
import { DatabaseLostError, isDatabaseLost } from './faults.ts'

/** As the driver's pool, as far as the query builder uses it. */
export class MovingPool {
  readonly #pool: pg.Pool
  /** The connections that were opened since the database was last lost. */
  #current = new WeakSet<pg.PoolClient>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
    pool.on('connect', (client) => this.#current.add(client))
  }

  /** Call when the database was lost: its connections are not used again, also those that look sound. */
  renew(): void {
    this.#current = new WeakSet()
  }

  /** A connection, to be released; with `true` it is closed. */
  async connect(): Promise<pg.PoolClient> {
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
