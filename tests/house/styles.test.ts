/** Each part of the style sheet stands beside its component; a file that `app.css` does not import would be lost. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { expect, it } from 'vitest'

const SHEET = 'src/layouts/css/app.css'
/** The small sheet of the pages before sign-in is made of parts of the other. */
const ENTRANCE = 'src/layouts/css/entrance.css'
/** The toasts are loaded with the first one. */
const LATER = ['src/islands/platform/toasts.css']

it('the style sheet imports every part that stands beside a component, and nothing else', () => {
  const imported = [...readFileSync(SHEET, 'utf8').matchAll(/@import "(\.[^"]+)"/g)].map(([, path = '']) =>
    normalize(`${dirname(SHEET)}/${path}`)
  )
  const parts = globSync('src/**/*.css').filter((file) => ![SHEET, ENTRANCE].includes(file) && !LATER.includes(file))
  expect(imported.toSorted()).toEqual(parts.toSorted())
})
