/**
 * `npm test`: everything that has to hold, stage by stage, and one line at the end that counts it.
 * Every stage runs, whatever became of the one before; the exit code is 1 where anything failed, and the last lines name it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { hasChromium } from '../support/chromium.ts'

type Count = { passed: number; failed: number }
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

type PlaywrightSuite = { specs?: { title: string; ok: boolean; file: string }[]; suites?: PlaywrightSuite[] }
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: PlaywrightSuite[] }

const RESULTS = 'test-results'

/** What failed, a line each: said again at the end, because a log is often read, or kept, from its end. */
const failures: string[] = []

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32', env: { ...process.env, ...env } })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** A tool that only passes or fails. */
async function check(name: string, command: string, args: string[]): Promise<Count> {
  console.log(`\n▸ ${name}`)
  const ok = (await run(command, args, { ASTRO_TELEMETRY_DISABLED: '1' })) === 0
  if (!ok) failures.push(name)
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A suite that ended badly without a failed test (a crash, a hook) counts as one failure. */
function counted(stage: string, code: number, passed: number, failed: number): Count {
  const endedBadly = failed === 0 && (code !== 0 || passed === 0)
  if (endedBadly) failures.push(`${stage}: ended with exit code ${code} after ${passed} passed tests`)
  return { passed, failed: endedBadly ? 1 : failed }
}

async function vitest(project: string): Promise<Count> {
  console.log(`\n▸ ${project} tests`)
  const file = `${RESULTS}/${project}.json`
  const code = await run('vitest', [
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`
  ])
  const report = readJson<VitestReport>(file)
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    if (message) failures.push(`${project}: ${name}: ${message.split('\n')[0]}`)
    for (const test of assertionResults.filter(({ status }) => status === 'failed'))
      failures.push(`${project}: ${test.fullName}: ${test.failureMessages[0]?.split('\n')[0]}`)
  }
  return counted(project, code, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0)
}

/** Finds a browser, or installs one where that is possible without asking, or says how. */
function ensureChromium(): boolean {
  if (hasChromium()) return true
  console.log('No Chromium was found: trying to install one.')
  spawnSync('playwright', ['install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32', timeout: 300_000 })
  if (hasChromium()) return true
  if (process.getuid?.() === 0) {
    spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq chromium'], { stdio: 'inherit', timeout: 900_000 })
  }
  if (hasChromium()) return true
  console.error(
    'The browser tests need Chromium: `npx playwright install chromium`, or `apt install chromium`, or set CHROMIUM_PATH to one.'
  )
  return false
}

function inChromium(stage: () => Promise<Count>): Promise<Count> {
  if (ensureChromium()) return stage()
  failures.push('no Chromium')
  return Promise.resolve({ passed: 0, failed: 1 })
}

function failedJourneys({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`)
  return [...own, ...suites.flatMap(failedJourneys)]
}

async function browser(): Promise<Count> {
  console.log('\n▸ browser journeys')
  const code = await run('playwright', ['test'], { CI: 'true' })
  const report = readJson<PlaywrightReport>(`${RESULTS}/e2e.json`)
  failures.push(...(report?.suites ?? []).flatMap(failedJourneys))
  return counted(
    'browser journeys',
    code,
    report?.stats.expected ?? 0,
    (report?.stats.unexpected ?? 0) + (report?.stats.flaky ?? 0)
  )
}

const quick: (() => Promise<Count>)[] = [
  () => check('types', 'astro', ['check', '--minimumFailingSeverity', 'warning']),
  () => check('lint and format', 'biome', ['check', '--error-on-warnings', '.']),
  () => check('never-rules', 'depcruise', ['src', '--config', '.dependency-cruiser.mjs']),
  () => check('unused files, exports and dependencies', 'knip', ['--no-config-hints']),
  () => vitest('house'),
  () => vitest('unit')
]
const full: (() => Promise<Count>)[] = [
  ...quick,
  () => check('build', 'astro', ['build']),
  () => vitest('api-pglite'),
  () => vitest('api-postgres'),
  () => vitest('screens'),
  () => vitest('server'),
  () => inChromium(browser),
  () => inChromium(() => vitest('lighthouse'))
]

rmSync(RESULTS, { recursive: true, force: true })
const total: Count = { passed: 0, failed: 0 }
for (const stage of process.argv.includes('--quick') ? quick : full) {
  const { passed, failed } = await stage()
  total.passed += passed
  total.failed += failed
}
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
