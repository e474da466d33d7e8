/**
 * `npm run near`: checks what the uncommitted change can affect; `npm run near -- main`: the change since `main`. Always runs types, lint
 * and rules; then tests that import a changed file, on the embedded database, and changed journeys. Only `npm test` is decisive.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { hasChromium } from '../support/chromium.ts'
import { check, type Outcome, playwright, RESULTS, type Stage, vitest } from './stages.ts'

/** If more test files of a project are affected, only those of the changed features run; `npm test` covers the rest. */
const MOST_FILES = 6
const PROJECTS = ['architecture', 'unit', 'api-pglite', 'screens']

const base = process.argv[2] ?? 'HEAD'
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
const changed = [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
const sources = changed.filter((file) => /\.(ts|tsx|astro|css|sql)$/.test(file))
/** E.g. `orders` for `src/lib/server/orders/create.ts`, `tests/api/orders/orders.test.ts` and `src/islands/orders/Pay.tsx`. */
const features = new Set(sources.flatMap((file) => /^(?:src\/(?:lib\/)?|tests\/)\w+\/(\w+)\//.exec(file)?.[1] ?? []))

function listed(project: string, ...filter: string[]): string[] {
  const args = ['list', '--filesOnly', '--json', '--passWithNoTests', '--project', project, ...filter]
  const answer = execFileSync('vitest', args, { encoding: 'utf8', shell: process.platform === 'win32' })
  return (JSON.parse(answer.slice(answer.indexOf('['))) as { file: string }[]).map(({ file }) => file)
}

const isOwn = (file: string) => features.has(/tests\/\w+\/(\w+)\//.exec(file)?.[1] ?? '')

/** The test files of a project that import a changed file. No file imports SQL, so a changed `.sql` selects its feature's tests. */
function related(project: string): string[] {
  const importing = listed(project, '--changed', ...(base === 'HEAD' ? [] : [base]))
  const files = sources.some((file) => file.endsWith('.sql')) ? [...importing, ...listed(project).filter(isOwn)] : importing
  const found = [...new Set(files)]
  if (found.length <= MOST_FILES) return found
  const own = found.filter(isOwn)
  console.log(`${project}: the change can touch ${found.length} files; running the ${own.length} of ${[...features].join(', ')}.`)
  return own
}

const journeys = sources.filter((file) => file.startsWith('tests/e2e/') || file.startsWith('tests/support/journey'))
const chains: Stage[][] = [
  [check('types', 'astro', ['check', '--minimumFailingSeverity', 'warning'])],
  [
    check('lint and format', 'biome', ['check', '--error-on-warnings', '.']),
    check('never-rules', 'depcruise', ['src', '--config', '.dependency-cruiser.mjs']),
    ...PROJECTS.flatMap((project) => {
      const files = sources.length === 0 ? [] : related(project)
      return files.length === 0 ? [] : [vitest(project, { files })]
    })
  ]
]
if (journeys.length > 0 && hasChromium())
  chains[0]?.push(
    check('build', 'node', ['src/buildLanguages.mjs']),
    playwright(base === 'HEAD' ? ['--only-changed'] : [`--only-changed=${base}`])
  )

rmSync(RESULTS, { recursive: true, force: true })
const outcomes: Outcome[] = []
await Promise.all(
  chains.map(async (stages) => {
    for (const stage of stages) outcomes.push(await stage.run({ isAlone: false, env: {} }))
  })
)
for (const failure of outcomes.flatMap(({ failures }) => failures)) console.log(`FAILED ${failure}`)
const count = (what: 'passed' | 'failed') => outcomes.reduce((sum, outcome) => sum + outcome[what], 0)
console.log(`\n${changed.length} changed files: ${count('passed')} passed, ${count('failed')} failed`)
process.exitCode = count('failed') === 0 ? 0 : 1
