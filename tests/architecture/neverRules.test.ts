/** Plants a violation of each never-rule in one folder, runs each tool once, and expects every violation, by rule and file. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

type Files = Record<string, string>
/** A planted violation. `at`: the file that breaks the rule. */
type Plant = { rule: string; what: string; at: string; files: Files }

let planted = 0
/** A path in `src/<path>/` with a unique name. */
function fileIn(path: string, ending = 'ts'): string {
  planted += 1
  return `src/${path}/planted${planted}.${ending}`
}

const target = (name: string): Files => ({ [`src/${name}`]: 'export const value = 1\n' })
/** A file in `path` imports `specifier`; `path` may also be the file itself. */
function imports(rule: string, what: string, path: string, specifier: string, others: Files = {}): Plant {
  const at = path.endsWith('.ts') ? `src/${path}` : fileIn(path)
  return { rule, what, at, files: { ...others, [at]: `import * as planted from '${specifier}'\nexport const used = planted\n` } }
}
/** A file in `path` imports the file `to`. */
const reaches = (rule: string, what: string, path: string, to: string): Plant => imports(rule, what, path, `#${to}`, target(to))

const IMPORTS: Plant[] = [
  reaches('domain-stands-alone', 'domain imports format', 'lib/domain', 'lib/format/a.ts'),
  reaches('contract-is-neutral', 'contract imports server', 'lib/contract', 'lib/server/a.ts'),
  imports('contract-is-neutral', 'contract imports React', 'lib/contract', 'react'),
  reaches('no-schema-library-in-the-browser', 'client imports a shape as a value', 'lib/client', 'lib/contract/shapes/a.ts'),
  imports('browser-never-reaches-server', 'an island reaches server through another file', 'islands', '#lib/other/b.ts', {
    ...target('lib/server/a.ts'),
    'src/lib/other/b.ts': "import { value } from '#lib/server/a.ts'\nexport const used = value\n"
  }),
  reaches('pages-reach-server-as-types', 'a page imports server', 'pages', 'lib/server/a.ts'),
  reaches('primitives-know-nothing', 'a primitive imports a store', 'islands/ui', 'lib/client/a.ts'),
  imports('client-is-plain', 'client imports React', 'lib/client', 'react'),
  imports('client-without-node', 'client imports Node', 'lib/client', 'node:fs'),
  reaches(
    'handlers-never-import-the-database',
    'handlers import a schema',
    'lib/server/wallet/handlers.ts',
    'lib/server/wallet/schema.ts'
  ),
  reaches('use-cases-know-no-edge', 'a use case imports a handler', 'lib/server/orders', 'lib/server/orders/handlers.ts'),
  imports('use-cases-know-no-edge', 'a use case imports Hono', 'lib/server/orders', 'hono'),
  ...['rates', 'identity', 'payments', 'chains', 'news'].map((feature) =>
    reaches(
      'adapters-for-app-alone',
      `a use case of ${feature} imports an adapter`,
      `lib/server/${feature}`,
      `lib/server/${feature}/adapters/a.ts`
    )
  ),
  reaches('adapters-for-app-alone', 'an index exports an adapter', 'lib/server/rates/index.ts', 'lib/server/rates/adapters/a.ts'),
  imports('one-file-knows-the-drivers', 'a use case imports pg', 'lib/server/orders', 'pg'),
  reaches(
    'only-the-ledger-writes-accounts',
    'a feature imports the tables of the ledger',
    'lib/server/orders',
    'lib/server/ledger/schema.ts'
  ),
  reaches('platform-knows-no-feature', 'platform imports a feature', 'lib/server/platform', 'lib/server/orders/index.ts'),
  ...['lib/server', 'lib/client', 'islands', 'layouts', 'lib/messages/en'].map((layer) =>
    reaches(
      'platform-has-its-own-texts',
      `platform of ${layer} imports the texts of a feature`,
      `${layer}/platform`,
      'lib/messages/en/orders/a.ts'
    )
  ),
  reaches(
    'server-has-the-language-of-the-reader',
    'a use case imports the texts of one language',
    'lib/server/documents',
    'lib/messages/en/documents/a.ts'
  ),
  reaches('ledger-knows-no-feature', 'the ledger imports a feature', 'lib/server/ledger', 'lib/server/orders/index.ts'),
  reaches('features-in-order-server', 'orders imports payments', 'lib/server/orders', 'lib/server/payments/index.ts'),
  reaches(
    'features-in-order-contract',
    'orders reaches staking in contract',
    'lib/contract/orders.ts',
    'lib/contract/staking.ts'
  ),
  reaches(
    'features-in-order-contract',
    'orders reaches a shape of staking',
    'lib/contract/shapes/orders.ts',
    'lib/contract/shapes/staking.ts'
  ),
  ...['lib/domain', 'lib/messages/en', 'lib/format', 'lib/client', 'islands', 'layouts'].map((layer) =>
    reaches(
      `features-in-order-${layer.replace(/^lib\/|\/en$/g, '')}`,
      `orders reaches staking in ${layer}`,
      `${layer}/orders`,
      `${layer}/staking/a.ts`
    )
  ),
  reaches('features-by-their-index', 'payments reaches into orders', 'lib/server/payments', 'lib/server/orders/read.ts'),
  reaches('schemas-by-schema', 'a schema imports a use case', 'lib/server/staking/schema.ts', 'lib/server/access/find.ts'),
  reaches('only-app-knows-all', 'a feature imports app', 'lib/server/orders', 'lib/server/app/a.ts'),
  reaches('desk-shares-nothing-with-customers', 'the desk imports an island', 'desk/client', 'islands/ui/a.ts'),
  reaches('desk-shares-nothing-with-customers', 'the desk imports a store', 'desk/client', 'lib/client/a.ts'),
  reaches('desk-shares-nothing-with-customers', 'the desk imports the customers’ contract', 'desk/client', 'lib/contract/a.ts'),
  imports(
    'customers-see-no-desk',
    'an island imports the desk',
    'islands/wallet',
    '../../desk/client/a.ts',
    target('desk/client/a.ts')
  ),
  reaches('customers-see-no-desk', 'a store imports the desk’s contract', 'lib/client/wallet', 'lib/contract/desk/a.ts'),
  reaches('customers-see-no-desk', 'a page imports staff', 'pages', 'lib/domain/staff/a.ts'),
  reaches('contracts-apart', 'the customers’ contract imports the desk’s', 'lib/contract', 'lib/contract/desk/a.ts'),
  reaches('server-holds-no-store', 'server imports client', 'lib/server', 'lib/client/a.ts'),
  {
    rule: 'no-cycle',
    what: 'two files import each other',
    at: 'src/lib/other/back.ts',
    files: {
      'src/lib/other/cycle.ts': "import { b } from '#lib/other/back.ts'\nexport const a = b\n",
      'src/lib/other/back.ts': "import { a } from '#lib/other/cycle.ts'\nexport const b = a\n"
    }
  },
  { rule: 'no-orphan', what: 'a file that nobody imports', at: 'src/lib/other/alone.ts', files: target('lib/other/alone.ts') },
  imports('resolvable', 'an import that leads nowhere', 'lib/other', '#lib/nowhere/a.ts')
]

