/** `npm run build`: one build for each language, because a page loads only the texts of its own language. */
import { spawnSync } from 'node:child_process'
import { LOCALES } from './lib/messages/locale.ts'

for (const language of LOCALES) {
  const env = { ...process.env, BUILD_LANGUAGE: language, ASTRO_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync('astro', ['build'], { stdio: 'inherit', shell: process.platform === 'win32', env })
  if (status !== 0) process.exit(status ?? 1)
}
