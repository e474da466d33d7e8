/** The kinds of stages of `npm test`, and how each counts its tests. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export const RESULTS = 'test-results'

type Slow = { title: string; seconds: number }
/** The result of a stage. `failures`: a line for each failure. */
export type Outcome = { passed: number; failed: number; failures: string[]; tests: Slow[] }
/** `isAlone`: no other stage runs in parallel, so it uses both cores and prints as it goes. */
export type Surroundings = { isAlone: boolean; env: Record<string, string> }
export type Stage = { name: string; run: (around: Surroundings) => Promise<Outcome> }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages: string[] }[]
  }[]
}
type PlaywrightTest = { projectName: string; results: { duration: number }[] }
type PlaywrightSuite = {
  specs?: { title: string; ok: boolean; file: string; tests: PlaywrightTest[] }[]
  suites?: PlaywrightSuite[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: PlaywrightSuite[] }

/** Runs a command; returns its exit code. In parallel with others, it prints only at the end, so that outputs do not mix. */
export function run(command: string, args: string[], { isAlone, env }: Surroundings): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, ...env }
    })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk))
    const end = (code: number) => {
      if (said.length > 0) process.stdout.write(`\n▹ ${[command, ...args].join(' ')}\n${Buffer.concat(said)}`)
      resolve(code)
    }
    child.once('error', () => end(1))
    child.once('close', (code) => end(code ?? 1))
  })
}

/** A tool that only passes or fails: counts as one test. */
export function check(name: string, command: string, args: string[]): Stage {
  return {
    name,
    run: async (around) => {
      const ok = (await run(command, args, { ...around, env: { ...around.env, ASTRO_TELEMETRY_DISABLED: '1' } })) === 0
      return ok
        ? { passed: 1, failed: 0, failures: [], tests: [] }
        : { passed: 0, failed: 1, failures: [`${name}: ${command} failed`], tests: [] }
    }
  }
}

/** A project of `vitest.config.ts`. `workers`: how many it has beside other stages; alone it has one a core. */
export function vitest(project: string, { files = [], workers = 1 }: { files?: string[]; workers?: number } = {}): Stage {
  return {
    name: `${project} tests`,
    run: async (around) => {
      const file = `${RESULTS}/${project}.json`
      const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
      const limit = around.isAlone ? [] : [`--maxWorkers=${workers}`]
      const code = await run('vitest', ['run', '--project', project, ...reporters, ...limit, ...files], around)
      const report = readJson<VitestReport>(file)
      const failures = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => [
        ...(message ? [`${project}: ${name}: ${message.split('\n')[0]}`] : []),
        ...assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => `${project}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
      ])
      const tests = (report?.testResults ?? [])
        .flatMap(({ assertionResults }) => assertionResults)
        .map(({ fullName, duration = 0 }) => ({ title: `${project}: ${fullName}`, seconds: duration / 1000 }))
      return counted(project, code, { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, failures, tests })
    }
  }
}

/** The browser journeys. */
export function playwright(args: string[] = []): Stage {
  return {
    name: 'browser journeys',
    run: async (around) => {
      const code = await run('playwright', ['test', ...args], { ...around, env: { ...around.env, CI: 'true' } })
      const report = readJson<PlaywrightReport>(`${RESULTS}/e2e.json`)
      const specs = (report?.suites ?? []).flatMap(specsOf)
      const failures = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`)
      const tests = specs.flatMap(({ file, title, tests }) =>
        tests.map(({ projectName, results }) => ({
          title: `${projectName}: ${file}: ${title}`,
          seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000
        }))
      )
      const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {}
      return counted('browser journeys', code, { passed: expected, failed: unexpected + flaky, failures, tests })
    }
  }
}

function specsOf({ specs = [], suites = [] }: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** A stage that fails without a failed test (a crash, a hook), or runs no test, counts as one failure. */
function counted(stage: string, code: number, outcome: Outcome): Outcome {
  const endedBadly = outcome.failed === 0 && (code !== 0 || outcome.passed === 0)
  if (!endedBadly) return outcome
  const failure = `${stage}: ended with exit code ${code} after ${outcome.passed} passed tests`
  return { ...outcome, failed: 1, failures: [...outcome.failures, failure] }
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
