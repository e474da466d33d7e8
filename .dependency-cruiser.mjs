/** The never-rules of docs/architecture.md, for TypeScript. Those for .astro files are in biome.json. */

const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })
const TYPE_ONLY = ['type-only']

/** A feature may import only features to its left. `access` comes before `identity`, `orders` before `payments`, … */
const FEATURES = [
  'ledger',
  'rates',
  'legal',
  'access',
  'staff',
  'identity',
  'screening',
  'chains',
  'wallet',
  'orders',
  'payments',
  'staking',
  'referral',
  'deposits',
  'withdrawals',
  'p2p',
  'news',
  'euro',
  'help',
  'activity',
  'documents',
  'notices',
  'home',
  'desk'
]
const anyOf = (names) => `(${names.join('|')})`
const ALL = anyOf(FEATURES)

/**
 * The layers that have a folder per feature. Profile is exempt: it is a page in the form of an island, and shows parts of later
 * features.
 */
const LAYERS = ['lib/server', 'lib/domain', 'lib/contract', 'lib/messages/en', 'lib/format', 'lib/client', 'islands', 'layouts']
const PROFILE = ['^src/islands/access/Profile\\.tsx$', '^src/lib/contract/shapes/access\\.ts$']

/** A feature in a layer: a folder, or in the contract a file and its shapes. */
const roomOf = (layer, feature) =>
  layer === 'lib/contract' ? `^src/${layer}/(shapes/)?${feature}\\.ts$` : `^src/${layer}/${feature}/`

/** One rule for each feature and layer: it must not import the features to its right. */
const featureOrder = LAYERS.flatMap((layer) =>
  FEATURES.slice(0, -1).map((feature, index) =>
    rule(
      `features-in-order-${layer.replace(/^lib\//, '').replace('/en', '')}`,
      { path: roomOf(layer, feature), pathNot: PROFILE },
      { path: roomOf(layer, anyOf(FEATURES.slice(index + 1))) },
      `${layer}/${feature} imports only features before it: ${FEATURES.slice(0, index).join(', ') || 'none'}`
    )
  )
)

/** @type {import('dependency-cruiser').IConfiguration} */
/** The desk has a file of handlers for each subject, which `handlers.ts` puts together. */
const HANDLERS_OF_DESK = '^src/lib/server/desk/(bankFiles|customers|payments|people|proposals|refunds)\\.ts$'

