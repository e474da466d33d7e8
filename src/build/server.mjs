/** What the server is built from: one graph with the pages, the files that it reads, and routes that only some builds have. */
import { globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Not bundled: libraries that read their own files, start threads from them, or depend on the order in which their modules run. */
const UNBUNDLED = ['@electric-sql/pglite', '@node-rs/argon2', '@simplewebauthn/server', 'pdfkit', 'pino', 'sharp']

/** What the server reads by itself (`src/lib/server/platform/files.ts`). */
const RUNTIME_FILES = [
  'migrations/**/*',
  'public/icon-192.png',
  'src/content/legal/*',
  'src/lib/server/**/*.sql',
  'src/lib/server/documents/fonts/*.ttf',
  'src/lib/server/news/adapters/sandbox/entries/*.md'
]

/** The process and the operator's commands: each is a file of `dist/server/process`, which `run.mjs` starts. */
function programs() {
  const tools = globSync('src/lib/server/app/*.tool.ts').map((file) => [basename(file, '.tool.ts'), file])
  return [['server', 'src/server.ts'], ...tools]
}

/**
 * Bundles the process and the commands with their libraries, in one graph with the pages: what both need is there once, and a start does not
 * look for 800 modules. The files that they read are copied beside it, so that the product runs from `dist` without its source.
 */
export function bundledServer() {
  const entries = {
    name: 'bundled-server',
    apply: 'build',
    config: () => ({
      environments: {
        ssr: { resolve: { noExternal: true, external: UNBUNDLED }, build: { sourcemap: true, target: 'node24' } }
      }
    }),
    buildStart() {
      if (this.environment.name !== 'ssr') return
      for (const [name, file] of programs()) this.emitFile({ type: 'chunk', id: resolve(file), fileName: `process/${name}.mjs` })
    }
  }
  return {
    name: 'bundled-server',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => updateConfig({ vite: { plugins: [entries] } }),
      'astro:build:done': async ({ dir }) => {
        const files = fileURLToPath(new URL('../server/files/', dir))
        for (const file of globSync(RUNTIME_FILES, { withFileTypes: true }).filter((one) => one.isFile())) {
          const path = relative(process.cwd(), join(file.parentPath, file.name))
          await cp(path, join(files, path))
        }
      }
    }
  }
}

/**
 * `SANDBOX_CODE=none`: leaves out what plays the outside world (mails, bank, prices, chains, identity checks, its own news and customers). A
 * process of such a build refuses SANDBOX. The pages under /sandbox stay, and answer 404 as they do wherever there is no sandbox.
 */
export function withoutSandbox() {
  return {
    name: 'without-sandbox',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]lib[\\/]server[\\/].*[\\/]sandbox(?:[\\/]|[A-Z]?\w*\.ts$)/.test(id)) return undefined
      const names = [...code.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name)
      const missing = `const missing = () => { throw new Error('This build has no sandbox: it was made with SANDBOX_CODE=none') }`
      return { code: `${missing}\n${names.map((name) => `export const ${name} = missing`).join('\n')}`, map: null }
    }
  }
}

/** Routes of `npm run dev` only: the API, because `astro dev` has no front server, and the catalogue of parts. */
export function developmentRoutes() {
  return {
    name: 'development-routes',
    hooks: {
      'astro:config:setup': ({ command, injectRoute }) => {
        if (command !== 'dev') return
        injectRoute({ pattern: '/v1/[...path]', entrypoint: './src/dev/v1.ts' })
        injectRoute({ pattern: '/sandbox/parts', entrypoint: './src/dev/parts.astro' })
      }
    }
  }
}

/** `npm run bench` adds pages to the build: two that differ only in their island, and the dashboard with figures that it keeps. */
export function benchPages() {
  return {
    name: 'bench-pages',
    hooks: {
      'astro:config:setup': ({ injectRoute }) => {
        for (const name of ['island', 'plain', 'still'])
          injectRoute({ pattern: `/bench/${name}`, entrypoint: `./tests/bench/pages/${name}.astro` })
      }
    }
  }
}
