/** Prepared statements by name. */
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Executor, rowsOf } from './client.ts'

const dialect = new PgDialect()

/**
 * Runs a statement that each connection of PostgreSQL parses and plans once. For frequent statements: planning some of them takes
 * longer than running them. A name must always stand for the same text; values may differ.
 */
export async function runNamed<Row extends object>(db: Executor, name: string, statement: SQL): Promise<Row[]> {
  const prepared = db._.session.prepareQuery(dialect.sqlToQuery(statement), undefined, name, false)
  return rowsOf<Row>(await prepared.execute())
}
