/** Columns as this product uses them. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { bigserial, numeric, timestamp } from 'drizzle-orm/pg-core'

/** An amount in smallest units. */
export const amount = (name: string) => numeric(name, { precision: 78, scale: 0, mode: 'bigint' })
/** A rate or a price: exact, with the scale it was written with. */
export const rate = (name: string) => numeric(name)
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
export const rowId = () => bigserial('id', { mode: 'bigint' }).primaryKey()
/**
 * A constant of the code, never input, as text of the statement instead of a parameter. PostgreSQL plans a page's statement for any values of its
 * parameters, so it uses an index of some rows (`where status = 'PENDING'`) only where the statement itself says so.
 */
export const literal = (value: string | number): SQL => sql.raw(typeof value === 'number' ? String(value) : `'${value}'`)
/** The column holds one of these words, which are constants of the code, never input, and stand in the text of the statement. */
export const oneOf = (column: SQLWrapper, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`
/**
 * The column holds one of these values. They are one parameter, so that the statement is the same for any number of them: PostgreSQL keeps its plan, and it
 * can be combined with others (`combined.ts`).
 */
export const anyOf = (column: SQLWrapper, values: readonly string[]): SQL => sql`${column} = any(${sql.param(values)})`
