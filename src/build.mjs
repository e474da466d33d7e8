/** Steps of the build that no package does for us. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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

/** `npm run bench` builds two pages more, which differ in their island alone. */
export function benchPages() {
  return {
    name: 'bench-pages',
    hooks: {
      'astro:config:setup': ({ injectRoute }) => {
        for (const name of ['island', 'plain'])
          injectRoute({ pattern: `/bench/${name}`, entrypoint: `./tests/bench/pages/${name}.astro` })
      }
    }
  }
}

/** sonner writes a `<style>` element, which the content security policy refuses; its CSS file is imported instead. */
export function sonnerWithoutStyleTag() {
  return {
    name: 'sonner-without-style-tag',
    transform(code, id) {
      if (!/sonner[\\/]dist[\\/]index\.mjs/.test(id)) return undefined
      const stripped = code.replace(/^__insertCSS\(.*\);?$/m, '')
      if (stripped === code) throw new Error('sonner changed: its style element is no longer where we remove it')
      return { code: stripped, map: null }
    }
  }
}
