/** The last release, checked out and built beside this one, so that its processes can be run against a database of this one. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A tag, or the commit before there were tags. */
export const LAST_RELEASE = 'cb9d51c'

const project = fileURLToPath(new URL('../../', import.meta.url))
const READY = '.ready'

/**
 * Answers its folder; undefined where this checkout has no history. It is kept for the next run in `.releases`. Its packages
 * are ours where both lock files are equal, and installed otherwise.
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
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(project)) symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  else run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
  execFileSync(process.execPath, [join(folder, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  })
  mkdirSync(join(folder, READY))
  return folder
}
