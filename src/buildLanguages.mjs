/**
 * `npm run build`: one build for each language, because a page loads only the texts of its own language; and one of the operators' desk.
 * `npm run build:production`: the same without the sandbox's code, and with a list of every package in it (`sbom.json`, CycloneDX).
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
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
// From the lock file: `npm sbom --omit dev` leaves out packages that are also an optional peer of another one, e.g. pg.
if (isProduction) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const components = Object.entries(packages).flatMap(([path, { dev, version, integrity = '', license }]) => {
    if (path === '' || dev) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s)
    return {
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(algorithm === 'sha512' && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
      ...(license && { licenses: [{ license: { name: license } }] })
    }
  })
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }
  writeFileSync(join(process.env.DIST_DIR || 'dist', 'sbom.json'), `${JSON.stringify(sbom, undefined, 1)}\n`)
}
