/** The only file that knows the drivers: PGlite embedded, or PostgreSQL by URL. One dialect, one schema for both. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type ExtractTablesWithRelations, sql } from 'drizzle-orm'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle as drizzlePg, NodePgPreparedQuery } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import pg from 'pg'
import { outsideRequests } from '../outsideRequests.ts'
import { traceStatements } from '../tracing.ts'
import type { Types } from './combined.ts'
import { isLost, isReadOnly, isUnreachable, READ_ONLY } from './faults.ts'
import { frequentNames } from './frequent.ts'
import { listenOn } from './listening.ts'
import { lockFolder } from './lock.ts'
import { isMigrated, type MigrationReport, migrate } from './migrate.ts'
import { MovingPool } from './movingPool.ts'
import { watchOutcome } from './outcome.ts'
import { sendPagesTo } from './pageReads.ts'
import { type Piped, Pipeline } from './pipeline.ts'
import { LOOK_TIMEOUT_MS, Standby, type StandbyState } from './standby.ts'

type NoTables = Record<string, never>
export type Database = PgDatabase<PgQueryResultHKT, NoTables>
export type Transaction = PgTransaction<PgQueryResultHKT, NoTables, ExtractTablesWithRelations<NoTables>>
/** What a query runs on: the database, or the transaction that it belongs to. */
export type Executor = Database | Transaction

export type Connection = {
  db: Database
  /** The same database, on a few connections whose commits do not wait for the disk: for single statements, not for transactions. */
  quickDb: Database
  /** The same database, on one connection whose statements may take half an hour: for checks that read everything. */
  longDb: Database
  engine: 'pglite' | 'postgres'
  /**
   * Calls back after every commit that notified the channel, in any process, and after each reconnection, because a notification
   * may have been missed. Returns a function that stops listening.
   */
  listen: (channel: string, onNotification: () => void) => Promise<() => Promise<void>>
  /** How many connections are open, in use, and waited for. */
  load: () => { open: number; used: number; waiting: number }
  /** The state of the standby; undefined if none is set. */
  standby: () => StandbyState | undefined
  close: () => Promise<void>
}

/** The number of the lock that a migration takes: arbitrary, but the same in every process. */
const MIGRATION_LOCK = 727_001
const CONNECT_TIMEOUT_MS = 5000
/** A question waits at most this long for a database that does not respond, on a pipelined connection from when it was asked. */
const ANSWER_TIMEOUT_MS = 5000
/**
 * The database cancels a statement after this time. Shorter than ANSWER_TIMEOUT_MS, so that whoever waits for a slow statement learns that it has
 * failed. On a pipelined connection a question may wait behind a slow one first: its connection then counts as lost. A commit that waits for the disk or a standby goes on: its caller learns that the outcome is unknown. We never cancel that wait, because
 * PostgreSQL would then show the change to everybody before the standby has it.
 */
const STATEMENT_TIMEOUT_MS = 4500
/** A check of the whole books takes longer with every year. Without an end, one that a dead connection has lost would never be tried again. */
const LONG_TIMEOUT_MS = 30 * 60_000
/** The locks of a process that died are held at most this long. */
const IDLE_TIMEOUT_MS = 15_000
/** A starting process waits at most this long for its database. */
const START_WITHIN_MS = 30_000
const RETRY_MS = 1000
const LOCK_RETRY_MS = 100
/** A firewall may drop a connection that is silent for longer, and tells nobody. */
const KEEP_ALIVE_AFTER_MS = 30_000
/**
 * PostgreSQL plans for the average number of lines of an account. The accounts of the house make that number high: with each run it would reserve memory
 * for so many (Memoize), or compile the statement. Both take longer than to read the fifty lines of a page.
 */
const FEW_ROWS = '-c jit=off -c enable_memoize=off'
/** Planned once, for any customer: otherwise PostgreSQL plans a page's statement anew for each value, which takes longer than running it. */
const READING = `${FEW_ROWS} -c default_transaction_read_only=on -c plan_cache_mode=force_generic_plan`
const QUICK_CONNECTIONS = 4
const PAGE_CONNECTIONS = 4

type PostgresOptions = {
  poolSize: number
  /** Called when a connection dies; the pool replaces it. Without a listener, the error would end the process. */
  onLost: (error: Error) => void
  /** For tools: a statement may take any time. */
  patient?: boolean
  /** The address for the next connection, whose password may have been replaced meanwhile. */
  urlNow?: () => string
  /** The address for the next connection to a standby. */
  standbyUrlNow?: (() => string) | undefined
  /** Called when it begins to be read from, and with the reason when it is not any more. */
  onStandby?: (isUsed: boolean, reason: unknown) => void
}

