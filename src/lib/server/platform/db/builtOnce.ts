/** Queries that are asked often: their text is made once, and each connection of PostgreSQL parses and plans it once. */
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Executor, rowsOf } from './client.ts'

/**
 * A query of the builder, with `sql.placeholder` where values come in, that is built once a database. A transaction has a builder of its own:
 * there it is built each time. End it with `.prepare(name)`; a name stands for one text.
 */
export function builtOnce<Query extends object>(build: (db: Executor) => Query): (db: Executor) => Query {
  const built = new WeakMap<Executor, Query>()
  return (db) => {
    const known = built.get(db)
    if (known) return known
    const query = build(db)
    built.set(db, query)
    return query
  }
}

const dialect = new PgDialect()

/** The same for a statement in SQL. */
export function statementOnce<Row extends object>(
  name: string,
  makeStatement: () => SQL
): (db: Executor, values: Record<string, unknown>) => Promise<Row[]> {
  let query: ReturnType<PgDialect['sqlToQuery']> | undefined
  const prepared = builtOnce((db) => {
    query ??= dialect.sqlToQuery(makeStatement())
    return db._.session.prepareQuery(query, undefined, name, false)
  })
  return async (db, values) => rowsOf<Row>(await prepared(db).execute(values))
}