function lints(rule: string, what: string, path: string, text: string): Plant {
  const at = fileIn(path, text.startsWith('---') ? 'astro' : 'ts')
  return { rule, what, at, files: { [at]: text } }
}

const LINTS: Plant[] = [
  lints('noProcessEnv', 'the environment is read elsewhere', 'lib/server', 'export const port = process.env.PORT\n'),
  lints('never reads a clock', 'domain reads the clock', 'lib/domain', 'export const now = () => Date.now()\n'),
  lints('never reads a clock', 'domain takes the time of now', 'lib/domain', 'export const now = () => new Date()\n'),
  lints('never reads a clock', 'domain rolls dice', 'lib/domain', 'export const dice = () => Math.random()\n'),
  lints(
    'money is never a number',
    'domain rounds numbers',
    'lib/domain',
    'export const cents = (value: number) => value.toFixed(2)\n'
  ),
  lints('noRestrictedGlobals', 'domain uses crypto', 'lib/domain', 'export const id = () => crypto.randomUUID()\n'),
  lints(
    'noRestrictedImports',
    'an .astro page imports server',
    'pages',
    "---\nimport { compose } from '#lib/server/app/compose.ts'\ncompose()\n---\n"
  ),
  lints(
    'noRestrictedImports',
    'an .astro layout imports a store',
    'layouts',
    "---\nimport { session } from '#lib/client/platform/session.ts'\nsession.get()\n---\n"
  )
]

function run(tool: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      join(root, 'node_modules/.bin', tool),
      args,
      { cwd: folder, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 },
      (_, stdout) => resolve(stdout)
    )
  })
}

type CruiseReport = { summary: { violations: { from: string; rule: { name: string } }[] } }
type LintReport = { diagnostics: { category: string; message: string; location: { path: string } }[] }

/** Violations that the tools found, as `file: rule`. */
let cruised: string[] = []
let linted: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-house-'))
  for (const name of ['.dependency-cruiser.mjs', 'biome.json', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name))
  mkdirSync(join(folder, 'tests/support'), { recursive: true })
  cpSync(join(root, 'tests/support/domain.grit'), join(folder, 'tests/support/domain.grit'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const { files } of [...IMPORTS, ...LINTS])
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      // Append: a planted file may also be the target of another plant.
      writeFileSync(join(folder, name), text, { flag: 'a' })
    }
  const cruise = run('depcruise', ['src', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'])
  const lint = run('biome', ['lint', '--reporter=json', '--max-diagnostics=none', 'src'])
  const { summary } = JSON.parse(await cruise) as CruiseReport
  cruised = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`)
  const { diagnostics } = JSON.parse(await lint) as LintReport
  linted = diagnostics.map(({ location, category, message }) => `${location.path}: ${category} ${message}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('dependency-cruiser', () => {
  it.each(IMPORTS)('$rule: notices when $what', ({ rule, at }) => {
    expect(cruised).toContain(`${at}: ${rule}`)
  })
})

describe('the linter', () => {
  it.each(LINTS)('"$rule": notices when $what', ({ rule, at }) => {
    expect(linted.filter((line) => line.startsWith(`${at}: `) && line.includes(rule))).not.toEqual([])
  })
})
