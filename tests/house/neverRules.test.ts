/** Plants a violation of each never-rule and sees the tool that guards it fail, by name. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string

type Outcome = { failed: boolean; said: string }

function run(tool: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      join(root, 'node_modules/.bin', tool),
      args,
      { cwd: folder, shell: process.platform === 'win32' },
      (error, stdout, stderr) => resolve({ failed: error !== null, said: `${stdout}${stderr}` })
    )
  })
}

function plant(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const cruise = () => run('depcruise', ['src', '--config', '.dependency-cruiser.mjs', '--output-type', 'err'])
const lint = () => run('biome', ['lint', 'src'])

const target = (name: string) => ({ [name]: 'export const value = 1\n' })
const importing = (name: string, specifier: string) => ({
  [name]: `import { value } from '${specifier}'\nexport const used = value\n`
})
const importingPackage = (name: string, specifier: string) => ({
  [name]: `import * as library from '${specifier}'\nexport const used = library\n`
})

const IMPORTS: [rule: string, what: string, files: Record<string, string>][] = [
  [
    'domain-stands-alone',
    'domain imports format',
    { ...target('src/lib/format/a.ts'), ...importing('src/lib/domain/bad.ts', '#lib/format/a.ts') }
  ],
  [
    'contract-is-neutral',
    'contract imports server',
    { ...target('src/lib/server/a.ts'), ...importing('src/lib/contract/bad.ts', '#lib/server/a.ts') }
  ],
  ['contract-is-neutral', 'contract imports React', importingPackage('src/lib/contract/bad.ts', 'react')],
  [
    'no-schema-library-in-the-browser',
    'client imports a shape as a value',
    { ...target('src/lib/contract/shapes/a.ts'), ...importing('src/lib/client/bad.ts', '#lib/contract/shapes/a.ts') }
  ],
  [
    'browser-never-reaches-server',
    'an island reaches server through another file',
    {
      ...target('src/lib/server/a.ts'),
      ...importing('src/lib/other/b.ts', '#lib/server/a.ts'),
      'src/islands/bad.ts': "import { used } from '#lib/other/b.ts'\nexport const x = used\n"
    }
  ],
  [
    'pages-reach-server-as-types',
    'a page imports server',
    { ...target('src/lib/server/a.ts'), ...importing('src/pages/bad.ts', '#lib/server/a.ts') }
  ],
  [
    'primitives-know-nothing',
    'a primitive imports a store',
    { ...target('src/lib/client/a.ts'), ...importing('src/islands/ui/bad.ts', '#lib/client/a.ts') }
  ],
  ['client-is-plain', 'client imports React', importingPackage('src/lib/client/bad.ts', 'react')],
  ['client-without-node', 'client imports Node', importingPackage('src/lib/client/bad.ts', 'node:fs')],
  [
    'handlers-never-import-the-database',
    'handlers import a schema',
    {
      ...target('src/lib/server/orders/schema.ts'),
      ...importing('src/lib/server/orders/handlers.ts', '#lib/server/orders/schema.ts')
    }
  ],
  [
    'use-cases-know-no-edge',
    'a use case imports a handler',
    {
      ...target('src/lib/server/orders/handlers.ts'),
      ...importing('src/lib/server/orders/bad.ts', '#lib/server/orders/handlers.ts')
    }
  ],
  ['use-cases-know-no-edge', 'a use case imports Hono', importingPackage('src/lib/server/orders/bad.ts', 'hono')],
  [
    'use-cases-know-no-edge',
    'a use case imports an adapter',
    { ...target('src/lib/server/rates/market.ts'), ...importing('src/lib/server/rates/bad.ts', '#lib/server/rates/market.ts') }
  ],
  ['one-file-knows-the-drivers', 'a use case imports pg', importingPackage('src/lib/server/orders/bad.ts', 'pg')],
  [
    'only-the-ledger-writes-accounts',
    'a feature imports the tables of the ledger',
    { ...target('src/lib/server/ledger/schema.ts'), ...importing('src/lib/server/orders/bad.ts', '#lib/server/ledger/schema.ts') }
  ],
  [
    'platform-knows-no-feature',
    'platform imports a feature',
    { ...target('src/lib/server/orders/index.ts'), ...importing('src/lib/server/platform/bad.ts', '#lib/server/orders/index.ts') }
  ],
  [
    'ledger-knows-no-feature',
    'the ledger imports a feature',
    { ...target('src/lib/server/orders/index.ts'), ...importing('src/lib/server/ledger/bad.ts', '#lib/server/orders/index.ts') }
  ],
  [
    'features-in-order-server',
    'orders imports payments',
    {
      ...target('src/lib/server/payments/index.ts'),
      ...importing('src/lib/server/orders/bad.ts', '#lib/server/payments/index.ts')
    }
  ],
  [
    'features-in-order-domain',
    'the rules of orders import those of staking',
    { ...target('src/lib/domain/staking/a.ts'), ...importing('src/lib/domain/orders/bad.ts', '#lib/domain/staking/a.ts') }
  ],
  [
    'features-by-their-index',
    'payments reaches into orders',
    { ...target('src/lib/server/orders/read.ts'), ...importing('src/lib/server/payments/bad.ts', '#lib/server/orders/read.ts') }
  ],
  [
    'schemas-by-schema',
    'a schema imports a use case',
    { ...target('src/lib/server/access/find.ts'), ...importing('src/lib/server/orders/schema.ts', '#lib/server/access/find.ts') }
  ],
  [
    'only-app-knows-all',
    'a feature imports app',
    { ...target('src/lib/server/app/a.ts'), ...importing('src/lib/server/orders/bad.ts', '#lib/server/app/a.ts') }
  ],
  [
    'server-holds-no-store',
    'server imports client',
    { ...target('src/lib/client/a.ts'), ...importing('src/lib/server/bad.ts', '#lib/client/a.ts') }
  ],
  [
    'no-cycle',
    'two files import each other',
    {
      'src/lib/other/a.ts': "import { b } from '#lib/other/b.ts'\nexport const a = b\n",
      'src/lib/other/b.ts': "import { a } from '#lib/other/a.ts'\nexport const b = a\n"
    }
  ],
  ['no-orphan', 'a file that nobody imports', target('src/lib/other/alone.ts')]
]

const LINTS: [says: string, what: string, files: Record<string, string>][] = [
  ['noProcessEnv', 'the environment is read elsewhere', { 'src/lib/server/bad.ts': 'export const port = process.env.PORT\n' }],
  ['never reads a clock', 'domain reads the clock', { 'src/lib/domain/bad.ts': 'export const now = () => Date.now()\n' }],
  ['never reads a clock', 'domain takes the time of now', { 'src/lib/domain/bad.ts': 'export const now = () => new Date()\n' }],
  ['never reads a clock', 'domain rolls dice', { 'src/lib/domain/bad.ts': 'export const dice = () => Math.random()\n' }],
  [
    'money is never a number',
    'domain rounds numbers',
    { 'src/lib/domain/bad.ts': 'export const cents = (value: number) => value.toFixed(2)\n' }
  ],
  ['noRestrictedGlobals', 'domain uses crypto', { 'src/lib/domain/bad.ts': 'export const id = () => crypto.randomUUID()\n' }],
  [
    'noRestrictedImports',
    'an .astro page imports server',
    { 'src/pages/bad.astro': "---\nimport { compose } from '#lib/server/app/compose.ts'\ncompose()\n---\n" }
  ],
  [
    'noRestrictedImports',
    'an .astro layout imports a store',
    { 'src/layouts/bad.astro': "---\nimport { session } from '#lib/client/platform/session.ts'\nsession.get()\n---\n" }
  ]
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-house-'))
  for (const name of ['.dependency-cruiser.mjs', 'biome.json', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name))
  mkdirSync(join(folder, 'tests/support'), { recursive: true })
  cpSync(join(root, 'tests/support/house.grit'), join(folder, 'tests/support/house.grit'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function clean(): void {
  rmSync(join(folder, 'src'), { recursive: true, force: true })
}

describe('dependency-cruiser', () => {
  it.each(IMPORTS)('%s: notices when %s', async (rule, _, files) => {
    clean()
    plant(files)
    expect(await cruise()).toMatchObject({ failed: true, said: expect.stringContaining(rule) })
  })
})

describe('the linter', () => {
  it.each(LINTS)('"%s": notices when %s', async (says, _, files) => {
    clean()
    plant(files)
    expect(await lint()).toMatchObject({ failed: true, said: expect.stringContaining(says) })
  })
})
