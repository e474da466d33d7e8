/** The desk and the customers' pages share no page, script or contract: `.astro` files too, which the other tools do not see. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { expect, it } from 'vitest'

const OF_DESK = /^src\/(desk\/|lib\/contract\/desk\/|lib\/(domain|server)\/(desk|staff)\/)/
const FOR_DESK =
  /^(src\/desk\/|src\/lib\/(domain|format|contract\/desk)\/|src\/layouts\/(css\/tokens\.css|fonts\/)|tailwindcss|astro|@simplewebauthn\/browser)/
/** Only `astro dev` uses it. */
const CUSTOMERS = 'src/{pages,layouts,islands,content}/**/*.{astro,ts,tsx}'

/** Each file with what it imports, as a path of the project or a package. */
function importsOf(pattern: string): [string, string][] {
  return globSync(pattern).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, specifier = '']): [string, string] => {
        if (specifier.startsWith('#')) return [file, specifier.replace('#messages/', 'src/lib/messages/en/').replace('#', 'src/')]
        return [file, specifier.startsWith('.') ? normalize(`${dirname(file)}/${specifier}`) : specifier]
      }
    )
  )
}

it('no page of the customers imports anything of the desk', () => {
  const imports = importsOf(CUSTOMERS)
  expect(imports.length).toBeGreaterThan(500)
  expect(imports.filter(([, to]) => OF_DESK.test(to))).toEqual([])
})

it('no page of the desk imports anything of the customers’', () => {
  const imports = importsOf('src/desk/**/*.{astro,ts}')
  expect(imports.length).toBeGreaterThan(40)
  expect(imports.filter(([, to]) => !FOR_DESK.test(to))).toEqual([])
})
