/** The only file that knows the drivers: PGlite embedded, or PostgreSQL by URL. One dialect, one schema for both. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { type ExtractTablesWithRelations, sql } from 'drizzle-orm'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import * as ledgerSchema from '../../ledger/schema.ts'
import { lockFolder } from './lock.ts'
import * as otherSchema from './schema.ts'

const schema = { ...otherSchema, ...ledgerSchema }

type Schema = typeof schema
export type Database = PgDatabase<PgQueryResultHKT, Schema>
export type Transaction = PgTransaction<PgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
/** What a query runs on: the database, or the transaction that it belongs to. */
export type Executor = Database | Transaction

export type Connection = { db: Database; engine: 'pglite' | 'postgres'; close: () => Promise<void> }

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
/** Any number, the same in every process: the name of the lock that migrating takes. */
const MIGRATION_LOCK = 727_001
const CONNECT_TIMEOUT_MS = 5000
const STATEMENT_TIMEOUT_MS = 15_000

type PostgresOptions = {
  poolSize: number
  /** Told of connections that die; the pool replaces them. Unheard, such an error would end the process. */
  onLost: (error: Error) => void
  /** A tool that only reads does not migrate. */
  migrate?: boolean
}

/** Opens PostgreSQL and migrates it; processes that start together take turns. */
export async function openPostgres(url: string, { poolSize, onLost, migrate = true }: PostgresOptions): Promise<Connection> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS
  })
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  if (migrate) await migratePostgres(pool)
  return { db: drizzlePg(pool, { schema }), engine: 'postgres', close: () => pool.end() }
}

async function migratePostgres(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    // Another process may migrate for longer than a statement may usually take.
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migratePg(drizzlePg(client), { migrationsFolder })
  } finally {
    // Closed, not given back: its settings and its lock go with it.
    client.release(true)
  }
}

/** Opens the embedded database in `folder`, which one process holds at a time; `undefined` keeps it in memory. */
export async function openEmbedded(folder: string | undefined): Promise<Connection> {
  if (folder) mkdirSync(folder, { recursive: true })
  const unlock = folder ? lockFolder(folder) : () => undefined
  try {
    const client = await PGlite.create(folder ? join(folder, 'pglite') : 'memory://')
    const db = drizzlePglite(client, { schema })
    await migratePglite(db, { migrationsFolder })
    const close = async () => {
      await client.close()
      unlock()
    }
    return { db, engine: 'pglite', close }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Whether the database answers and holds the schema of this code. */
export async function isReady(db: Database): Promise<boolean> {
  const answer = await db.execute(sql`select to_regprocedure('ledger_post(text, text, jsonb, timestamptz)') is not null as ready`)
  return rowsOf<{ ready: boolean }>(answer)[0]?.ready === true
}

/** The rows of a raw statement; both drivers answer them under the same name. */
export function rowsOf<Row>(answer: unknown): Row[] {
  return (answer as { rows: Row[] }).rows
}

/** The SQLSTATE and constraint of a database error, wherever the query builder wrapped it. */
export function databaseError(error: unknown): { code: string | undefined; constraint: string | undefined } {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const { code, constraint } = current as Error & { code?: string; constraint?: string }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint }
    current = current.cause
  }
  return { code: undefined, constraint: undefined }
}
