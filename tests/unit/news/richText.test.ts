import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { imageFile, parseImageFile, widthsOf } from '#lib/domain/news/entry.ts'
import { cleanRichText, isShownLink, plainText, type RichNode } from '#lib/domain/news/richText.ts'
import { PICTURES, pictureOf } from '#lib/server/news/adapters/sandbox/pictures.ts'

const text = (value: string, ...marks: string[]) => ({
  nodeType: 'text',
  data: {},
  value,
  marks: marks.map((type) => ({ type }))
})
const node = (nodeType: string, content: unknown[], data = {}) => ({ nodeType, data, content })
const clean = (...content: unknown[]) => cleanRichText(node('document', content))

const SHOWN = new Set([
  'text',
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'ordered-list',
  'unordered-list',
  'list-item',
  'blockquote',
  'hyperlink',
  'embedded-asset-block'
])

function nodesOf({ content = [], ...node }: RichNode): Omit<RichNode, 'content'>[] {
  return [node, ...content.flatMap(nodesOf)]
}

describe('rich text', () => {
  it('keeps the words of an unknown mark, an unknown inline node and a link of another kind', () => {
    const { document, leftOut } = clean(
      node('paragraph', [
        text('a', 'italic', 'bold'),
        node('entry-hyperlink', [text('b')]),
        node('hyperlink', [text('c')], { uri: 'javascript:alert(1)' })
      ])
    )
    expect(plainText(document, 10)).toBe('abc')
    expect(document.content[0]?.content?.[0]?.marks).toEqual([{ type: 'bold' }])
    expect(leftOut).toEqual(['mark italic', 'entry-hyperlink', 'link of another kind'])
  })

  it('leaves an unknown block out as a whole, and names it once', () => {
    const { document, leftOut } = clean(node('table', [text('x')]), node('table', [text('y')]), node('paragraph', [text('z')]))
    expect(plainText(document, 10)).toBe('z')
    expect(leftOut).toEqual(['table'])
  })

  it.each(['https://example.com', 'http://example.com/a?b#c', 'mailto:a@example.com'])('shows the link %s', (uri) => {
    expect(isShownLink(uri)).toBe(true)
  })
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    '/staking',
    '//a.b',
    ''
  ])('does not show the link "%s"', (uri) => {
    expect(isShownLink(uri)).toBe(false)
  })

  it('of any value whatever is a document of known nodes with safe links', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 6 }), fc.constantFrom(...SHOWN, 'table', 'x'), (value, nodeType) => {
        const { document } = clean({ nodeType, data: value, content: [value], value, marks: value }, value)
        for (const { nodeType: kind, data } of nodesOf(document).slice(1)) {
          expect(SHOWN).toContain(kind)
          if (kind === 'hyperlink') expect(isShownLink(data.uri ?? '')).toBe(true)
        }
      })
    )
  })

  it('is cut where it is nested or long without end', () => {
    let deep: unknown = text('x')
    for (let depth = 0; depth < 10_000; depth += 1) deep = node('blockquote', [deep])
    expect(clean(deep).leftOut).toEqual(['too much text'])
    expect(nodesOf(clean(...Array.from({ length: 9000 }, () => node('paragraph', []))).document).length).toBeLessThan(5100)
  })

  it('is cut at a word for a description', () => {
    const { document } = clean(node('paragraph', [text('one two three four')]))
    expect(plainText(document, 100)).toBe('one two three four')
    expect(plainText(document, 9)).toBe('one two…')
  })
})

describe('the sizes of a picture', () => {
  it('are those below its width, and its own where it is smaller than the largest', () => {
    expect(widthsOf(4000)).toEqual([480, 960, 1600])
    expect(widthsOf(1600)).toEqual([480, 960, 1600])
    expect(widthsOf(1000)).toEqual([480, 960, 1000])
    expect(widthsOf(300)).toEqual([300])
  })

  it('have names that are read back', () => {
    const hash = 'ab'.repeat(16)
    expect(parseImageFile(imageFile(hash, 960, 'avif'))).toEqual({ hash, width: 960, format: 'avif' })
    for (const name of ['', 'x.avif', `${hash}-960.svg`, `${hash}-96000.avif`]) expect(parseImageFile(name)).toBeUndefined()
  })
})

describe("the sandbox's pictures", () => {
  it.each(PICTURES)('draw %s', async (name) => {
    expect(await sharp(Buffer.from(pictureOf(name) ?? '')).metadata()).toMatchObject({ format: 'svg', width: 960, height: 540 })
  })
})