export default {
  forbidden: [
    rule(
      'domain-stands-alone',
      { path: '^src/lib/domain' },
      {
        pathNot: [
          '^src/lib/domain',
          'node_modules/@noble/hashes/',
          'node_modules/@scure/base/',
          'node_modules/any-ascii/',
          'node_modules/@skyra/jaro-winkler/'
        ]
      },
      'domain imports nothing outside domain but hashes, the encodings of addresses, and what compares names'
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
      {
        path: ['^src/pages', '^src/layouts', '^src/content', '^src/lib/forms', '^src/middleware'],
        pathNot: '^src/middleware\\.ts$'
      },
      { path: '^src/lib/server', dependencyTypesNot: TYPE_ONLY },
      'pages and layouts reach server only as types'
    ),
    rule(
      'primitives-know-nothing',
      { path: '^src/islands/ui' },
      { path: ['^src/lib/(?!messages/en/ui/)', '^src/islands/(?!ui)', 'node_modules/(nanostores|@nanostores|ky)(/|$)'] },
      'islands/ui knows no store, no HTTP, no product word; of lib only its own texts'
    ),
    rule(
      'client-is-plain',
      { path: '^src/lib/client' },
      { path: ['node_modules/(react|react-dom)(/|$)', '^src/islands'] },
      'client never imports React'
    ),
    rule('client-without-node', { path: '^src/lib/client' }, { dependencyTypes: ['core'] }, 'client never imports Node'),
    rule(
      'handlers-never-import-the-database',
      { path: ['/handlers\\.ts$', HANDLERS_OF_DESK, '^src/lib/server/platform/(api|web)/'] },
      {
        path: ['/schema\\.ts$', '^src/lib/server/platform/db/', 'node_modules/drizzle-orm(/|$)'],
        // What an error of it means, and how old an answer may be, they must know.
        pathNot: 'platform/db/(client|faults|outcome|pageReads)\\.ts$'
      },
      'handlers never import the database'
    ),
    rule(
      'use-cases-know-no-edge',
      {
        path: `^src/lib/server/${ALL}/`,
        pathNot: ['/(handlers|authenticate|cookies|index)\\.ts$', '/adapters/']
      },
      {
        path: ['^src/lib/server/platform/(api|web)/', '/handlers\\.ts$', 'node_modules/(hono|@hono|astro)(/|$)']
      },
      'use cases never import Hono, Astro or a handler'
    ),
    rule(
      'adapters-for-app-alone',
      { path: `^src/lib/server/${ALL}/`, pathNot: '/adapters/' },
      { path: `^src/lib/server/${ALL}/adapters/` },
      'a feature never imports an adapter, not even by its index: app chooses which one it gets'
    ),
    rule(
      'one-file-knows-the-drivers',
      { path: '^src', pathNot: '^src/lib/server/platform/db/(client|password)\\.ts$' },
      { path: ['node_modules/(pg|@electric-sql/pglite)(/|$)', 'node_modules/drizzle-orm/(node-postgres|pglite)'] },
      'only platform/db/client.ts imports a driver, and password.ts, which is a user of the database for a moment'
    ),
    rule(
      'only-the-ledger-writes-accounts',
      { path: '^src', pathNot: '^src/lib/server/ledger/' },
      { path: '^src/lib/server/ledger/schema' },
      'only ledger touches accounts and postings'
    ),
    rule(
      'platform-knows-no-feature',
      { path: '^src/lib/server/platform/' },
      { path: `^src/lib/(server|domain)/(${FEATURES.join('|')}|app)/` },
      'platform knows no feature'
    ),
    rule(
      'platform-has-its-own-texts',
      { path: ['^src/(lib/(server|client)|islands|layouts)/platform/', '^src/lib/messages/\\w+/platform/'] },
      { path: `^src/lib/messages/\\w+/${ALL}/` },
      'platform reaches no text of a feature'
    ),
    rule(
      'server-has-the-language-of-the-reader',
      { path: '^src/lib/server/' },
      { path: '^src/lib/messages/\\w+/' },
      'the server asks textsOf(locale): a static import is one language for every reader'
    ),
    rule(
      'ledger-knows-no-feature',
      { path: '^src/lib/server/ledger/' },
      { path: `^src/lib/server/${anyOf(FEATURES.filter((name) => name !== 'ledger'))}/` },
      'the ledger knows no feature'
    ),
    ...featureOrder,
    rule(
      'features-by-their-index',
      { path: `^src/lib/server/${ALL}/`, pathNot: '/schema\\.ts$' },
      { path: `^src/lib/server/${ALL}/`, pathNot: ['^src/lib/server/$1/', '/index\\.ts$'] },
      'a feature imports another one by its index.ts alone'
    ),
    rule(
      'schemas-by-schema',
      { path: `^src/lib/server/${ALL}/schema\\.ts$` },
      { path: `^src/lib/server/${ALL}/`, pathNot: '/schema\\.ts$' },
      'a schema imports only schemas'
    ),
    rule(
      'only-app-knows-all',
      { path: '^src', pathNot: ['^src/lib/server/app/', '^src/server\\.ts$', '^src/middleware\\.ts$', '^src/env\\.d\\.ts$'] },
      { path: '^src/lib/server/app/', dependencyTypesNot: TYPE_ONLY },
      'only src/server.ts and development import app'
    ),
    rule(
      'server-holds-no-store',
      { path: ['^src/lib/(server|forms)', '^src/(pages|layouts|content)', '^src/middleware'] },
      { path: '^src/lib/client' },
      'a store is never touched on the server'
    ),
    rule(
      'desk-shares-nothing-with-customers',
      { path: '^src/desk/' },
      {
        path: '^src/',
        pathNot: ['^src/desk/', '^src/lib/(domain|format|contract/desk)/', '^src/layouts/(css/tokens\\.css|fonts/)']
      },
      'the desk is a build of its own: of the product it takes rules, formats, its contract, colours and the font'
    ),
    rule(
      'customers-see-no-desk',
      {
        path: [
          '^src/(pages|islands|layouts|content)/',
          '^src/lib/(client|forms|messages)/',
          '^src/lib/format/(?!staff/)',
          '^src/middleware\\.ts$'
        ]
      },
      { path: ['^src/desk/', '^src/lib/contract/desk/', '^src/lib/(domain|server|format)/(desk|staff)/'] },
      'nothing of the desk is in the customers’ pages'
    ),
    rule(
      'contracts-apart',
      { path: '^src/lib/contract/(?!desk/)' },
      { path: '^src/lib/contract/desk/' },
      'the customers’ contract knows no call of the desk'
    ),
    rule('no-cycle', {}, { circular: true }, 'no import cycle'),
    rule(
      'no-orphan',
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '^src/(?:pages|layouts|dev|desk)/',
          // Read by .astro files too, which this tool does not see.
          '^src/lib/messages/en/',
          '^src/middleware\\.ts$',
          '^src/server\\.ts$',
          '^src/build/(?:clientPaint|pageContexts)\\.mjs$',
          '\\.page\\.ts$'
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
