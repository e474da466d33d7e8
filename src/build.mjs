/** Steps of the build that no package does for us. */
import { existsSync, globSync } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
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

/**
 * What the server does for every page, made cheaper: an island is rendered to text at once, not through a stream that is then collected (no
 * part of it waits for anything); whether a component is React's is tried once, not with every rendering, for which it would be rendered
 * twice; the hash of a style or script of the build is computed once; and an island gets no `uid`, which is a hash of all its text and
 * properties, and which nothing reads.
 */
export function pagesAtOnce() {
  const changes = [
    {
      file: /@astrojs[\\/]react[\\/]dist[\\/]server\.js$/,
      replace: [
        ['await renderToReadableStreamAsync(vnode, renderOptions)', 'ReactDOM.renderToString(vnode, renderOptions)'],
        ['const renderer = {', 'const reactComponents = new Set();\nconst renderer = {'],
        [
          '  check,',
          `  check: async function (Component, ...args) {
    const isReact = reactComponents.has(Component) || (await check.call(this, Component, ...args));
    if (isReact) reactComponents.add(Component);
    return isReact;
  },`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]core[\\/]encryption\.js$/,
      replace: [
        [
          'async function generateCspDigest(data, algorithm) {',
          `const knownDigests = new Map();
function generateCspDigest(data, algorithm) {
  const key = algorithm + data;
  const known = knownDigests.get(key) ?? makeCspDigest(data, algorithm);
  if (knownDigests.size < 1000) knownDigests.set(key, known);
  return known;
}
async function makeCspDigest(data, algorithm) {`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]component\.js$/,
      replace: [
        [
          `  const astroId = shorthash(
    \`<!--\${metadata.componentExport.value}:\${metadata.componentUrl}-->
\${html}
\${serializeProps(
      props,
      metadata
    )}\`
  );`,
          '  const astroId = undefined;'
        ]
      ]
    }
  ]
  return changedLibraries('pages-at-once', changes)
}

/**
 * What the server makes for a page is garbage as soon as the page is sent. V8 keeps it until a full collection, in the old generation, where an
 * object has a getter of its own (`src/pageContexts.mjs`), or where a new function is assigned to a property, which V8 takes for a method and puts
 * there at once. All that the getter or function can reach then stays, too. Here such functions get a name before they are assigned. Node's writable
 * streams have such a function as well: the one that compresses a page lets go of the page at its end, and is destroyed where the browser leaves
 * before. And a page, which is drawn as a whole, is sent as bytes, without a web stream that copies it twice; its reason phrase is Node's.
 */
export function pagesLeaveNothing() {
  /** Of an answer, replaced by `compression`. */
  const proxied = ['flush', 'write', 'end', 'on']
  const bytes = 'Symbol.for("bytesOfPage")'
  const answer = 'return new Response(body, { ...init, headers, status, statusText });'
  const changes = [
    {
      file: /astro[\\/]dist[\\/]core[\\/]fetch[\\/]fetch-state\.js$/,
      replace: [
        [
          `,
      get locals() {
        return self.locals;
      }
    };
    this.componentInstance`,
          `
    };
    this.componentInstance`
        ],
        ['this.locals = options?.locals ?? {};', 'this.locals = this.renderOptions.locals = options?.locals ?? {};'],
        [
          `,
      get headers() {
        return headers;
      },
      set headers(_) {
        throw new AstroError(AstroErrorData.AstroResponseHeadersReassigned);
      }
    };`,
          `
    };
    Object.defineProperty(response, "headers", { value: headers, enumerable: true });`
        ],
        [
          'export {\n  FetchState,',
          `import { leaveNothing } from ${JSON.stringify(resolve('src/pageContexts.mjs'))};
leaveNothing(FetchState, {
  ASTRO_GENERATOR, AstroError, AstroErrorData, Slots, astroToRuntimeLogger, createCallAction, createGetActionResult, getOriginPathname, getSite,
  responseSentSymbol
});
export {
  FetchState,`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]astro[\\/]instance\.js$/,
      replace: [
        ['this.slotValues[name] = () => {', 'const slotValue = () => {'],
        [
          'return slots[name](result);\n      };',
          'return slots[name](result);\n      };\n      this.slotValues[name] = slotValue;'
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]page\.js$/,
      replace: [
        [
          answer,
          `const page = ${answer.slice('return '.length)}\n    if (!streaming) page[${bytes}] = Buffer.from(body.buffer, body.byteOffset, body.byteLength);\n    return page;`
        ]
      ]
    },
    {
      file: /astro[\\/]dist[\\/]core[\\/]app[\\/]node\.js$/,
      replace: [
        [
          'const { status, headers, body, statusText } = source;',
          `const bytes = source[${bytes}];\n  const { status, headers } = source;\n  const { body, statusText } = bytes ? {} : source;`
        ],
        ['if (!body) return destination.end();', 'if (!body) return destination.end(bytes);']
      ]
    },
    {
      file: /[\\/]pg[\\/]lib[\\/]client\.js$/,
      replace: [
        [
          '      query.callback = (err, res) => {\n        clearTimeout',
          '      const answered = (err, res) => {\n        clearTimeout'
        ],
        ['queryCallback(err, res)\n      }', 'queryCallback(err, res)\n      }\n      query.callback = answered']
      ]
    },
    {
      file: /[\\/]compression[\\/]index\.js$/,
      replace: [
        ...proxied.map((name) => [`res.${name} = function ${name} (`, `var ${name}OfPage = function ${name} (`]),
        [
          '    function nocompress',
          `${proxied.map((name) => `    res.${name} = ${name}OfPage\n`).join('')}    function nocompress`
        ],
        // Not before the end: until then the compressor may still be writing into this buffer, on another thread.
        [
          '        _end.call(res)\n',
          '        _end.call(res)\n        stream.removeAllListeners()\n        stream._outBuffer = null\n'
        ],
        ["      _on.call(res, 'drain'", "      _on.call(res, 'close', () => stream.destroy())\n\n      _on.call(res, 'drain'"]
      ]
    }
  ]
  return changedLibraries('pages-leave-nothing', changes)
}

/** Replaces texts of libraries on the server; a library that no longer has one of them fails the build. */
function changedLibraries(name, changes) {
  return {
    name,
    transform(code, id) {
      const due = this.environment.name === 'client' ? [] : changes.filter(({ file }) => file.test(id))
      if (due.length === 0) return undefined
      let changed = code
      for (const [from, to] of due.flatMap(({ replace }) => replace)) {
        if (!changed.includes(from)) throw new Error(`${id} changed: it no longer has "${from}"`)
        changed = changed.replace(from, () => to)
      }
      return { code: changed, map: null }
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

/**
 * On the server a lazy part is there at once. Otherwise React would send the first page without it, and the part behind it with an inline
 * script, which the content security policy refuses.
 */
export function partsOnTheServer() {
  return {
    name: 'parts-on-the-server',
    enforce: 'pre',
    transform(code, id) {
      if (this.environment.name === 'client' || !id.endsWith('.tsx') || !code.includes('lazyPart(')) return undefined
      const imports = []
      const changed = code.replace(/lazyPart\(\(\) => import\(('[^']+')\)\)/g, (_, path) => {
        const name = `ServerPart${imports.length}`
        imports.push(`import ${name} from ${path}`)
        return name
      })
      return { code: `${changed}\n${imports.join('\n')}\n`, map: null }
    }
  }
}

/** Browsers do not load the rate limits of calls: the server alone counts them. */
export function limitsOnServer() {
  return {
    name: 'limits-on-server',
    enforce: 'pre',
    transform(code, id) {
      if (this.environment.name !== 'client' || !/[\\/]lib[\\/]contract[\\/]rules\.ts$/.test(id)) return undefined
      const without = code.replace(/^(export const \w+: Limits = )\{.*(?:\n .*)*(?:\n\})?$/gm, '$1{}')
      if (/\bmax: \d/.test(without)) throw new Error(`${id} changed: a limit is no longer where the build removes it`)
      return { code: without, map: null }
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

/**
 * Requests all files of a lazy part at once. Vite's own helper is ten times as long, because it also loads style sheets of lazy parts; ours
 * have none, and the build fails if one has.
 */
export function shortPreload() {
  return {
    name: 'short-preload',
    enforce: 'pre',
    load(id) {
      if (id !== '\0vite/preload-helper.js') return undefined
      return `const asked = new Set()
export const __vitePreload = (load, files) => {
  for (const file of files ?? []) {
    if (asked.has(file)) continue
    asked.add(file)
    // Not a link: the browser would remember one that failed, and a tap could not load its code later.
    fetch('/' + file).catch(() => undefined)
  }
  return load()
}`
    },
    generateBundle(_options, bundle) {
      for (const { fileName, code = '' } of Object.values(bundle))
        if (/m\.f=\[[^\]]*\.css/.test(code))
          throw new Error(`${fileName}: a lazy part has a style sheet, which nothing would load`)
    }
  }
}

/**
 * Resolves `#messages/…` to the file of the language that is built, or to the English file if that language has none. So a build
 * has one language, in its scripts and in its pages.
 */
export function textsIn(language) {
  const folder = (name) => fileURLToPath(new URL(`./lib/messages/${name}/`, import.meta.url))
  return {
    name: 'texts-of-language',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('#messages/')) return undefined
      const path = source.slice('#messages/'.length)
      return [language, 'en'].map((name) => join(folder(name), path)).find((file) => existsSync(file))
    }
  }
}

/** Page scripts are never grouped: each must run on its own page only. */
const OWN_PAGE = /\.page\.ts$/
/** Libraries that several pages share. Every other library is bundled with the code that needs it. */
const LIBRARIES = {
  react: 'react',
  'react-dom': 'react',
  scheduler: 'react',
  '@astrojs/react': 'react',
  '@nanostores/react': 'react',
  '@nanostores/query': 'live',
  'nanostores/computed': 'live',
  nanostores: 'core',
  nanoevents: 'live',
  '@nanostores/persistent': 'core'
}
/**
 * Parts of `platform`, `ui` and `format`, which serve every feature, grouped by the pages that need them. Paths are files or
 * folders below `src`; the build refuses one that does not exist, so that a rename can't break a group silently. `alone`: in no
 * group, because few pages need it, or only after a tap or a call.
 */
const PARTS = {
  alone: [
    'lib/client/platform/askAgain.ts',
    'lib/client/platform/keyedRequests.ts',
    'lib/client/platform/requestKey.ts',
    'lib/messages/en/platform/unknown.ts',
    'lib/domain/money/amount.ts',
    'lib/domain/withdrawals',
    'islands/ui/Actions.tsx',
    'islands/ui/PasswordField.tsx',
    'lib/client/access/signInCode.ts',
    'lib/client/access/verification.ts',
    'lib/client/platform/requestKey.ts',
    'islands/ui/Split.tsx',
    'islands/orders/Pay.tsx',
    'islands/orders/TransferDetails.tsx',
    'lib/client/orders/terms.ts',
    'lib/client/platform/palette.ts',
    'lib/client/platform/qr.ts',
    'lib/client/platform/retried.ts',
    'lib/domain/orders/epc.ts',
    'lib/format/orders/timeLeft.ts',
    'lib/messages/en/access/signIn.ts',
    'lib/messages/en/orders/pay.ts',
    'lib/messages/en/orders/timeLeft.ts',
    'lib/messages/en/platform/palette.ts'
  ],
  identity: ['islands/identity/useIdentityLink.ts', 'islands/identity/VerifyButton.tsx', 'lib/client/identity'],
  person: ['lib/client/access/explain.ts', 'lib/domain/access/person.ts'],
  code: ['islands/ui/CodeField.tsx', 'islands/ui/useNow.ts', 'lib/format/duration.ts', 'lib/messages/en/platform/duration.ts'],
  call: ['lib/client/platform/call.ts', 'lib/client/platform/endedSession.ts', 'lib/client/platform/failure.ts'],
  http: ['lib/client/platform/http.ts', 'lib/client/platform/refresh.ts', 'lib/client/platform/sendJson.ts', 'lib/contract'],
  list: ['islands/ui/Explain.tsx', 'islands/ui/List.tsx'],
  fields: ['islands/platform/useForm.ts', 'islands/ui/Field.tsx', 'islands/ui/Form.tsx', 'lib/client/platform/form.ts'],
  access: ['islands/ui/BackArrow.tsx', 'islands/ui/EmailField.tsx', 'lib/messages/en/platform/fields.ts'],
  steps: [
    'islands/access/PasswordStep.tsx',
    'islands/access/SecondFactor.tsx',
    'lib/client/access/secondFactor.ts',
    'lib/messages/en/access/passwordStep.ts',
    'lib/messages/en/access/secondFactor.ts'
  ],
  proof: [
    'islands/access/Reauthenticate.tsx',
    'lib/client/access/reauthentication.ts',
    'lib/messages/en/access/profileDialogs.ts'
  ],
  signing: [
    'islands/access/ResetPassword.tsx',
    'lib/client/access/passkey.ts',
    'lib/client/access/passwordSignIn.ts',
    'lib/client/access/resetPassword.ts',
    'lib/messages/en/access/password.ts',
    'lib/messages/en/access/resetPassword.ts'
  ],
  react: [
    'islands/ui/Button.tsx',
    'islands/ui/Icon.tsx',
    'islands/ui/useHydrated.ts',
    'islands/platform/ToastRegion.tsx',
    'islands/platform/toasts.css',
    'islands/platform/lazyPart.tsx',
    'lib/messages/en/platform/part.ts',
    'lib/messages/en/ui'
  ],
  referral: ['lib/client/platform/share.ts', 'lib/domain/brand.ts'],
  live: ['lib/client/platform/onReturn.ts', 'lib/client/platform/queries.ts', 'lib/client/wallet/queries.ts'],
  orders: [
    'islands/ui/Facts.tsx',
    'islands/ui/Moment.tsx',
    'lib/format/orders',
    'lib/format/payments',
    'lib/messages/en/payments',
    'lib/domain/orders'
  ],
  p2p: ['lib/format/chart.ts', 'lib/format/p2p'],
  figures: [
    'islands/platform/useQuery.ts',
    'islands/platform/useReturn.ts',
    'islands/ui/Amount.tsx',
    'islands/ui/Card.tsx',
    'islands/ui/Exact.tsx',
    'islands/ui/Tag.tsx',
    'islands/ui/TokenMark.tsx',
    'lib/format',
    'lib/domain/money',
    'lib/domain/rates',
    'lib/domain/wallet',
    'lib/messages/en/rates'
  ],
  parts: ['islands/ui', 'islands/platform', 'lib/messages/en/platform/copying.ts']
}
/** The folder that names the feature, in every layer that reaches the browser. */
const FEATURE = /^(?:islands|lib\/(?:client|domain|messages\/\w+))\/(?!platform\/|ui\/)(\w+)\//

const SOURCE = fileURLToPath(new URL('./', import.meta.url))

function fileOf(id) {
  const file = relative(SOURCE, id.split('?', 1)[0]).replaceAll('\\', '/')
  // Files of every language are grouped like the English ones.
  return file.replace(/^lib\/messages\/\w+\//, 'lib/messages/en/')
}

function partOf(file) {
  return Object.keys(PARTS).find((part) => PARTS[part].some((path) => file === path || file.startsWith(`${path}/`)))
}

/** The group of a module: by its library, by the table above, or by its feature. `core` is on every page. */
function groupOf(id) {
  if (OWN_PAGE.test(id)) return null
  const library = /.*[\\/]node_modules[\\/](.*)/.exec(id)?.[1]?.replaceAll('\\', '/')
  if (library) return Object.entries(LIBRARIES).find(([name]) => library.startsWith(`${name}/`))?.[1] ?? null
  const file = fileOf(id)
  const group = partOf(file) ?? FEATURE.exec(file)?.[1] ?? 'core'
  return group === 'alone' ? null : group
}

/**
 * Few scripts instead of many small ones: on a slow line each costs a round trip. Shared code is grouped by feature and
 * by the pages that need it, so that a page without an island loads no React and one without figures no calendar.
 */
export function fewScripts() {
  return {
    name: 'few-scripts',
    buildStart() {
      const missing = Object.values(PARTS)
        .flat()
        .filter((path) => !existsSync(join(SOURCE, path)))
      if (missing.length > 0) throw new Error(`src/build.mjs groups what does not exist: ${missing.join(', ')}`)
    },
    configEnvironment(name) {
      if (name !== 'client') return undefined
      return {
        build: {
          rolldownOptions: {
            preserveEntrySignatures: 'allow-extension',
            output: {
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [{ name: (id) => (groupOf(id) === 'react' ? 'react' : null) }, { name: groupOf, minShareCount: 2 }]
              }
            }
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
