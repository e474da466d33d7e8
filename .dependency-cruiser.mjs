/** The never-rules of docs/architecture.md, for TypeScript. Those for .astro files are in biome.json. */

const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })
const TYPE_ONLY = ['type-only']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule(
      'domain-stands-alone',
      { path: '^src/lib/domain' },
      { pathNot: '^src/lib/domain' },
      'domain imports nothing outside domain'
    ),
    rule(
      'contract-is-neutral',
      { path: '^src/lib/contract' },
      { path: ['^src/lib/(server|client)', 'node_modules/(hono|drizzle-orm|react)(/|$)'] },
      'contract never imports server, client, Hono, Drizzle or React'
    ),
    rule(
      'no-schema-library-in-the-browser',
      { path: ['^src/islands', '^src/lib/client'] },
      { path: ['^src/lib/contract/shapes', 'node_modules/(zod|@hono/zod-openapi)(/|$)'], dependencyTypesNot: TYPE_ONLY },
      'the browser takes only types from the shapes'
    ),
    rule(
      'browser-never-reaches-server',
      { path: ['^src/islands', '^src/lib/client', '^src/lib/format', '^src/lib/messages'] },
      { path: '^src/lib/server', reachable: true },
      'islands and client never reach server, not even through others'
    ),
    rule(
      'pages-reach-server-as-types',
      { path: ['^src/pages', '^src/layouts', '^src/middleware'], pathNot: '^src/middleware\\.ts$' },
      { path: '^src/lib/server', dependencyTypesNot: TYPE_ONLY },
      'pages and layouts reach server only as types'
    ),
    rule(
      'primitives-know-nothing',
      { path: '^src/islands/ui' },
      { path: ['^src/lib', '^src/islands/(?!ui)', 'node_modules/(nanostores|@nanostores|ky)(/|$)'] },
      'islands/ui knows no store, no HTTP, no product word'
    ),
    rule(
      'client-is-plain',
      { path: '^src/lib/client' },
      { path: ['node_modules/(react|react-dom)(/|$)', '^src/islands'] },
      'client never imports React'
    ),
    rule('client-without-node', { path: '^src/lib/client' }, { dependencyTypes: ['core'] }, 'client never imports Node'),
    rule(
      'api-never-imports-the-database',
      { path: '^src/lib/server/api' },
      { path: '^src/lib/server/db' },
      'server/api never imports the database'
    ),
    rule(
      'services-know-no-edge',
      { path: '^src/lib/server/services' },
      { path: ['^src/lib/server/(api|adapters|web)', 'node_modules/(hono|@hono|astro)(/|$)'] },
      'services never import Hono, Astro, api or an adapter'
    ),
    rule(
      'one-file-knows-the-drivers',
      { path: '^src', pathNot: '^src/lib/server/db/client\\.ts$' },
      { path: ['node_modules/(pg|@electric-sql/pglite)(/|$)', 'node_modules/drizzle-orm/(node-postgres|pglite)'] },
      'only db/client.ts imports a driver'
    ),
    rule(
      'only-the-ledger-writes-accounts',
      { path: '^src', pathNot: ['^src/lib/server/services/ledger', '^src/lib/server/db/client\\.ts$'] },
      { path: '^src/lib/server/db/ledgerSchema' },
      'only services/ledger touches accounts and postings'
    ),
    rule(
      'server-holds-no-store',
      { path: ['^src/lib/server', '^src/(pages|layouts)', '^src/middleware'] },
      { path: '^src/lib/client' },
      'a store is never touched on the server'
    ),
    rule('no-cycle', {}, { circular: true }, 'no import cycle'),
    rule(
      'no-orphan',
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '^src/(?:pages|layouts)/',
          '^src/middleware\\.ts$',
          '^src/server\\.ts$',
          '^src/(?:build|clientPaint)\\.mjs$',
          '^src/lib/client/pages'
        ]
      },
      {},
      'no orphan file'
    ),
    rule('resolvable', {}, { couldNotResolve: true, pathNot: ['^astro:'] }, 'every import leads somewhere')
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts']
    }
  }
}
