/**
 * `npm test`: runs all checks and tests, stage by stage; `npm run verify` is the quick part of it, `--quick`. `npm test -- --both` runs all
 * tests of the API on both engines.
 * Every stage runs, even after one that failed. The report at the end lists failures, the slowest tests and the time of each
 * stage, and counts all tests; the exit code is 1 if anything failed.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { hasChromium, hasShell } from '../support/chromium.ts'
import { check, type Outcome, playwright, RESULTS, type Stage, vitest } from './stages.ts'

const SLOWEST = 20
const INSTALL_SHELL = 'command -v apt-get && apt-get update -qq && apt-get install -y -qq chromium-headless-shell'

/** Chains run in parallel, the stages of a chain one after the other. A row with a single chain gets both cores. */
type Row = Stage[][]
type Done = Outcome & { name: string; seconds: number }

const tools = [
  check('lint and format', 'biome', ['check', '--error-on-warnings', '.']),
  check('never-rules', 'depcruise', ['src', '--config', '.dependency-cruiser.mjs']),
  check('unused files, exports and dependencies', 'knip', ['--no-config-hints']),
  vitest('architecture'),
  vitest('unit')
]
const types = check('types', 'astro', ['check', '--minimumFailingSeverity', 'warning'])
const quick: Row[] = [[[types], tools]]
const full: Row[] = [
  [
    [types, check('build', 'node', ['src/buildLanguages.mjs'])],
    [...tools, vitest('screens')]
  ],
  [[vitest('api-postgres')]],
  // Processes that start and wait leave half of the machine to those beside them.
  [[vitest('server', { workers: 2 })], [vitest('api-pglite'), vitest('kills', { workers: 2 })]],
  [[inChromium(playwright())]],
  [[inChromium(vitest('lighthouse'))]]
]

/** Finds Chromium, or installs it if that needs no questions; otherwise prints how to install it, and returns false. */
function ensureChromium(): boolean {
  // As root on Debian: the shell needs half of the time that a Chromium with windows takes.
  if (process.getuid?.() === 0 && !hasShell()) spawnSync('sh', ['-c', INSTALL_SHELL], { stdio: 'inherit', timeout: 120_000 })
  if (hasChromium()) return true
  console.log('No Chromium was found: trying to install one.')
  spawnSync('playwright', ['install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32', timeout: 300_000 })
  if (hasChromium()) return true
  if (process.getuid?.() === 0) {
    spawnSync('sh', ['-c', `${INSTALL_SHELL} || apt-get install -y -qq chromium`], { stdio: 'inherit', timeout: 900_000 })
  }
  if (hasChromium()) return true
  console.error(
    'The browser tests need Chromium: `npx playwright install chromium`, or `apt install chromium`, or set CHROMIUM_PATH to one.'
  )
  return false
}

function inChromium(stage: Stage): Stage {
  return {
    name: stage.name,
    run: async (around) =>
      ensureChromium()
        ? stage.run(around)
        : { passed: 0, failed: 1, failures: [`${stage.name}: there is no Chromium`], tests: [] }
  }
}

/** One PostgreSQL and one file of the embedded database for all stages; `env` tells the stages where they are. */
async function startDatabases(): Promise<{ env: Record<string, string>; stop: () => Promise<void> }> {
  const { startEngine, makeEmbeddedCopy } = await import('../support/engines.ts')
  const [postgres, copy] = await Promise.all([startEngine(), makeEmbeddedCopy()])
  return {
    env: { TEST_POSTGRES_URL: postgres.adminUrl, TEST_EMBEDDED_COPY: copy.file },
    stop: async () => {
      await postgres.stop()
      await copy.remove()
    }
  }
}

async function runRow(row: Row, env: Record<string, string>): Promise<Done[]> {
  const chains = row.map(async (chain) => {
    const done: Done[] = []
    for (const stage of chain) {
      console.log(`\n▸ ${stage.name}`)
      const began = performance.now()
      const outcome = await stage.run({ isAlone: row.length === 1, env })
      done.push({ ...outcome, name: stage.name, seconds: (performance.now() - began) / 1000 })
    }
    return done
  })
  return (await Promise.all(chains)).flat()
}

/** Prints the report, failures included, as the last lines: often only the end of a log is read or kept. */
function report(stages: Done[], totalSeconds: number): void {
  for (const failure of stages.flatMap(({ failures }) => failures)) console.log(`FAILED ${failure}`)
  const tests = stages.flatMap(({ tests }) => tests).sort((a, b) => b.seconds - a.seconds)
  console.log(`\nThe ${SLOWEST} slowest tests:`)
  for (const { title, seconds } of tests.slice(0, SLOWEST)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`)
  console.log('\nStages:')
  for (const { name, seconds, passed, failed } of stages)
    console.log(`${seconds.toFixed(0).padStart(7)} s  ${name}: ${passed} passed, ${failed} failed`)
  console.log(`${totalSeconds.toFixed(0).padStart(7)} s  in all`)
}

const began = performance.now()
rmSync(RESULTS, { recursive: true, force: true })
const isQuick = process.argv.includes('--quick')
if (process.argv.includes('--both')) process.env.BOTH_ENGINES = 'true'
const databases = isQuick ? { env: {}, stop: async () => undefined } : await startDatabases()
const done: Done[] = []
try {
  for (const row of isQuick ? quick : full) done.push(...(await runRow(row, databases.env)))
} finally {
  await databases.stop()
}
report(done, (performance.now() - began) / 1000)
const count = (what: 'passed' | 'failed') => done.reduce((sum, stage) => sum + stage[what], 0)
console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
process.exitCode = count('failed') === 0 ? 0 : 1
