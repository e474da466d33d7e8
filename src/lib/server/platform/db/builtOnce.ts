/** Queries that are asked often: their text is made once, and each connection of PostgreSQL parses and plans it once. */
import { Column, is, Param, Placeholder, SQL } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { PgDialect } from 'drizzle-orm/pg-core'
import * as drizzleUtils from 'drizzle-orm/utils'
import { attempt } from '../attempt.ts'
import { type Executor, isForPostgres, rowsOf } from './client.ts'

/**
 * A query of the builder, or an object of several, with `sql.placeholder` where values come in, that is built once a database. A transaction has
 * a builder of its own: there it is built each time. End each with `.prepare(name)`; a name stands for one text.
 */
export function builtOnce<Query extends object>(build: (db: Executor) => Query): (db: Executor) => Query {
  const built = new WeakMap<Executor, Query>()
  return (db) => {
    const known = built.get(db)
    if (known) return known
    const query = build(db)
    for (const one of isForPostgres(query) ? [query] : Object.values(query)) if (canRunQuickly(one)) one.execute = quickly(one)
    built.set(db, query)
    return query
  }
}

type Values = Record<string, unknown>
type Decoder = { mapFromDriverValue: (value: unknown) => unknown }
type Field = { path: string[]; field: object }
/** Drizzle has these, but does not declare them. */
const { mapResultRow } = drizzleUtils as unknown as {
  mapResultRow: (fields: Field[], row: unknown[], joined: Record<string, boolean> | undefined) => unknown
}
const decoderOf = (field: object) => (field instanceof SQL ? (field as unknown as { decoder: Decoder }).decoder : undefined)
/** Private fields of drizzle's prepared statement for PostgreSQL. `fields`: undefined for a statement in SQL. */
type Prepared = {
  client: { query: (config: object, values: unknown[]) => Promise<{ rows: unknown[] }> }
  params: unknown[]
  queryConfig: { text: string }
  rawQueryConfig: { text: string }
  fields: Field[] | undefined
  joinsNotNullableMap: Record<string, boolean> | undefined
  customResultMapper: unknown
  execute: (values?: Values) => Promise<unknown>
}

/** False for a statement of the embedded database, whose client takes other arguments, and for one whose rows drizzle maps by a function of its own. */
const canRunQuickly = (query: object): query is Prepared =>
  isForPostgres(query) && !(query as unknown as Prepared).customResultMapper

/**
 * Does the same as drizzle's own `execute`, which finds out with each call which values are asked for and how each column is read. This finds it out
 * once, because a page asks many of these statements.
 */
function quickly({ client, params, fields, joinsNotNullableMap, ...query }: Prepared): Prepared['execute'] {
  const config = fields ? query.queryConfig : query.rawQueryConfig
  const readers = params.map(readerOf)
  const mapRow = fields && mapperOf(fields, joinsNotNullableMap)
  const asAnswer = (answer: { rows: unknown[] }) => (mapRow ? (answer.rows as unknown[][]).map(mapRow) : answer)
  function execute(given: Values): Promise<unknown> {
    const values = readers.map((read) => read(given))
    return client.query(config, values).then(asAnswer, (error: unknown) => {
      throw new DrizzleQueryError(config.text, values, error instanceof Error ? error : new Error(String(error)))
    })
  }
  return (given = {}) => attempt(() => execute(given))
}

/** How a value is found among those that are given, and written for the driver. */
function readerOf(param: unknown): (given: Values) => unknown {
  if (is(param, Placeholder)) return (given) => givenOf(given, param)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder, value: placeholder } = param
  return (given) => encoder.mapToDriverValue(givenOf(given, placeholder))
}

function givenOf(given: Values, { name }: Placeholder): unknown {
  if (!(name in given)) throw new Error(`No value for placeholder "${name}" was provided`)
  return given[name]
}

function mapperOf(fields: Field[], joined: Record<string, boolean> | undefined): (row: unknown[]) => unknown {
  const columns = fields.flatMap(({ path: [name, ...deeper], field }) => {
    const decoder = is(field, Column) ? (field as Decoder) : decoderOf(field)
    return name !== undefined && deeper.length === 0 && decoder ? [{ name, decoder }] : []
  })
  // With objects within rows, e.g. of a join.
  if (columns.length < fields.length) return (row) => mapResultRow(fields, row, joined)
  return (row) => {
    const result: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index += 1) {
      const { name, decoder } = columns[index] as (typeof columns)[number]
      const value = row[index]
      result[name] = value === null ? null : decoder.mapFromDriverValue(value)
    }
    return result
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
  return (db, values) =>
    prepared(db)
      .execute(values)
      .then(rowsOf<Row>)
}