/** Opens PostgreSQL as it is; `migratePostgres` brings it to the schema of this code. */
export async function openPostgres(
  url: string,
  { poolSize, onLost, patient = false, urlNow = () => url, standbyUrlNow, onStandby = () => undefined }: PostgresOptions
): Promise<Connection> {
  const config: pg.ClientConfig = {
    get connectionString() {
      return urlNow()
    },
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...(patient ? {} : { query_timeout: ANSWER_TIMEOUT_MS, statement_timeout: STATEMENT_TIMEOUT_MS }),
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS
  }
  const nameFrequent = frequentNames()
  const clients = new pg.Pool({
    ...config,
    ...(patient ? {} : { options: FEW_ROWS }),
    max: poolSize,
    onConnect: requireWrites
  }).on('error', onLost)
  clients.on('connect', (client) => {
    client.on('error', (error) => {
      onLost(error)
      renew()
    })
    watchOutcome(client, renew)
    nameFrequent(client)
    traceStatements(client)
  })
  const pool: MovingPool<pg.PoolClient> = new MovingPool<pg.PoolClient>(clients)
  function piped(options: string, other: pg.ClientConfig = {}): Piped {
    // The address is copied from the setting at this moment.
    const client = new pg.Client({ ...config, ...other, options, pipeline: true } as pg.ClientConfig) as pg.Client & Piped
    client.on('error', onLost)
    nameFrequent(client)
    traceStatements(client)
    return client
  }
  const quick = new Pipeline(QUICK_CONNECTIONS, {
    make: () => piped(`${FEW_ROWS} -c synchronous_commit=off`),
    check: (client) => requireWrites(client as pg.Client & Piped),
    onFailed: (error) => isLost(error) && renew()
  })
  const pages = new Pipeline(PAGE_CONNECTIONS, {
    make: () => piped(READING),
    check: (client) => requirePrimary(client as pg.Client & Piped),
    onFailed: (error) => isLost(error) && !isReadOnly(error) && renew()
  })
  const long = new pg.Pool({
    ...config,
    onConnect: requireWrites,
    max: 1,
    idleTimeoutMillis: 10_000,
    query_timeout: LONG_TIMEOUT_MS,
    statement_timeout: LONG_TIMEOUT_MS
  }).on('error', onLost)
  // While a client is in use, nobody else listens to its errors: one would end the process.
  long.on('connect', (client) => {
    client.on('error', onLost)
    traceStatements(client)
  })
  // A pool makes each client from its options: without this, from the address of the start.
  for (const one of [clients, long]) Object.defineProperty(one.options, 'connectionString', { get: urlNow })
  /** What was one server's is not asked again: another one may be the primary now. */
  function renew(): void {
    pool.renew()
    quick.renew()
    pages.renew()
  }
  // The server gives up first: a client that does so closes the connection for all that wait on it.
  const soon = {
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
    statement_timeout: LOOK_TIMEOUT_MS - 100
  }
  const standby =
    standbyUrlNow &&
    new Standby({
      make: () => piped(READING, { ...soon, connectionString: standbyUrlNow() }),
      makePrimary: () => piped(READING, soon),
      heardAtMs: () => Math.max(pages.answeredAtMs, quick.answeredAtMs),
      onChange: onStandby
    })
  const connectToListen = (prepare: (client: pg.Client) => Promise<unknown>) =>
    connectPatiently(urlNow, { query_timeout: ANSWER_TIMEOUT_MS }, prepare)
  const isLostToPages = (error: unknown) => isUnreachable(error) && !isReadOnly(error)
  sendPagesTo(pages, pool, { standby, isLost: isLostToPages, types: pg.types as Types })
  return {
    db: withSafeTransactions(drizzlePg<NoTables>(pool as unknown as pg.Pool), pool),
    quickDb: drizzlePg<NoTables>(quick as unknown as pg.Pool),
    longDb: drizzlePg<NoTables>(long),
    engine: 'postgres',
    // A notification does not belong to the request that listened first.
    listen: (channel, onNotification) => outsideRequests(() => listenOn(connectToListen, channel, onNotification)),
    load: () => pool.load(),
    standby: () => standby?.state(),
    close: async () => {
      await Promise.all([pool.end(), long.end(), quick.close(), pages.close(), standby?.close()])
    }
  }
}

type Asked = { query: (text: string) => Promise<{ rows: { answer: boolean }[] }> }

async function refuseIf(client: unknown, condition: string): Promise<void> {
  const { rows } = await (client as Asked).query(`select ${condition} as answer`)
  if (rows[0]?.answer) throw Object.assign(new Error('This server takes no writes'), { code: READ_ONLY })
}

/** Asked once a connection: it may lead to a standby. Throws with SQLSTATE 25006. */
const requireWrites = (client: unknown) => refuseIf(client, "current_setting('transaction_read_only') = 'on'")
/** For connections that only read, but what is true now. */
const requirePrimary = (client: unknown) => refuseIf(client, 'pg_is_in_recovery()')

type PoolDatabase = ReturnType<typeof drizzlePg<NoTables>>

