/** Reads XML of unknown structure. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

const parserOf = (lists: ReadonlySet<string>): XMLParser =>
  new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    removeNSPrefix: true,
    processEntities: true,
    // Numeric references such as `&#82;`.
    htmlEntities: true,
    isArray: (name) => lists.has(name)
  })

export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/**
 * Makes a reader of documents, with one parser for all that it reads. `lists`: elements that are a list, also where there is only one. The
 * reader answers a tree, and throws UnreadableError if a document is not well-formed, e.g. because it is still being written.
 */
export function xmlReader(lists: ReadonlySet<string>): (xml: string) => unknown {
  const parser = parserOf(lists)
  return (xml) => {
    const valid = XMLValidator.validate(xml)
    if (valid !== true) throw new UnreadableError(`The document is not well-formed: ${valid.err.msg} (line ${valid.err.line})`)
    try {
      return parser.parse(xml)
    } catch (error) {
      throw new UnreadableError(`The document cannot be read: ${error instanceof Error ? error.message : 'no reason given'}`)
    }
  }
}

/** The element at `path` below `node`, or undefined. */
export function at(node: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (here, name) => (typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[name] : undefined),
    node
  )
}

export function list(node: unknown, ...path: string[]): unknown[] {
  const found = at(node, ...path)
  return Array.isArray(found) ? found : []
}

/** The text of an element, without NUL characters, which PostgreSQL cannot store in a text. */
export function text(node: unknown): string {
  if (node === undefined || node === null) return ''
  const value = typeof node === 'object' ? String(at(node, '#text') ?? '') : String(node)
  return value.replaceAll('\u0000', '').trim()
}
