/** Each part of the style sheet is a file beside its component; a file that no style sheet imports would have no effect. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { expect, it } from 'vitest'

const SHEET = 'src/layouts/css/app.css'
/** The small sheet of the pages before sign-in imports some of the same parts. */
const ENTRANCE = 'src/layouts/css/signedOut.css'
/** Sheets that a few pages link in addition to `app.css`. */
const MORE = [
  'src/layouts/css/feed.css',
  'src/layouts/css/forms.css',
  'src/layouts/css/home.css',
  'src/layouts/css/market.css',
  'src/layouts/css/reading.css',
  'src/layouts/css/profile.css',
  'src/layouts/css/token.css',
  'src/layouts/css/wallet.css'
]
/** Loaded with the first toast, and with the first touch of a value line. */
const LATER = ['src/islands/platform/toasts.css', 'src/lib/client/wallet/lineTip.css']

function importsOf(sheet: string): string[] {
  return [...readFileSync(sheet, 'utf8').matchAll(/@import "(\.[^"]+)"/g)].map(([, path = '']) =>
    normalize(`${dirname(sheet)}/${path}`)
  )
}

it('the style sheets import every part that stands beside a component, none twice on a page, and nothing else', () => {
  const everywhere = importsOf(SHEET)
  const sheets = [SHEET, ENTRANCE, ...MORE, ...LATER]
  // The desk is another product, with one sheet of its own.
  const parts = globSync('src/**/*.css').filter((file) => !sheets.includes(file) && !file.startsWith('src/desk/'))
  expect([...new Set([SHEET, ...MORE].flatMap(importsOf))].toSorted()).toEqual(parts.toSorted())
  // A page links the sheet of every page and at most one more.
  for (const more of MORE) {
    const linked = [...everywhere, ...importsOf(more)]
    expect(linked.toSorted(), more).toEqual([...new Set(linked)].toSorted())
  }
})
