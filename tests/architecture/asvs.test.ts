/** The pages about security name what is there: requirements, files, tests, tables, keys, connections, errors. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const sources = globSync('src/**/*.{ts,astro}')
const STATUSES = ['holds', 'not ours', 'accepted', 'open']
/** Names of XML, which are written like addresses, and examples of comments. */
const NAMESPACES = /^https?:\/\/(www\.w3\.org|eu\.europa\.ec|127\.0\.0\.1|user)\//

it('has every requirement of ASVS once, in its order, with a status, a reason, and evidence that exists', () => {
  const rows = [...read('docs/asvs.md').matchAll(/^\| (V[\d.]+) \| ([^|]+?) \|([^|]*)\|([^|]*)\|$/gm)]
  expect(rows.map(([, id]) => id)).toEqual(read('tests/fixtures/asvs/ids.txt').trim().split('\n'))
  for (const [, id, status = '', evidence = '', why = ''] of rows) {
    expect(STATUSES, id).toContain(status)
    expect(why.trim(), id).not.toBe('')
    const named = [...evidence.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)]
    if (status !== 'not ours') expect(named.length, `${id} names nothing`).toBeGreaterThan(0)
    for (const [, file = '', title] of named) {
      expect(existsSync(file), `${id}: ${file}`).toBe(true)
      if (title) expect(read(file), `${id}: "${title}" in ${file}`).toContain(title)
    }
  }
})

it('names every table with its class', () => {
  const page = read('docs/data.md')
  const tables = globSync('src/lib/server/**/schema.ts').flatMap((file) =>
    [...read(file).matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name)
  )
  expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('names every derived key', () => {
  const page = read('docs/keys.md')
  const keys = globSync('src/lib/server/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/keyFor\('([\w-]+)'\)/g)].map(([, name]) => name)
  )
  expect(keys.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('names every address that is asked', () => {
  const page = read('docs/operations.md')
  const settings = [...read('.env.example').matchAll(/^#? ?([A-Z_]+_(?:URL|DIR|SPACE|LIST))=/gm)].map(([, name]) => name)
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  const fixed = globSync('src/lib/server/**/adapters/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address)
  )
  const unnamed = fixed.filter((address) => !NAMESPACES.test(`${address}/`) && !page.includes(address))
  expect(unnamed).toEqual([])
})

it('names every error of the log', () => {
  const page = read('docs/operations.md')
  const texts = sources.flatMap((file) =>
    [...read(file).matchAll(/log\.error\((?:\{[^{}]*\}|\w+),\s*'([^']+)'/g)].map(([, text]) => text)
  )
  expect(texts.length).toBeGreaterThan(30)
  expect(texts.filter((text) => !page.includes(text ?? ''))).toEqual([])
})

it('follows no redirect of another system', () => {
  const asks = globSync('src/lib/server/**/adapters/**/*.ts').filter((file) => /\bfetch\(/.test(read(file)))
  expect(asks.length).toBeGreaterThan(4)
  expect(asks.filter((file) => !read(file).includes("redirect: 'error'"))).toEqual([])
})
