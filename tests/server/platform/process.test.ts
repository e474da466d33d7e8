import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { NODE_ENVIRONMENT } from '#support/nodeEnvironment.ts'
import { type ServerProcess, ServerRefusedError, startServer } from '#support/serverProcess.ts'
import { startSmtp } from '#support/smtp.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(env)
  cleanups.push(() => server.stop())
  return server
}

function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-data-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const emptyDatabase = () => freshDatabase(inject('postgresUrl'), { empty: true })

function verify(env: Record<string, string>): string {
  return execFileSync(process.execPath, ['run.mjs', 'verifyLedger'], {
    cwd: root,
    env: { ...NODE_ENVIRONMENT, ...env },
    encoding: 'utf8'
  })
}

describe('the embedded database', () => {
  it('is held by one process; another is told so in a sentence', async () => {
    const dataDir = someFolder()
    await start({ DATA_DIR: dataDir })
    const refused = await startServer({ DATA_DIR: dataDir }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServerRefusedError)
    expect(refused).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Another process uses the embedded database in ".*"\. Stop it first/)
    })
  })

  it('loses nothing that was answered when the process is killed in the middle of it', async () => {
    const dataDir = someFolder()
    const server = await startServer({ DATA_DIR: dataDir })
    const { token, cookie } = await signUpAt(server.url)
    expect((await fetch(`${server.url}/dashboard`, { headers: { cookie } })).status).toBe(200)
    const answered: string[] = []
    const buys = [82, 85, 88, 91, 94, 97, 100, 103, 106].map(async (comboConfigId) => {
      for (let round = 0; round < 40; round += 1) {
        const response = await postJson(server.url, '/orders/combo', { comboConfigId, bankAccountId: 1 }, token)
        const { id } = (await response.json()).data
        await fetch(`${server.url}/v1/orders/combo/${id}/purchase`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}'
        })
        answered.push(id)
        const form = new URLSearchParams({ order: id, arrival: 'exact' })
        await fetch(`${server.url}/sandbox`, { method: 'POST', body: form, redirect: 'manual', headers: { origin: server.url } })
      }
    })
    const buying = Promise.allSettled(buys)
    await vi.waitUntil(() => answered.length >= 25, { timeout: 30_000, interval: 5 })
    await server.kill()
    await buying
    expect(verify({ DATA_DIR: dataDir })).toContain('The ledger is right')
    const again = await start({ DATA_DIR: dataDir })
    const response = await fetch(`${again.url}/v1/orders/combo?limit=600`, { headers: { authorization: `Bearer ${token}` } })
    const orders: { id: string; status: number }[] = (await response.json()).data.results
    const status = new Map(orders.map((order) => [order.id, order.status]))
    for (const id of answered) expect(status.get(id), `order ${id}`).toBeGreaterThanOrEqual(1)
  })
})

