/**
 * `npm run build`: one build for each language, because a page loads only the texts of its own language; and one of the operators' desk.
 * `npm run build:production`: the same without the sandbox's code, and with a list of every package in it (`sbom.json`, CycloneDX).
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOCALES } from './lib/messages/locale.ts'

const isProduction = process.argv.includes('--production')
if (isProduction) process.env.SANDBOX_CODE = 'none'

function build(args, settings = {}) {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...settings }
  const { status } = spawnSync('astro', ['build', ...args], { stdio: 'inherit', shell: process.platform === 'win32', env })
  if (status !== 0) process.exit(status ?? 1)
}

for (const language of LOCALES) build([], { BUILD_LANGUAGE: language })
build(['--config', 'desk.config.mjs'])
if (isProduction) {
  const listed = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], {
    encoding: 'utf8'
  })
  if (listed.status !== 0) throw new Error(`npm sbom failed: ${listed.stderr}`)
  writeFileSync(join(process.env.DIST_DIR || 'dist', 'sbom.json'), listed.stdout)
}