/**
 * A failed transaction may still be open on its connection, e.g. if its rollback got no response. Such a connection is closed: back
 * in the pool, the next user's commit would commit the failed work too.
 */
function withSafeTransactions(db: PoolDatabase, pool: MovingPool<pg.PoolClient>): PoolDatabase {
  db.transaction = (async (run, config) => {
    const client = await pool.connect()
    let isClean = false
    try {
      const answer = await drizzlePg(client as unknown as pg.Pool).transaction(run as never, config)
      isClean = true
      return answer
    } catch (error) {
      // The database itself reports that no transaction is open.
      isClean = !isUnreachable(error) && client.getTransactionStatus() === 'I'
      throw error
    } finally {
      client.release(!isClean)
    }
  }) as PoolDatabase['transaction']
  return db
}

/**
 * Migrates; processes that start together take turns. Uses its own connection, because this may take longer than the statement
 * timeout allows. `folder`: the steps of an earlier version, for tests.
 */
export async function migratePostgres(url: string, folder?: string): Promise<MigrationReport> {
  const client = await connectPatiently(() => url)
  try {
    await lockMigration(client)
    const db = drizzlePg(client)
    return await migrate(
      {
        query: async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
        migrate: (step) => runStep(db, step),
        isShared: true
      },
      folder
    )
  } finally {
    // Closing the connection also releases the lock.
    await client.end()
  }
}

/**
 * Polls for the lock instead of waiting in the database: creating an index concurrently waits for every running statement, and so
 * for those that would wait for this lock.
 */
async function lockMigration(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [MIGRATION_LOCK])
    if (rows[0]?.mine) return
    await new Promise((resume) => setTimeout(resume, LOCK_RETRY_MS))
  }
}

/** Runs one step with drizzle's own migrator: in a transaction, together with the row that records it. */
function runStep(db: object, step: MigrationMeta): Promise<void> {
  const { dialect, session } = db as {
    dialect: { migrate: (steps: MigrationMeta[], session: unknown, config: object) => Promise<void> }
    session: unknown
  }
  return dialect.migrate([step], session, {})
}

/** Connects to a database that may still be starting: tries for 30 s. `prepare` is part of a try: what a connection needs before it is used. */
async function connectPatiently(
  urlNow: () => string,
  config?: Pick<pg.ClientConfig, 'query_timeout'>,
  prepare?: (client: pg.Client) => Promise<unknown>
): Promise<pg.Client> {
  const giveUpAt = Date.now() + START_WITHIN_MS
  for (;;) {
    const client = new pg.Client({
      connectionString: urlNow(),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...config
    })
    // Without a listener, an error of an idle connection would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await requireWrites(client)
      await prepare?.(client)
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      if (Date.now() > giveUpAt || !isUnreachable(error)) throw error
      await new Promise((resume) => setTimeout(resume, RETRY_MS))
    }
  }
}

/**
 * Opens the embedded database in `folder`, which only one process at a time can use; `undefined` keeps it in memory. `from`: a dump
 * of a database to start with, which is faster than migrating an empty one.
 */
export async function openEmbedded(folder: string | undefined, from?: Blob): Promise<Connection> {
  if (folder) mkdirSync(folder, { recursive: true })
  const unlock = folder ? lockFolder(folder) : () => undefined
  try {
    const client = await PGlite.create(folder ? join(folder, 'pglite') : 'memory://', from && { loadDataDir: from })
    const db = drizzlePglite(client)
    await migrateEmbedded(client)
    const close = async () => {
      await client.close()
      unlock()
    }
    return {
      db,
      quickDb: db,
      longDb: db,
      engine: 'pglite',
      listen: (channel, onNotification) => client.listen(channel, onNotification),
      load: () => ({ open: 1, used: 0, waiting: 0 }),
      standby: () => undefined,
      close
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Migrates an open embedded database. `folder`: the steps of an earlier version, for tests. */
export function migrateEmbedded(client: PGlite, folder?: string): Promise<MigrationReport> {
  const db = drizzlePglite(client)
  return migrate(
    {
      // Without parameters, the text may hold several statements.
      query: async <Row>(text: string, values?: unknown[]) =>
        (values ? await client.query<Row>(text, values) : (await client.exec(text)).at(-1))?.rows as Row[],
      migrate: (step) => runStep(db, step),
      isShared: false
    },
    folder
  )
}

/** True if the database answers and holds the schema of this code, or a newer one. */
export function isReady(db: Database): Promise<boolean> {
  return isMigrated(async <Row>(text: string) => rowsOf<Row>(await db.execute(sql.raw(text))))
}

/** The rows of a raw statement; both drivers return them as `rows`. */
export function rowsOf<Row>(answer: unknown): Row[] {
  return (answer as { rows: Row[] }).rows
}

/** True for a prepared statement of drizzle for PostgreSQL, false for one of the embedded database. */
export const isForPostgres = (query: object): boolean => query instanceof NodePgPreparedQuery