describe('processes on PostgreSQL', () => {
  it('may start at once on an empty database, and see the same', async () => {
    const databaseUrl = await emptyDatabase()
    const servers = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL: databaseUrl })))
    for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const [first, second] = servers
    const { cookie, token } = await signUpAt(first?.url ?? '')
    expect((await fetch(`${second?.url}/dashboard`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200)
    expect((await fetch(`${second?.url}/v1/users/profile`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  it('outlive a connection that is cut in the middle of a transaction', async () => {
    const databaseUrl = await emptyDatabase()
    const server = await start({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' })
    const { token } = await signUpAt(server.url)
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const asking = Array.from({ length: 40 }, () =>
      postJson(server.url, '/orders/combo', { comboConfigId: 82, bankAccountId: 1 }, token)
    )
    for (let cut = 0; cut < 10; cut += 1) {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      )
    }
    await client.end()
    await Promise.all(asking)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const orders = await fetch(`${server.url}/v1/orders/combo`, { headers: { authorization: `Bearer ${token}` } })
    expect((await orders.json()).data.total).toBeLessThanOrEqual(1)
  })

  it('say of each refused request who, from where and why, and no e-mail', async () => {
    const server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')) }, { keepLog: true })
    cleanups.push(() => server.stop())
    const { token, email } = await signUpAt(server.url)
    await postJson(server.url, '/users/balance/transfer-from-spot-to-funding', { currency: 'CPC', amount: '1' }, token)
    await postJson(server.url, '/users/signin', { email, password: 'another correct horse' })
    await fetch(`${server.url}/sign-out`, { method: 'POST', headers: { origin: 'https://evil.test' } })
    await new Promise((done) => get(`${server.url}/`, { headers: { host: 'evil.test' } }, (res) => res.resume().on('end', done)))
    type Line = { msg: string; status: number; path: string; code?: string; who?: string; from?: string }
    const lines = () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as Line)
    await expect.poll(() => lines().some(({ status }) => status === 421)).toBe(true)
    const of = (wanted: number) => lines().find(({ status }) => status === wanted)
    expect(of(422)).toMatchObject({ code: 'insufficient_spot', who: expect.stringMatching(/^[0-9a-f-]{36}$/), from: '127.0.0.1' })
    expect(of(401)).toMatchObject({ code: 'credentials_invalid', from: '127.0.0.1' })
    expect(of(403)).toMatchObject({ code: 'foreign_origin' })
    expect(lines().filter((line) => JSON.stringify(line).includes(email))).toEqual([])
  })

  it('stop gracefully', async () => {
    const server = await startServer({ DATABASE_URL: await emptyDatabase() })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

/** Built as the image is, without the sandbox's code, in a folder of its own. */
const PRODUCTION_BUILD = { DIST_DIR: 'dist-production' }

describe('production', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['src/buildLanguages.mjs', '--production'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...PRODUCTION_BUILD }
    })
  }, 120_000)

  it('is built without the code of the sandbox, and refuses SANDBOX then', async () => {
    for (const file of globSync(join(root, PRODUCTION_BUILD.DIST_DIR, 'server/chunks/sandbox*.mjs'))) {
      const code = readFileSync(file, 'utf8')
      // Pages stay, and answer 404.
      if (!code.includes('This build has no sandbox')) expect(code, file).toContain('createComponent')
    }
    const refused = await startServer({ SANDBOX: 'public', ...PRODUCTION_BUILD }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ exitCode: 1, message: expect.stringContaining('This build has no sandbox') })
  })

  it('lists every package that is in it', () => {
    const sbom = JSON.parse(readFileSync(join(root, PRODUCTION_BUILD.DIST_DIR, 'sbom.json'), 'utf8'))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(sbom.bomFormat).toBe('CycloneDX')
    // Some are there in two versions: others need an older one.
    const listed = sbom.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`)
    expect(listed).toEqual(expect.arrayContaining(Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)))
    expect(listed.filter((one: string) => one.startsWith('vitest@'))).toEqual([])
  })

  it('refuses to start without its settings and lists them all', async () => {
    const refused = await startServer({ NODE_ENV: 'production', LIMIT_SCALE: '1' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ exitCode: 1 })
    const { message } = refused as Error
    for (const name of [
      'DATABASE_URL',
      'SECRET',
      'SMTP_URL',
      'PUBLIC_URL',
      'PRICES_URL',
      'BANK_STATEMENTS_DIR',
      'SUMSUB_WEBHOOK_SECRET',
      'BITCOIN_RPC_URL',
      'SIGNER_PUBLIC_KEY'
    ])
      expect(message).toContain(`- ${name}`)
  })

  it('has no sandbox, sends real mail, and binds cookies to the host and to HTTPS', async () => {
    const smtp = await startSmtp()
    cleanups.push(() => smtp.stop())
    const server = await start({
      ...PRODUCTION_BUILD,
      NODE_ENV: 'production',
      LIMIT_SCALE: '1',
      HOST: '127.0.0.1',
      DATABASE_URL: await emptyDatabase(),
      PUBLIC_URL: 'https://wallet.example',
      PROXY_HOPS: '1',
      SECRET: 'J2l8Qz0vXk3mN6bT9wR4yU7cE1aS5dFg',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Wallet <no-reply@wallet.example>',
      SUPPORT_EMAIL: 'support@wallet.example',
      PRICES_URL: 'https://127.0.0.1:9/prices',
      BANK_STATEMENTS_DIR: someFolder(),
      BANK_ACCOUNT_HOLDER: 'Wallet GmbH',
      BANK_IBAN: 'DE89370400440532013000',
      BANK_BIC: 'COBADEFFXXX',
      BANK_NAME: 'Bank',
      BANK_ADDRESS: 'Street 1',
      COMPANY_NAME: 'Example GmbH',
      COMPANY_ADDRESS: 'Street 1, 1010 Vienna',
      SUMSUB_URL: 'http://127.0.0.1:9',
      SUMSUB_APP_TOKEN: 'token',
      SUMSUB_SECRET_KEY: 'secret',
      SUMSUB_WEBHOOK_SECRET: 'webhook',
      SUMSUB_LEVEL: 'basic-kyc-level',
      BITCOIN_RPC_URL: 'http://127.0.0.1:9/',
      ETHEREUM_RPC_URL: 'http://127.0.0.1:9/',
      CPC_API_URL: 'http://127.0.0.1:9/nxt',
      CPC_GENESIS: '2680262203532249785',
      SIGNER_PUBLIC_KEY: 'ab'.repeat(32),
      CHAT_SCRIPT_URL: 'https://chat.example/widget.js'
    })
    for (const path of ['/sandbox', '/sandbox/chat.js', '/sandbox/mail/1', '/sandbox/identity/x'])
      expect((await fetch(`${server.url}${path}`)).status).toBe(404)
    expect(
      (
        await fetch(`${server.url}/sandbox`, {
          method: 'POST',
          body: new URLSearchParams({ order: 'x', arrival: 'exact' }),
          headers: { origin: 'https://wallet.example' }
        })
      ).status
    ).toBe(404)
    const page = await fetch(`${server.url}/sign-in`)
    expect(page.headers.get('strict-transport-security')).toContain('max-age=')
    expect(await page.text()).not.toContain('sandbox')
    await postJson(server.url, '/users/signup', {
      email: 'ada@example.com',
      password: 'correct horse battery',
      phone: '+43 660 1234567'
    })
    await vi.waitUntil(() => smtp.received.length > 0, { timeout: 10_000 })
    const code = /^(\d{6})\r?$/m.exec(smtp.received[0] ?? '')?.[1]
    const verified = await postJson(server.url, '/users/signup/verify', { email: 'ada@example.com', token: code })
    const session = verified.headers.getSetCookie().find((one) => one.startsWith('__Host-session='))
    expect(session).toMatch(/^__Host-session=[\w-]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/)
    const cookie = session?.split(';', 1)[0] ?? ''
    const profile = await fetch(`${server.url}/profile`, { headers: { cookie } })
    expect(profile.headers.get('content-security-policy')).toMatch(/script-src [^;]*'self' https:\/\/chat\.example /)
    expect(await profile.text()).toContain('data-chat="https://chat.example/widget.js"')
    // The price service is down: amounts are still shown, without values.
    for (const path of ['/dashboard', '/token-list']) {
      const page = await fetch(`${server.url}${path}`, { headers: { cookie } })
      expect(page.status).toBe(200)
      const html = await page.text()
      expect(html).toContain('Failed to load prices: ')
      expect(html).toContain('no price')
      expect(html).toContain('0.000')
      expect(html.includes('≈')).toBe(false)
      expect(html, 'links that are not set').not.toMatch(/\/qr\/|\/sandbox/)
    }
    expect((await fetch(`${server.url}/buy-package`, { headers: { cookie } })).status).toBe(200)
    const { data } = await verified.json()
    const link = await postJson(server.url, '/users/get-kyc-link', {}, data.token)
    expect(await link.json()).toMatchObject({ statusCode: 503, code: 'unavailable' })
    const signOut = (origin: string) =>
      fetch(`${server.url}/sign-out`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin, 'x-forwarded-proto': 'https' }
      })
    expect((await signOut('https://evil.example')).status).toBe(403)
    expect((await signOut('https://wallet.example')).status).toBe(303)
  })
})
