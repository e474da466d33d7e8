/** The small style sheet of the pages before sign-in has every class that those pages may use. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { startServer } from '#support/serverProcess.ts'

const FIRST = [
  ...globSync('src/pages/{sign-in,sign-in-with-password,sign-up,sign-up-verify,welcome}.astro'),
  'src/layouts/Auth.astro'
]

/** The file and every component that it imports, statically or with `import()`, at any depth. */
function withComponents(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+\.(?:tsx|astro))'/g)) {
    const imported = path.startsWith('#') ? path.replace(/^#(islands|layouts)/, 'src/$1') : join(file, '..', path)
    withComponents(imported, found)
  }
  return found
}

const NO_CLASSES = /\/\*[\s\S]*?\*\/|\/\/.*|role="\w+"/g
const classesOf = (css: string) =>
  new Set([...css.matchAll(/\.((?:\\.|[A-Za-z-])(?:\\.|[\w-])*)/g)].map(([, name = '']) => name.replace(/\\(.)/g, '$1')))
const variablesOf = (css: string) => new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))

it('has every class and every variable that these pages use', async () => {
  const server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')) })
  const page = await (await fetch(`${server.url}/sign-in`)).text()
  await server.stop()
  const own = page.match(/<style[^>]*>[\s\S]*?<\/style>/g)?.join('') ?? ''
  const whole = readFileSync(globSync('dist/client/_astro/app.*.css')[0] ?? '', 'utf8')
  const toasts = readFileSync(globSync('dist/client/_astro/toasts.*.css')[0] ?? '', 'utf8')

  const files = FIRST.flatMap((file) => [...withComponents(file)])
  const strings = files.flatMap((file) => [
    ...readFileSync(file, 'utf8')
      .replace(NO_CLASSES, '')
      .matchAll(/["'`]([^"'`]*)["'`]/g)
  ])
  const words = new Set(strings.flatMap(([, text = '']) => text.split(/[\s{}]+/)))
  const has = classesOf(own)
  const missing = [...classesOf(whole)].filter((name) => words.has(name) && !has.has(name))
  expect(missing).toEqual([])
  expect(files).toContain('src/islands/ui/CodeField.tsx')

  const unknown = [...variablesOf(toasts)].filter((name) => whole.includes(`${name}:`) && !own.includes(`${name}:`))
  expect(unknown).toEqual([])
})
