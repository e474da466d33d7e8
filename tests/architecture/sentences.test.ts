/**
 * Every text that a customer reads is in `src/lib/messages`, none in components. The sandbox pages are exempt: no customer
 * sees them.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const READ_ATTRIBUTES = ['label', 'title', 'placeholder', 'alt', 'aria-label', 'hint', 'text', 'busyLabel', 'word']
const WORD = /[A-Za-z]{2}/
/** Starts with a capitalised word and has several words: a sentence or a heading, not a class list or a key. */
const SENTENCE = /^[A-Z][a-z’']+ [a-zA-Z]/

function inReact(source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && WORD.test(node.text.replace(/&\w+;/g, ''))) found.push(node.text.trim())
    if (
      ts.isJsxAttribute(node) &&
      READ_ATTRIBUTES.includes(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      WORD.test(node.initializer.text)
    )
      found.push(node.getText())
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)
    if (isText && SENTENCE.test(node.text)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('island.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

function inAstro(source: string): string[] {
  const markup = source
    .replace(/^---[\s\S]*?\n---/, '')
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/&\w+;/g, '')
  const texts = [...markup.matchAll(/>([^<>{}=()?:]*)</g)].map(([, text = '']) => text.trim())
  const attributes = [...markup.matchAll(/\s([\w-]+)="([^"]*)"/g)]
    .filter(([, name = '']) => READ_ATTRIBUTES.includes(name))
    .map(([, , value = '']) => value)
  return [...texts, ...attributes].filter((text) => WORD.test(text))
}

/** Exempt: codes, names, and states of the identity check, which are keys. */
const NO_SENTENCE = ['CPC', 'Order history', 'Not Verified']

function sentencesIn(pattern: string, find: (source: string) => string[]): string[] {
  return globSync(pattern, { cwd: root })
    .filter((file) => !file.includes('sandbox'))
    .flatMap((file) =>
      find(readFileSync(`${root}${file}`, 'utf8'))
        .filter((text) => !NO_SENTENCE.includes(text))
        .map((text) => `${file}: ${text}`)
    )
}

it('finds a sentence in a component', () => {
  expect(inReact('<p>Two words</p>')).toEqual(['Two words'])
  expect(inReact('<Field label="Name" />')).toEqual(['label="Name"'])
  expect(inReact("const hint = 'Enter your address'")).toEqual(['Enter your address'])
  expect(inAstro('---\nconst a = 1\n---\n<p>Two words</p><img alt="A dog" />')).toEqual(['Two words', 'A dog'])
  expect(inReact('<p className="mt-2 flex">{texts.title}</p>')).toEqual([])
})

it('no island and no page holds a sentence', () => {
  expect([
    ...sentencesIn('src/islands/**/*.tsx', inReact),
    ...sentencesIn('src/pages/**/*.astro', inAstro),
    ...sentencesIn('src/layouts/**/*.astro', inAstro)
  ]).toEqual([])
})
