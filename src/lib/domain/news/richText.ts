/** The editors' rich text (Contentful's format), reduced to the parts that we show. */

/** A node of the document. A text node has `value` and `marks`, every other node has `content`. */
export type RichNode = {
  nodeType: string
  data: { uri?: string; target?: { sys: { type: 'Link'; linkType: string; id: string } } }
  content?: RichNode[]
  value?: string
  marks?: { type: string }[]
}
export type RichText = RichNode & { nodeType: 'document'; content: RichNode[] }

export type CleanText = {
  document: RichText
  /** The kinds of nodes, marks and links that were left out, each once. */
  leftOut: string[]
  /** The ids of the images in it. */
  assetIds: string[]
}

const BLOCKS = new Set([
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'ordered-list',
  'unordered-list',
  'list-item',
  'blockquote'
])
const IMAGE = 'embedded-asset-block'
const LINK = 'hyperlink'
const MARKS = new Set(['bold'])
const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])
/** Far above what a person writes; a document beyond it is cut, so that it cannot exhaust the memory or the stack. */
const MOST_NODES = 5000
const DEEPEST = 20
const EMPTY_TEXT: RichText = { nodeType: 'document', data: {}, content: [] }

/** True if we show an editor's link: only http, https and mailto. */
export function isShownLink(uri: string): boolean {
  return URL.canParse(uri) && LINK_PROTOCOLS.has(new URL(uri).protocol)
}

/**
 * Reduces a document to the parts that we show. An unknown block is left out as a whole. An unknown mark, an unknown inline node or a
 * link other than http, https or mailto is removed, but its text stays. A value that is not a document becomes an empty document.
 */
export function cleanRichText(value: unknown): CleanText {
  const leftOut = new Set<string>()
  const assetIds = new Set<string>()
  let nodes = 0

  function cleanText(node: Record<string, unknown>): RichNode[] {
    if (typeof node.value !== 'string' || node.value === '') return []
    const types = listOf(node.marks).flatMap((mark) => (isRecord(mark) && typeof mark.type === 'string' ? [mark.type] : []))
    for (const type of types) if (!MARKS.has(type)) leftOut.add(`mark ${type}`)
    const marks = types.filter((type) => MARKS.has(type)).map((type) => ({ type }))
    return [{ nodeType: 'text', data: {}, value: node.value, marks }]
  }

  function cleanImage(node: Record<string, unknown>): RichNode[] {
    const id = assetIdOf(node.data)
    if (id === undefined) return []
    assetIds.add(id)
    return [{ nodeType: IMAGE, data: { target: { sys: { type: 'Link', linkType: 'Asset', id } } }, content: [] }]
  }

  function clean(node: unknown, depth: number): RichNode[] {
    nodes += 1
    if (!isRecord(node) || typeof node.nodeType !== 'string') return []
    if (nodes > MOST_NODES || depth > DEEPEST) {
      leftOut.add('too much text')
      return []
    }
    const { nodeType } = node
    if (nodeType === 'text') return cleanText(node)
    if (nodeType === IMAGE) return cleanImage(node)
    if (BLOCKS.has(nodeType)) return [{ nodeType, data: {}, content: inside(node, depth) }]
    if (nodeType === LINK) {
      const uri = isRecord(node.data) ? node.data.uri : undefined
      if (typeof uri === 'string' && isShownLink(uri)) return [{ nodeType, data: { uri }, content: inside(node, depth) }]
      leftOut.add('link of another kind')
      return inside(node, depth)
    }
    leftOut.add(nodeType.slice(0, 60))
    // Inline nodes are named `…-hyperlink` or `…-inline`: their words belong to the sentence around them.
    return /-(hyperlink|inline)$/.test(nodeType) ? inside(node, depth) : []
  }

  function inside(node: Record<string, unknown>, depth: number): RichNode[] {
    return listOf(node.content).flatMap((child) => clean(child, depth + 1))
  }

  const isDocument = isRecord(value) && value.nodeType === 'document'
  const document: RichText = isDocument ? { ...EMPTY_TEXT, content: inside(value, 0) } : EMPTY_TEXT
  return { document, leftOut: [...leftOut], assetIds: [...assetIds] }
}

/** The text of a document without formatting: `length` characters at most, cut between words. */
export function plainText(document: RichText, length: number): string {
  const words = document.content.map(textOf).join(' ').replace(/\s+/g, ' ').trim()
  if (words.length <= length) return words
  const cut = words.slice(0, length)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`
}

function textOf({ value, content }: RichNode): string {
  return value ?? (content ?? []).map(textOf).join('')
}

/** The format of Contentful's ids of articles and assets. */
export const CONTENTFUL_ID = /^[\w.-]{1,64}$/

/** The id of the asset that a Contentful link points to; undefined for anything else. */
export function assetIdOf(data: unknown): string | undefined {
  const target = isRecord(data) && 'target' in data ? data.target : data
  const sys = isRecord(target) ? target.sys : undefined
  const isAsset = isRecord(sys) && sys.linkType === 'Asset'
  return isAsset && typeof sys.id === 'string' && CONTENTFUL_ID.test(sys.id) ? sys.id : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
