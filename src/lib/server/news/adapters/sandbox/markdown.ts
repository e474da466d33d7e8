/** Converts Markdown to Contentful's rich text, for the sandbox's desk. Only what a news entry may have; the rest becomes plain text. */
import { marked, type Token, type Tokens } from 'marked'
import type { RichNode, RichText } from '#lib/domain/news/richText.ts'

const node = (nodeType: string, content: RichNode[], data: RichNode['data'] = {}): RichNode => ({ nodeType, data, content })
const word = (value: string, isBold: boolean): RichNode => ({
  nodeType: 'text',
  data: {},
  value,
  marks: isBold ? [{ type: 'bold' }] : []
})

function inline(tokens: Token[] = [], isBold = false): RichNode[] {
  return tokens.flatMap((token): RichNode[] => {
    if (token.type === 'strong') return inline(token.tokens, true)
    if (token.type === 'link') return [node('hyperlink', inline(token.tokens, isBold), { uri: (token as Tokens.Link).href })]
    if (token.type === 'br') return [word('\n', isBold)]
    if ('tokens' in token && token.tokens) return inline(token.tokens, isBold)
    return [word('text' in token ? String(token.text) : token.raw, isBold)]
  })
}

/** `![words](asset:ID)` alone in a paragraph is a picture. */
function imageOf({ tokens = [] }: Tokens.Paragraph): RichNode | undefined {
  const [only] = tokens
  const id = tokens.length === 1 && only?.type === 'image' ? /^asset:([\w-]+)$/.exec((only as Tokens.Image).href)?.[1] : undefined
  return id === undefined
    ? undefined
    : node('embedded-asset-block', [], { target: { sys: { type: 'Link', linkType: 'Asset', id } } })
}

function blocks(tokens: Token[] = []): RichNode[] {
  return tokens.flatMap((token): RichNode[] => {
    if (token.type === 'space') return []
    if (token.type === 'heading') return [node(`heading-${Math.min((token as Tokens.Heading).depth, 3)}`, inline(token.tokens))]
    if (token.type === 'paragraph') return [imageOf(token as Tokens.Paragraph) ?? node('paragraph', inline(token.tokens))]
    if (token.type === 'blockquote') return [node('blockquote', blocks(token.tokens))]
    if (token.type === 'list') {
      const { ordered, items } = token as Tokens.List
      return [
        node(
          ordered ? 'ordered-list' : 'unordered-list',
          items.map((item) => node('list-item', itemOf(item)))
        )
      ]
    }
    return [node('paragraph', 'tokens' in token && token.tokens ? inline(token.tokens) : [word(token.raw, false)])]
  })
}

/** The items of a tight list have no paragraphs, but rich text needs them. */
function itemOf({ tokens }: Tokens.ListItem): RichNode[] {
  return tokens.flatMap((token) => (token.type === 'text' ? [node('paragraph', inline([token]))] : blocks([token])))
}

export function richTextOf(markdown: string): RichText {
  return { nodeType: 'document', data: {}, content: blocks(marked.lexer(markdown)) }
}
