/** Adding a language takes a folder and an entry in `locale.ts`: done here in a copy of the product, with two sentences, then built. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const MESSAGES = 'src/lib/messages'
/** One sentence in a page, and one in an island. */
const PLANTED = { page: 'Tere tulemast tagasi, see on lehe lause', island: 'Miks just kood, see on saare lause' }

let folder: string
let server: ServerProcess

/** Adds a copy of an English text file to the language `xx`, with one sentence replaced. */
function plant(file: string, english: string, sentence: string): void {
  const text = readFileSync(join(folder, MESSAGES, 'en', file), 'utf8')
  expect(text).toContain(`'${english}'`)
  mkdirSync(join(folder, MESSAGES, 'xx', file, '..'), { recursive: true })
  writeFileSync(join(folder, MESSAGES, 'xx', file), text.replace(`'${english}'`, `'${sentence}'`))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-language-'))
  for (const name of [
    'src',
    'public',
    'docs',
    'migrations',
    'run.mjs',
    'package.json',
    'astro.config.mjs',
    'desk.config.mjs',
    'tsconfig.json'
  ])
    cpSync(join(project, name), join(folder, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  plant('access/signInPages.ts', 'Log in', PLANTED.page)
  plant('access/signInPage.ts', 'Why OTP?', PLANTED.island)
  writeFileSync(join(folder, MESSAGES, 'xx/language.ts'), "export const language = 'xx'\n")
  const locale = join(folder, MESSAGES, 'locale.ts')
  writeFileSync(locale, readFileSync(locale, 'utf8').replace("['en']", "['en', 'xx']"))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/buildLanguages.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    // Not the test's environment: its NODE_ENV would change the build.
    env: { PATH: `${join(project, 'node_modules/.bin')}:${process.env.PATH}` }
  })
  expect(status, `${stdout}${stderr}`).toBe(0)
  server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')) }, { root: folder })
}, 180_000)
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const pageIn = async (language: string) =>
  (await fetch(`${server.url}/sign-in`, { headers: { 'accept-language': language } })).text()
const scriptsOf = (dist: string) =>
  readdirSync(join(folder, dist, 'client/_astro'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, dist, 'client/_astro', name), 'utf8'))
    .join('\n')

it('gives each reader pages and scripts of one language, and what is not translated in English', async () => {
  const [planted, english] = [await pageIn('xx'), await pageIn('en')]
  for (const sentence of Object.values(PLANTED)) {
    expect(planted).toContain(sentence)
    expect(english).not.toContain(sentence)
  }
  expect(planted).toContain('<html lang="xx"')
  expect(english).toContain('<html lang="en"')
  expect(english).toContain('Why OTP?')
  // Not replaced in `xx`, so English in both.
  for (const page of [planted, english]) expect(page).toContain('Sign in with OTP')
  expect(scriptsOf('dist/xx')).toContain(PLANTED.island)
  expect(scriptsOf('dist')).not.toContain(PLANTED.island)
  // The island of the planted language is loaded from its own scripts.
  const [script] = /\/_astro\/[\w.-]+\.js/.exec(planted) ?? []
  expect((await fetch(`${server.url}${script}`)).status).toBe(200)
})
