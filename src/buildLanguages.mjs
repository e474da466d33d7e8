/** `npm run build`: one build for each language, because a page loads only the texts of its own language; and one of the operators' desk. */
import { spawnSync } from 'node:child_process'
import { LOCALES } from './lib/messages/locale.ts'

function build(args, settings = {}) {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...settings }
  const { status } = spawnSync('astro', ['build', ...args], { stdio: 'inherit', shell: process.platform === 'win32', env })
  if (status !== 0) process.exit(status ?? 1)
}

for (const language of LOCALES) build([], { BUILD_LANGUAGE: language })
build(['--config', 'desk.config.mjs'])
