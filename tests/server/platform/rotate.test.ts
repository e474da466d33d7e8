/** Passwords and keys are replaced while the product is at work. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readConfig } from '#lib/server/app/config.ts'
import { scramSecret } from '#lib/server/platform/db/password.ts'
import { freshDatabase } from '#support/databases.ts'
import { NODE_ENVIRONMENT } from '#support/nodeEnvironment.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { signUpAt } from '#support/visitor.ts'

const folder = mkdtempSync(join(tmpdir(), 'wallet-rotate-'))
const file = join(folder, 'database')
const user = `rotated_${randomUUID().slice(0, 8)}`
let owner: pg.Client
let server: ServerProcess

const rotate = (...args: string[]) =>
  spawnSync(process.execPath, ['run.mjs', 'rotate', ...args], { env: NODE_ENVIRONMENT, encoding: 'utf8' })
const address = () => readFileSync(file, 'utf8').trim()
async function opens(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

beforeAll(async () => {
  const url = new URL(await freshDatabase(inject('postgresUrl')))
  owner = new pg.Client(url.toString())
  await owner.connect()
  await owner.query(`create role ${user} login superuser password '${scramSecret('first')}'`)
  url.username = user
  url.password = 'first'
  writeFileSync(file, `${url}\n`, { mode: 0o600 })
  server = await startServer({ DATABASE_URL_FILE: file, LOG_LEVEL: 'info' }, { keepLog: true })
})
afterAll(async () => {
  await server?.stop()
  await owner.query(`drop role ${user}`)
  await owner.end()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run rotate -- database', () => {
  it('gives the user a new password; a process goes on by the file, also with new connections', async () => {
    const before = address()
    expect(await opens(before)).toBe(true)
    const done = rotate('database', file)
    expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining(`${user} has a new password`) })
    expect(done.stdout + done.stderr).not.toContain(new URL(address()).password)
    expect(address()).not.toBe(before)
    expect(await opens(before), 'the old password').toBe(false)
    expect(await opens(address())).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // All connections of the start are ended: the next ones need the new password.
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [user])
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 10_000 }).toBe(200)
    expect((await signUpAt(server.url)).token).not.toBe('')
  })

  it('finishes what a run before it began, whichever step that one died at', async () => {
    const before = address()
    const next = new URL(before)
    next.password = 'second'
    // Died before the database knew the new password: the file beside it opens nothing.
    writeFileSync(`${file}.next`, `${next}\n`)
    expect(rotate('database', file).status).toBe(0)
    expect(await opens(before)).toBe(false)
    expect(await opens(address())).toBe(true)
    // Died after it: the file opens nothing, the one beside it does.
    next.password = 'third'
    writeFileSync(`${file}.next`, `${next}\n`)
    await owner.query(`alter role ${user} password '${scramSecret('third')}'`)
    expect(await opens(address())).toBe(false)
    expect(rotate('database', file).status).toBe(0)
    expect(address()).toBe(next.toString())
  })

  it('begun twice at once leaves a file that opens the database', async () => {
    const once = () =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, ['run.mjs', 'rotate', 'database', file], { env: NODE_ENVIRONMENT, stdio: 'ignore' }).once(
          'close',
          resolve
        )
      })
    const codes = await Promise.all([once(), once(), once()])
    expect(codes).toContain(0)
    expect(await opens(address())).toBe(true)
  })

  it('refuses an address whose password would not be the one that it replaces', async () => {
    const other = join(folder, 'other')
    const url = new URL(address())
    url.searchParams.set('password', url.password)
    url.password = ''
    writeFileSync(other, url.toString())
    expect(rotate('database', other)).toMatchObject({ status: 1, stderr: expect.stringContaining('before the @') })
    expect(readFileSync(other, 'utf8')).toBe(url.toString())
    expect(await opens(address())).toBe(true)
  })

  it('changes nothing where the file does not open the database', async () => {
    const wrong = join(folder, 'wrong')
    const url = new URL(address())
    url.password = 'wrong'
    writeFileSync(wrong, url.toString())
    const done = rotate('database', wrong)
    expect(done).toMatchObject({ status: 1, stderr: expect.stringContaining('password authentication failed') })
    expect(readFileSync(wrong, 'utf8')).toBe(url.toString())
    expect(await opens(address())).toBe(true)
  })
})

it('npm run rotate -- bitcoin-node makes a line as Bitcoin Core checks it', () => {
  const { stdout, status } = rotate('bitcoin-node', 'wallet')
  expect(status).toBe(0)
  const [, salt = '', hash] = /^rpcauth=wallet:([0-9a-f]{32})\$([0-9a-f]{64})$/m.exec(stdout) ?? []
  const [, password = ''] = /http:\/\/wallet:([\w-]{43})@HOST/.exec(stdout) ?? []
  expect(createHmac('sha256', salt).update(password).digest('hex')).toBe(hash)
})

it('npm run rotate -- node-proxy makes a line as nginx checks it', () => {
  const { stdout, status } = rotate('node-proxy', 'wallet2')
  expect(status).toBe(0)
  const kept = Buffer.from(/^wallet2:\{SSHA\}([\w+/]+=*)$/m.exec(stdout)?.[1] ?? '', 'base64')
  const [, password = ''] = /https:\/\/wallet2:([\w-]{43})@HOST/.exec(stdout) ?? []
  const digest = createHash('sha1').update(password).update(kept.subarray(20)).digest()
  expect([kept.length, digest.equals(kept.subarray(0, 20))]).toEqual([28, true])
})

it('npm run rotate -- operator makes a key that OPERATOR_KEYS takes, in a file that is never written over', () => {
  const key = join(folder, 'me.pem')
  const { stdout, status } = rotate('operator', 'Ada@desk.example', key)
  expect(status).toBe(0)
  const [line = ''] = stdout.split('\n')
  expect(readConfig({ OPERATOR_KEYS: line }).withdrawals.operatorKeys).toContainEqual({
    name: 'ada@desk.example',
    publicKey: expect.stringMatching(/^[0-9a-f]{64}$/)
  })
  expect(statSync(key).mode & 0o777).toBe(0o400)
  expect(rotate('operator', 'ada@desk.example', key).status).toBe(1)
})

it('says how it is used', () => {
  for (const args of [[], ['database'], ['operator', 'ada'], ['bitcoin-node', 'a b'], ['node-proxy', 'a:b']])
    expect(rotate(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run rotate -- database FILE') })
})
