/**
 * Every text that the owner's specification quotes stands in `src/lib/messages` letter by letter. `tests/fixtures/specificationTexts.txt`
 * has them, a line each; a word in braces stands for a value. A text that the product never shows is listed in docs/conformance.md.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const VALUE = /\{[^}]*\}/g
const withoutNames = (text: string) => text.replaceAll(VALUE, '{}')

function textsIn(file: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest))
  return texts.map(withoutNames)
}

const ours = globSync('src/lib/messages/en/**/*.ts', { cwd: root }).flatMap(textsIn)
const quoted = readFileSync(`${root}tests/fixtures/specificationTexts.txt`, 'utf8').trimEnd().split('\n')
const conformance = readFileSync(`${root}docs/conformance.md`, 'utf8')

/** A title and its sentence may stand in one text: `Invalid Amount. Please enter …`. The quoted text ends where a sentence of ours does. */
function isQuotedBy(text: string, own: string): boolean {
  const at = own.indexOf(text)
  if (at < 0) return false
  const [before, after] = [own.slice(0, at), own.slice(at + text.length)]
  return (before === '' || /[.:!] $/.test(before)) && (after === '' || /^[.:!] ?|^ /.test(after))
}

it('has enough of them to be the whole specification', () => {
  expect(quoted.length).toBeGreaterThan(90)
})

it.each(quoted)('%s', (text) => {
  const isOurs = ours.some((own) => isQuotedBy(withoutNames(text), own))
  const isNamedAsMissing = conformance.includes(`\`${text}\``)
  expect(isOurs || isNamedAsMissing, 'neither in src/lib/messages nor named in docs/conformance.md as never shown').toBe(true)
})
