/** Prepares the statements that are asked often: PostgreSQL then parses and plans each once a connection. */

/** A connection of the driver: `query` takes a text, or a statement with its values. */
type Client = { query: unknown; getTransactionStatus: () => string | null }
export type Statement = { text: string; name?: string; rowMode?: string }

/** A statement is named from this use on: one that is asked once in a while is not worth a plan that each connection keeps. */
const OFTEN = 3
/** Each connection keeps a plan of each; statements beyond these stay unnamed. */
const MOST_NAMES = 1000
/** Statements with a list of values have a text for each length; those are long, and seldom twice the same. */
const MOST_CHARACTERS = 8000
/** How many texts are counted at most before the counting starts anew. */
const MOST_COUNTED = 5000

/** The names of the statements of one database, and the uses of those without one. */
type Names = { uses: Map<string, number>; names: Map<string, string> }
/** A name is never given twice. */
let made = 0

/** `isFrequent`: the caller gave the statement a name, so it is prepared from its first use on. */
function nameOf({ uses, names }: Names, text: string, isFrequent: boolean): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_NAMES || (text.length > MOST_CHARACTERS && !isFrequent)) return known
  const count = (uses.get(text) ?? 0) + 1
  if (count < OFTEN && !isFrequent) {
    if (uses.size >= MOST_COUNTED) uses.clear()
    uses.set(text, count)
    return undefined
  }
  uses.delete(text)
  made += 1
  const name = `often_${made}`
  names.set(text, name)
  return name
}

/** A table or function changed so that the plan no longer fits its answer, e.g. by a step of a newer release. */
const isOutdated = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan')

type Answered = (error: unknown, result: unknown) => void

/**
 * For the connections to one database: gives the frequent statements of each connection names, of which each always stands for the same text. One that has
 * a name is frequent.
 */
export function frequentNames(): (client: Client) => void {
  const known: Names = { uses: new Map(), names: new Map() }
  return (client) => nameFrequent(known, client)
}

function nameFrequent(known: Names, client: Client): void {
  const query = (client.query as (...args: unknown[]) => unknown).bind(client)
  /** Calls back with the answer of the named statement, or of the statement itself where its plan no longer fits. */
  function asPrepared(config: Statement, name: string, values: unknown, answered: Answered): void {
    query({ ...config, name }, values, (error: unknown, result: unknown) => {
      if (!isOutdated(error)) return answered(error, result)
      known.names.delete(config.text)
      // Inside a transaction nothing can be repeated: it has failed as a whole.
      if (client.getTransactionStatus() === 'I') query({ ...config, name: undefined }, values, answered)
      else answered(error, result)
    })
  }
  // The pool passes a callback, a transaction awaits a promise.
  client.query = (config: unknown, values: unknown, answered?: Answered) => {
    const name = isStatement(config) && Array.isArray(values) ? nameOf(known, config.text, Boolean(config.name)) : undefined
    if (!isStatement(config) || name === undefined) return answered ? query(config, values, answered) : query(config, values)
    if (answered) return asPrepared(config, name, values, answered)
    return new Promise((resolve, reject) =>
      asPrepared(config, name, values, (error, result) => (error ? reject(error) : resolve(result)))
    )
  }
}

export function isStatement(config: unknown): config is Statement {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string'
}
