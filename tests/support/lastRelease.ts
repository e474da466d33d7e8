/** Checks out and builds the last release, so that tests can run its processes against a database of this release. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A tag, or a commit for a release without a tag: release 15. To be raised together with `migrations/release.json`. */
export const LAST_RELEASE = '68a744d9'

type Lock = { packages: Record<string, { version?: string }> }

const project = fileURLToPath(new URL('../../', import.meta.url))
const READY = '.ready'

function hasAllOf(folder: string): boolean {
  const [theirs, ours] = [folder, project].map(
    (root) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  )
  return Object.entries(theirs?.packages ?? {}).every(
    ([path, { version }]) => path === '' || ours?.packages[path]?.version === version
  )
}

/**
 * Returns its folder in `.releases`, which is kept for the next run; undefined if this checkout does not have the commit. Shares our
 * `node_modules` if they have all of its packages in the same versions, and installs its own otherwise.
 */
export function checkOutLastRelease(): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const folder = join(project, '.releases', LAST_RELEASE)
  if (existsSync(join(folder, READY))) return folder
  try {
    git('rev-parse', '--verify', `${LAST_RELEASE}^{commit}`)
  } catch {
    return undefined
  }
  rmSync(folder, { recursive: true, force: true })
  git('worktree', 'prune')
  git('worktree', 'add', '--detach', '--force', folder, LAST_RELEASE)
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32', timeout: 600_000 })
  if (hasAllOf(folder)) symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  else run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
  execFileSync(process.execPath, ['src/buildLanguages.mjs'], {
    cwd: folder,
    stdio: 'ignore',
    // Not the test's environment: its NODE_ENV would change the build.
    env: { PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` }
  })
  mkdirSync(join(folder, READY))
  return folder
}
