/**
 * Several questions as one statement, and the answers of each from its answer. A statement is described by its first answer, which it gets alone;
 * from then on it can be combined with others.
 */
import type { Statement } from './frequent.ts'

export type Types = { getTypeParser: (oid: number, format: string) => (text: string) => unknown }
export type Typed = Statement & { types?: Types }
export type Field = { name: string; dataTypeID: number }
export type Result = { rows: unknown[]; fields: Field[] }
export type Known = { id: number; fields: Field[] }

/** What is known of the statements of one database. */
export type KnownStatements = {
  /** The columns of each statement, as the database described them with its answer. */
  described: Map<string, Known>
  /** Those of statements that are to be described anew: where nothing has changed they keep their number. */
  doubted: Map<string, Known>
  /** Statements of several questions, by the numbers of these. */
  combined: Map<string, { name: string; text: string }>
  numbered: number
}
/** Each connection keeps a plan of each; pages ask for far fewer. */
const MOST_COMBINED = 200
const MOST_DESCRIBED = 2000
const QUOTED = /'(?:[^']|'')*'/g
/** A quote in a comment opens no text, and one after a backslash ends none. */
const OTHER_QUOTES = /--|\/\*|\be'/i
/** What looks like a parameter within quotes would be renumbered. */
const mayHaveParameterInQuotes = (text: string) =>
  (OTHER_QUOTES.test(text) && text.includes("'")) || (text.match(QUOTED) ?? []).some((quoted) => /\$\d/.test(quoted))
/** inet and char(n): as text they differ from what the driver gets. */
const OTHER_AS_TEXT = [869, 1042]

export const knowNothing = (): KnownStatements => ({ described: new Map(), doubted: new Map(), combined: new Map(), numbered: 0 })

/** How a statement was described; undefined if it was not, or is never combined. */
export const knownOf = ({ described }: KnownStatements, text: string): Known | undefined => described.get(text)

/** Keeps the columns of a statement, by its answer. */
export function describe(statements: KnownStatements, text: string, fields: Field[]): void {
  const { described, doubted } = statements
  if (described.has(text) || described.size >= MOST_DESCRIBED) return
  if (mayHaveParameterInQuotes(text) || fields.some(({ dataTypeID }) => OTHER_AS_TEXT.includes(dataTypeID))) return
  const before = doubted.get(text)
  doubted.delete(text)
  const columnsOf = (list: Field[]) => list.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  if (before && columnsOf(before.fields) === columnsOf(fields)) described.set(text, before)
  else {
    statements.numbered += 1
    described.set(text, { id: statements.numbered, fields })
  }
}

/** It has a fault, or its table has changed: it is described anew. */
export function doubt({ described, doubted }: KnownStatements, text: string, known: Known): void {
  if (described.get(text) === known) described.delete(text)
  doubted.set(text, known)
}

const NO_ROWS = '[]'
/** The rows in a column of the combined answer. */
export const rowsIn = (column: string | null | undefined): (string | null)[][] =>
  column && column !== NO_ROWS ? JSON.parse(column) : []

/** uuid, text and varchar: JSON has their text as it is. */
const SAME_IN_JSON = [2950, 25, 1043]
const asText = ({ dataTypeID }: Field, name: string) => (SAME_IN_JSON.includes(dataTypeID) ? name : `${name}::text`)

type Combinable = { statement: Statement; values: unknown[]; known: Known }

/**
 * One statement with a column a question: its rows as JSON, each value as the text that the driver would have got. `array` instead of an aggregate, and no
 * cast where none is needed: both are prepared anew each time that the statement runs. Undefined where the database has as many as its connections keep.
 */
export function combine({ combined }: KnownStatements, questions: Combinable[]): { name: string; text: string } | undefined {
  const key = questions.map(({ known, values }) => `${known.id} ${values.length}`).join()
  const before = combined.get(key)
  if (before || combined.size >= MOST_COMBINED) return before
  let offset = 0
  const columns = questions.map(({ statement, known: { fields }, values }) => {
    const names = fields.map((_, index) => `c${index}`)
    const text = statement.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)
    offset += values.length
    const texts = fields.map((field, index) => asText(field, `q.c${index}`))
    return `array_to_json(array(select json_build_array(${texts.join()}) from (${text}) as q(${names.join()})))::text`
  })
  const made = { name: `page_${combined.size}`, text: `select ${columns.join()}` }
  combined.set(key, made)
  return made
}

/** Rows as the driver would have given them, by its own parsers. */
export function asResult(usual: Types, { rowMode, types = usual }: Typed, known: Known, rows: (string | null)[][]): Result {
  const { fields } = known
  const parsers = parsersOf(known, types)
  const parsed = rows.map((row) => row.map((value, index) => (value === null ? null : parsers[index]?.(textOf(value)))))
  if (rowMode === 'array') return { fields, rows: parsed }
  return { fields, rows: parsed.map((row) => Object.fromEntries(row.map((value, index) => [fields[index]?.name, value]))) }
}

/** Where a column has another type by now, its values may not be texts: the statement then fails, and is described anew. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('A column has changed its type')
}

type Parser = ReturnType<Types['getTypeParser']>
/** By the columns of a statement; a statement is nearly always asked by the same part of the process, with the same parsers. */
const lastParsers = new WeakMap<Known, { types: Types; parsers: Parser[] }>()

function parsersOf(known: Known, types: Types): Parser[] {
  const last = lastParsers.get(known)
  if (last?.types === types) return last.parsers
  const parsers = known.fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  lastParsers.set(known, { types, parsers })
  return parsers
}
