/** What both builds share, the customers' and the desk's. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fontProviders } from 'astro/config'

/** The policy of every page, the desk's too. Scripts and styles are allowed by their hashes, which Astro adds. */
export const CSP_DIRECTIVES = [
  "default-src 'self'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
  'report-uri /csp-report'
]

/** The one font, in one file for all weights. */
export const FONTS = [
  {
    provider: fontProviders.local(),
    name: 'Geist',
    cssVariable: '--font-geist',
    fallbacks: ['sans-serif'],
    options: { variants: [{ src: ['./src/layouts/fonts/geist.woff2'], weight: '400 700', style: 'normal' }] }
  }
]

const TEXT_FILE = /\.(js|css|html|svg|json|txt|xml|webmanifest)$/
const SMALLEST_BYTES = 512

/** Compresses every text file once, at the best level: the server sends them from memory as they are. */
export function precompress() {
  return {
    name: 'precompress',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const root = fileURLToPath(dir)
        const names = (await readdir(root, { recursive: true })).filter((name) => TEXT_FILE.test(name))
        await Promise.all(
          names.map(async (name) => {
            const file = join(root, name)
            const content = await readFile(file)
            if (content.length < SMALLEST_BYTES) return
            const [br, gz] = await Promise.all([
              promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
              promisify(gzip)(content, { level: 9 })
            ])
            await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
          })
        )
      }
    }
  }
}

/** Writes every route of the build to `dist/server/routes.json`; a test compares it with the expected list. */
export function routeList() {
  let found = []
  return {
    name: 'route-list',
    hooks: {
      'astro:routes:resolved': ({ routes }) => {
        found = routes.map(({ pattern, origin, type }) => ({ pattern, origin, type }))
      },
      'astro:build:done': ({ dir }) => writeFile(new URL('../server/routes.json', dir), JSON.stringify(found, null, 2))
    }
  }
}
