/**
 * `npm run assets`: makes the font of the pages, the icons and the social image, which are committed. Run it after
 * changing `public/favicon.svg`, the brand's name or the characters below.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import pngToIco from 'png-to-ico'
import subsetFont from 'subset-font'
import { BRAND } from '#lib/domain/brand.ts'
import { launchOptions } from '../support/chromium.ts'

const FONT_PACKAGE = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/geist/package.json'))
const FONTS = 'src/layouts/fonts'
/** Basic Latin, Latin-1, and the typographic characters of the texts; other letters come from the system's font. */
const CHARACTERS = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ...'–—‘’“”…€≈−×•→↗ ✓'].join('')

const DOCUMENT_FONTS = 'src/lib/server/documents/fonts'
/** Latin Extended-A, -B and Additional. */
const EXTENDED = [...range(0x100, 0x24f), ...range(0x1e00, 0x1eff)].join('')

const PAPER = '#f4f3ee'
const GREEN = '#0c3b2c'

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

async function makeFont(): Promise<Buffer> {
  const whole = readFileSync(join(FONT_PACKAGE, 'files/geist-latin-wght-normal.woff2'))
  const subset = await subsetFont(whole, CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700, default: 400 } }
  })
  writeFileSync(`${FONTS}/geist.woff2`, subset)
  copyFileSync(join(FONT_PACKAGE, 'LICENSE'), `${FONTS}/LICENSE`)
  return subset
}

/** Static fonts for documents, because PDF has no variable fonts. Letters beyond Latin-1, for names, come from separate files. */
async function makeDocumentFonts(): Promise<void> {
  const [latin, extended, cyrillic] = ['latin', 'latin-ext', 'cyrillic'].map((set) =>
    readFileSync(join(FONT_PACKAGE, `files/geist-${set}-wght-normal.woff2`))
  )
  const cut = async (name: string, whole: Buffer | undefined, characters: string, wght: number) => {
    if (!whole) throw new Error('The font package has not the expected files')
    const font = await subsetFont(whole, characters, { targetFormat: 'truetype', variationAxes: { wght } })
    writeFileSync(`${DOCUMENT_FONTS}/${name}.ttf`, font)
  }
  await cut('geist-400', latin, CHARACTERS, 400)
  await cut('geist-600', latin, CHARACTERS, 600)
  await cut('geist-400-extended', extended, EXTENDED, 400)
  await cut('geist-400-cyrillic', cyrillic, range(0x400, 0x45f).join(''), 400)
  copyFileSync(join(FONT_PACKAGE, 'LICENSE'), `${DOCUMENT_FONTS}/LICENSE`)
}

async function draw(browser: Browser, width: number, height: number, html: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>body{margin:0}</style>${html}`)
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

function icon(svg: string, size: number, { padding = 0, background = 'transparent' } = {}): string {
  const inner = size - 2 * padding
  return `<div style="width:${size}px;height:${size}px;display:grid;place-items:center;background:${background}">
    <div style="width:${inner}px;height:${inner}px">${svg}</div></div>`
}

function social(svg: string, font: Buffer): string {
  return `<style>@font-face{font-family:G;src:url(data:font/woff2;base64,${font.toString('base64')});font-weight:400 700}</style>
    <div style="box-sizing:border-box;width:1200px;height:630px;padding:88px;background:${GREEN};color:${PAPER};font-family:G;display:flex;flex-direction:column;justify-content:space-between">
      <div style="display:flex;align-items:center;gap:28px;font-size:44px;font-weight:600">
        <div style="width:88px;height:88px;border-radius:25px;box-shadow:0 0 0 2px #2f6450">${svg}</div>${BRAND.name}</div>
      <div style="font-size:84px;line-height:1.05;font-weight:600;letter-spacing:-.03em">Every figure<br>explains itself.</div>
      <div style="font-size:32px;color:#bcd5c8">Hold, buy and stake tokens. Nothing booked twice, nothing lost.</div>
    </div>`
}

const svg = readFileSync('public/favicon.svg', 'utf8')
const font = await makeFont()
await makeDocumentFonts()
const browser = await chromium.launch(launchOptions())
try {
  writeFileSync('public/favicon.ico', await pngToIco([await draw(browser, 32, 32, icon(svg, 32))]))
  writeFileSync('public/icon-192.png', await draw(browser, 192, 192, icon(svg, 192)))
  writeFileSync('public/icon-512.png', await draw(browser, 512, 512, icon(svg, 512)))
  // Systems crop these two to their own shape, so the background reaches every edge.
  writeFileSync('public/apple-touch-icon.png', await draw(browser, 180, 180, icon(svg, 180, { background: GREEN, padding: 10 })))
  writeFileSync('public/icon-maskable-512.png', await draw(browser, 512, 512, icon(svg, 512, { background: GREEN, padding: 64 })))
  writeFileSync('public/social.png', await draw(browser, 1200, 630, social(svg, font)))
} finally {
  await browser.close()
}
