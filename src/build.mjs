/** Steps of the build that no package does for us. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
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

/**
 * Writes `dist/server/scripts.json`: for each source file, every script that the browser needs for it, so that a page
 * can request them all at once.
 */
export function scriptGraph() {
  const graph = {}
  const collector = {
    name: 'script-graph',
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return
      const withImports = (name, found = new Set()) => {
        if (found.has(name)) return found
        found.add(name)
        for (const imported of bundle[name]?.imports ?? []) withImports(imported, found)
        return found
      }
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.facadeModuleId) continue
        const file = relative(process.cwd(), chunk.facadeModuleId.split('?', 1)[0]).replaceAll('\\', '/')
        // One source file may contain several scripts.
        graph[file] = [...new Set([...(graph[file] ?? []), ...[...withImports(chunk.fileName)].map((name) => `/${name}`)])]
      }
    }
  }
  return {
    name: 'script-graph',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => updateConfig({ vite: { plugins: [collector] } }),
      'astro:build:done': ({ dir }) => writeFile(new URL('../server/scripts.json', dir), JSON.stringify(graph, null, 2))
    }
  }
}

/** `astro dev` has no front server: the API is a page route there. The build never contains it. */
export function apiInDevelopment() {
  return {
    name: 'api-in-development',
    hooks: {
      'astro:config:setup': ({ command, injectRoute }) => {
        if (command === 'dev') injectRoute({ pattern: '/v1/[...path]', entrypoint: './src/dev/v1.ts' })
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
        found = routes.map(({ pattern, origin }) => ({ pattern, origin }))
      },
      'astro:build:done': ({ dir }) => writeFile(new URL('../server/routes.json', dir), JSON.stringify(found, null, 2))
    }
  }
}

/** `npm run bench` adds two pages to the build, which differ only in their island. */
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

/** Not grouped: code that is fetched on the first tap or call, and page scripts, which must run on their own page only. */
const LATER = /src[\\/]lib[\\/]client[\\/]platform[\\/](http|refresh)\.|\.page\.ts$/
const GROUPS = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@astrojs[\\/]react|@nanostores[\\/]react)[\\/]/ },
  // Loaded by a press on the sign-in page, and by the profile.
  {
    name: 'signing',
    test: /src[\\/](islands[\\/]access[\\/](Password|Reset|Second)|lib[\\/](client[\\/]access[\\/](passwordSignIn|secondFactor|resetPassword|passkey)|messages[\\/]en[\\/](passwordStep|resetPassword|secondFactor)\.))/,
    minShareCount: 2
  },
  // For forms: fields with behaviour, their rules and sentences.
  {
    name: 'fields',
    test: /src[\\/](islands[\\/]ui[\\/](Code|Email|Password)Field|lib[\\/](domain[\\/]access[\\/]credentials|client[\\/]access[\\/](verification|welcome)|format[\\/]duration|messages[\\/]en[\\/](duration|fields|signIn)))\./,
    minShareCount: 2
  },
  {
    name: 'ui',
    test: /src[\\/](lib[\\/]messages[\\/]en[\\/](part|ui)|islands[\\/](platform[\\/](Notices|lazyPart|toasts)|ui[\\/](Button|Field|Form|Icon|useHydrated|useNow)))\./,
    minShareCount: 2
  },
  // Only what displays a figure or a state.
  {
    name: 'glance',
    test: /src[\\/](islands[\\/](platform[\\/]use(Query|Return)|ui[\\/](Amount|Tag|TokenMark|Split))|lib[\\/]format[\\/]names)/,
    minShareCount: 2
  },
  {
    name: 'kyc',
    test: /src[\\/](islands|lib[\\/](client|messages[\\/]en))[\\/]identity/,
    minShareCount: 2
  },
  {
    name: 'share',
    test: /src[\\/](islands[\\/]referral|lib[\\/](client[\\/]platform[\\/]share|domain[\\/]brand|messages[\\/]en[\\/]referral\.))/,
    minShareCount: 2
  },
  { name: 'parts', test: /src[\\/](islands[\\/]|lib[\\/]messages[\\/]en[\\/]copying)/, minShareCount: 2 },
  {
    name: 'queries',
    test: /[\\/]@nanostores[\\/]query[\\/]|src[\\/]lib[\\/]client[\\/](platform|wallet)[\\/]queries\./,
    minShareCount: 2
  },
  {
    name: 'account',
    test: /src[\\/]lib[\\/](client[\\/](access|orders|wallet)[\\/](?!verification|welcome)|messages[\\/]en[\\/](profile|wallet))/,
    minShareCount: 2
  },
  {
    name: 'figures',
    test: /src[\\/]lib[\\/](domain[\\/](?!access|brand)|format[\\/](amount|dates|prices|status)|messages[\\/]en[\\/](orderStatus|prices)\.)|[\\/]dayjs[\\/]/,
    minShareCount: 2
  },
  {
    name: 'core',
    test: (id) =>
      /src[\\/]lib[\\/]|[\\/](nanostores|@nanostores|nanoevents)[\\/]|vite[\\/]preload-helper/.test(id) && !LATER.test(id),
    minShareCount: 2
  }
]

/**
 * Few scripts instead of many small ones: on a slow line each costs a round trip. Shared code is grouped by its
 * dependencies, so that a page without an island loads no React and one without figures no calendar.
 */
export function fewScripts() {
  return {
    name: 'few-scripts',
    configEnvironment(name) {
      if (name !== 'client') return undefined
      return {
        build: {
          rolldownOptions: {
            preserveEntrySignatures: 'allow-extension',
            output: { codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS } }
          }
        }
      }
    }
  }
}

/**
 * `client:paint` starts an island as soon as possible after the first paint; its scripts load meanwhile. A hidden page
 * never paints, so its islands start at once.
 */
export function clientPaint() {
  return {
    name: 'client-paint',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => addClientDirective({ name: 'paint', entrypoint: './src/clientPaint.mjs' })
    }
  }
}
