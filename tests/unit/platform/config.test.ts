import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#lib/server/app/config.ts'
import { addressOfStandby, ConfigError, withSecretFiles } from '#lib/server/platform/config.ts'
import { FolderInUseError, lockFolder } from '#lib/server/platform/db/lock.ts'

const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@localhost/wallet',
  PUBLIC_URL: 'https://wallet.example',
  SECRET: 'J2l8Qz0vXk3mN6bT9wR4yU7cE1aS5dFg',
  SMTP_URL: 'smtps://u:p@mail.example',
  MAIL_FROM: 'Wallet <no-reply@wallet.example>',
  SUPPORT_EMAIL: 'support@wallet.example',
  PRICES_URL: 'https://prices.example/usd',
  BANK_STATEMENTS_DIR: '/var/bank',
  BANK_ACCOUNT_HOLDER: 'Wallet GmbH',
  BANK_IBAN: 'DE89 3704 0044 0532 0130 00',
  BANK_BIC: 'COBADEFFXXX',
  BANK_NAME: 'Bank',
  BANK_ADDRESS: 'Street 1',
  COMPANY_NAME: 'Example GmbH',
  COMPANY_ADDRESS: 'Street 1, 1010 Vienna',
  SUMSUB_APP_TOKEN: 'token',
  SUMSUB_SECRET_KEY: 'secret',
  SUMSUB_WEBHOOK_SECRET: 'webhook',
  SUMSUB_LEVEL: 'basic-kyc-level',
  PROXY_HOPS: '1',
  BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:8332/',
  ETHEREUM_RPC_URL: 'http://127.0.0.1:8545/',
  CPC_API_URL: 'http://127.0.0.1:7876/nxt',
  CPC_GENESIS: '2680262203532249785',
  SIGNER_PUBLIC_KEY: 'ab'.repeat(32)
}

function seedFile(seed: string, mode = 0o400): string {
  const file = join(mkdtempSync(join(tmpdir(), 'seed-')), 'seed')
  writeFileSync(file, `${seed}\n`, { mode })
  return file
}
const SIGNER = {
  SIGNER_SEED_FILE: seedFile('0123456789abcdef'.repeat(4)),
  SIGNER_JOURNAL: '/data/signer.sqlite',
  OPERATOR_KEYS: `grace:${'ab'.repeat(32)}, ada@desk:${'CD'.repeat(32)}`
}
const only = (...names: (keyof typeof production)[]) =>
  Object.fromEntries(['NODE_ENV', 'DATABASE_URL', 'PRICES_URL', ...names].map((name) => [name, production[name as never]]))

describe('the configuration', () => {
  it('leads outside only where that is set; the sandbox leads to pages of its own', () => {
    const nothing = { appStore: undefined, playStore: undefined, telegram: undefined }
    expect(readConfig(production)).toMatchObject({ links: nothing, chatScriptUrl: undefined })
    const sandbox = readConfig({ TELEGRAM_URL: 'https://t.example/cp' })
    expect(sandbox.links).toEqual({
      appStore: '/sandbox#outside',
      playStore: '/sandbox#outside',
      telegram: 'https://t.example/cp'
    })
    expect(sandbox.chatScriptUrl).toBe('/sandbox/chat.js')
  })

  it('of a signer needs its seed, journal, operators, nodes and prices, and none of the customers’ secrets', () => {
    const nodes = only('BITCOIN_RPC_URL', 'ETHEREUM_RPC_URL', 'CPC_API_URL', 'CPC_GENESIS')
    const { host, withdrawals } = readConfig({ ...nodes, ...SIGNER, ROLE: 'signer' })
    expect(host, 'nobody outside asks it').toBe('127.0.0.1')
    expect(withdrawals.operatorKeys).toEqual([
      { name: 'grace', publicKey: 'ab'.repeat(32) },
      { name: 'ada@desk', publicKey: 'cd'.repeat(32) }
    ])
    expect(readConfig({ ...nodes, ...SIGNER, ROLE: 'signer', HOST: '10.0.0.5' }).host).toBe('10.0.0.5')
  })

  it('of web and worker needs no settings of the other', () => {
    const { SMTP_URL: _, MAIL_FROM: __, BANK_STATEMENTS_DIR: ___, ...web } = production
    expect(readConfig({ ...web, ROLE: 'web' }).withdrawals.operatorKeys).toEqual([])
    const { PROXY_HOPS: ____, ...worker } = production
    expect(readConfig({ ...worker, ROLE: 'worker' }).role).toBe('worker')
  })

  it.each([
    [{ PUBLIC_URL: 'https://wallet.example' }, 'PUBLIC_URL starts with https://'],
    [{ DATABASE_URL: 'postgres://u:p@db.example/wallet' }, 'DATABASE_URL names another host']
  ])('of the sandbox refuses what only a real installation has (%o), unless it is told that this is meant', (env, what) => {
    expect(() => readConfig(env)).toThrow(`${what}, but NODE_ENV is not "production"`)
    expect(readConfig({ ...env, SANDBOX: 'public' }).production).toBe(false)
  })
  it('needs nothing for the sandbox, which answers on this machine alone', () => {
    expect(readConfig({})).toMatchObject({ production: false, host: '127.0.0.1', port: 4321, dataDir: '.data' })
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('127.0.0.1')
  })

  it('takes a complete production', () => {
    expect(readConfig(production)).toMatchObject({ production: true, host: '0.0.0.0', bank: { swift: 'COBADEFFXXX' } })
  })

  it('tells a process that only serves pages nothing of nodes, and one that signs nothing of the web', () => {
    const { BITCOIN_RPC_URL: _, ETHEREUM_RPC_URL: __, CPC_API_URL: ___, ...web } = production
    expect(readConfig({ ...web, ROLE: 'web' }).chains).toMatchObject({ nodes: undefined, seed: undefined })
    const signer = readConfig({ ...production, ROLE: 'signer', ...SIGNER })
    expect(signer.chains.seed).toHaveLength(32)
    expect(signer.chains.networks).toEqual({ bitcoin: 'main', cpcPrefix: 'CPC' })
  })

  it.each([
    'http://10.0.0.8:8545/',
    'http://node.internal/',
    'http://127.0.0.1/',
    'http://bitcoin:8332/',
    'http://[::1]:1/',
    'http://[fd00::1]/'
  ])('takes plain http of %s, which is not outside a private network', (url) => {
    expect(readConfig({ ...production, ETHEREUM_RPC_URL: url }).chains.nodes?.ethereum).toBe(url)
  })
  it.each(['http://10.example.com/', 'http://[2001:db8::1]:8545/', 'http://11.0.0.1/'])('refuses plain http of %s', (url) => {
    expect(() => readConfig({ ...production, ETHEREUM_RPC_URL: url })).toThrow(/must start with https/)
  })

  it('lists everything that production misses at once', () => {
    const refuse = () => readConfig({ NODE_ENV: 'production' })
    expect(refuse).toThrow(ConfigError)
    for (const name of Object.keys(production).filter((key) => key !== 'NODE_ENV'))
      expect(refuse).toThrow(new RegExp(`- ${name} is missing`))
  })

  it.each([
    [{ ...production, SECRET: 'short' }, /SECRET is missing or weak/],
    [{ ...production, SECRET: 'a'.repeat(40) }, /SECRET is missing or weak/],
    [{ ...production, SECRET: 'sandbox-secret-that-production-refuses' }, /SECRET is missing or weak/],
    [{ ...production, PUBLIC_URL: 'http://wallet.example' }, /PUBLIC_URL must start with https/],
    [{ ...production, LIMIT_SCALE: '10' }, /LIMIT_SCALE must be 1/],
    [{ ...production, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /NODE_TLS_REJECT_UNAUTHORIZED must not be 0/],
    [{ ...production, DATABASE_URL: 'postgres://u:p@db.example/wallet' }, /sslmode=verify-full/],
    [{ ...production, DATABASE_URL: 'postgres://u:p@localhost/wallet?options=-c%20jit=on' }, /must not have options/],
    [{ ...production, DATABASE_URL: 'postgres://u:p@db.example/wallet?sslmode=require' }, /sslmode=verify-full/],
    [
      { ...production, DATABASE_URL: 'postgres://u:p@db.example/wallet?sslmode=verify-full&uselibpqcompat=true' },
      /sslmode=verify-full/
    ],
    [{ ...production, DATABASE_URL: 'postgres://u:p@localhost/wallet?host=db.example' }, /sslmode=verify-full/],
    [{ ...production, DATABASE_STANDBY: 'db.example:5001' }, /DATABASE_STANDBY names another host: add sslmode=verify-full/],
    [{ ...production, PGHOST: 'db.example' }, /PGHOST must not be set/],
    [{ ...production, SUMSUB_URL: 'http://sumsub.example' }, /SUMSUB_URL must start with https/],
    [{ ...production, SCREENING_LIST: 'http://list.example/eu.xml' }, /SCREENING_LIST must start with https/],
    [{ ...production, SCREENING_WATCHMAN_URL: 'http://watchman.example' }, /SCREENING_WATCHMAN_URL must start with https/],
    [
      { ...production, SIGNER_SEED: '0123456789abcdef'.repeat(4) },
      /SIGNER_SEED must be given to the process with ROLE=signer alone/
    ],
    [{ ...production, ROLE: 'worker', SIGNER_SEED: '0123456789abcdef'.repeat(4) }, /SIGNER_SEED must be given/],
    [{ ...production, ROLE: 'worker', SIGNER_SEED_FILE: '/run/seed' }, /SIGNER_SEED_FILE must be given/],
    [{ ...production, ROLE: 'signer' }, /SIGNER_SEED_FILE is missing/],
    [{ ...production, ...SIGNER, ROLE: 'signer', SIGNER_SEED: 'aa' }, /SIGNER_SEED is read outside production only/],
    [{ ...production, ROLE: 'signer', SIGNER_SEED_FILE: '/nowhere/seed' }, /\/nowhere\/seed cannot be read/],
    [{ ...production, ROLE: 'signer', SIGNER_SEED_FILE: seedFile('0123456789abcdef'.repeat(4), 0o440) }, /others may read/],
    [{ ...production, ROLE: 'signer' }, /OPERATOR_KEYS is missing/],
    [{ ...production, ...SIGNER, ROLE: 'signer', OPERATOR_KEYS: 'grace:12' }, /OPERATOR_KEYS must be NAME:KEY/],
    [{ ...production, PRICES_URL: 'http://prices.example/usd' }, /PRICES_URL must start with https/],
    [{ ...production, SECOND_PRICES_URL: 'http://prices.example/usd' }, /SECOND_PRICES_URL must start with https/],
    [{ ...production, CPC_GENESIS: '' }, /CPC_GENESIS is missing/],
    [{ ...production, ETHEREUM_RPC_URL: 'http://node.example:8545/' }, /ETHEREUM_RPC_URL must start with https/],
    [{ ...production, SECOND_ETHEREUM_RPC_URL: 'http://node.example:8545/' }, /SECOND_ETHEREUM_RPC_URL must start with https/],
    [{ ...production, ...SIGNER, ROLE: 'signer', SIGNER_DAY_BTC: '-1' }, /SIGNER_DAY_BTC must be an amount of BTC above zero/],
    [{ ...production, ...SIGNER, ROLE: 'signer', SIGNER_NEW_PERCENT: '101' }, /SIGNER_NEW_PERCENT must be a whole number/],
    [{ ...production, ROLE: 'signer' }, /SIGNER_JOURNAL is missing/],
    [{ ...production, WITHDRAWAL_DAY_USD: 'much' }, /WITHDRAWAL_DAY_USD must be a whole number of USD/],
    [{ ...production, EXPLORER_BITCOIN: 'http://x' }, /EXPLORER_BITCOIN must start with https/],
    [{ ...production, ROLE: 'signer', SIGNER_SEED_FILE: seedFile('aa'.repeat(32)) }, /SIGNER_SEED_FILE is missing or weak/],
    [{ ...production, ETHEREUM_CHAIN_ID: '5' }, /USDC_CONTRACT is missing/],
    [{ ...production, BITCOIN_RPC_URL: 'ftp://node' }, /BITCOIN_RPC_URL must start with/],
    [{ BITCOIN_NETWORK: 'moon' }, /BITCOIN_NETWORK must be main, test, regtest/],
    [{ CPC_PREFIX: 'cpc' }, /CPC_PREFIX must be/],
    [{ SMALLEST_DEPOSIT_BTC: '0' }, /SMALLEST_DEPOSIT_BTC must be/],
    [{ CONFIRMATIONS_ETH: '0' }, /CONFIRMATIONS_ETH must be/],
    [{ PORT: 'abc' }, /PORT must be a whole number/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /OTEL_EXPORTER_OTLP_ENDPOINT must start with/],
    [{ ...TRACED, OTEL_TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1/],
    [{ ...TRACED, OTEL_EXPORTER_OTLP_HEADERS: 'key' }, /OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE/],
    [{ ...TRACED, OTEL_EXPORTER_OTLP_HEADERS: 'key=50%' }, /OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE/],
    [{ PORT: '70000' }, /PORT must be a whole number/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start with postgres/],
    [{ DATABASE_STANDBY: 'localhost:5001' }, /DATABASE_STANDBY is set, but DATABASE_URL is not/],
    [{ DATABASE_URL: 'postgres://localhost/w', DATABASE_STANDBY: 'u:p@localhost:5001' }, /DATABASE_STANDBY must be HOST:PORT/],
    [{ SMTP_URL: 'mail.example' }, /SMTP_URL must start with smtp/],
    [{ CHAT_SCRIPT_URL: 'http://chat.example/x.js' }, /CHAT_SCRIPT_URL must start with https/]
  ])('refuses %o', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
  })

  it('traces nothing without a collector, and reads the headers for one as OpenTelemetry writes them', () => {
    expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).traces).toBeUndefined()
    const headers = 'authorization=Basic%20a%2Cb%3D, x-key=1'
    expect(readConfig({ ...TRACED, OTEL_TRACES_SAMPLER_ARG: '0.05', OTEL_EXPORTER_OTLP_HEADERS: headers }).traces).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headers: { authorization: 'Basic a,b=', 'x-key': '1' },
      share: 0.05
    })
  })
})

describe('the lock of the data folder', () => {
  it('is held once, given back, and gone with a process that is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wallet-lock-'))
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(FolderInUseError)
    unlock()
    const lockModule = new URL('../../../src/lib/server/platform/db/lock.ts', import.meta.url).href
    const script = `import(${JSON.stringify(lockModule)}).then(({ lockFolder }) => { lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000) })`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script])
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    expect(() => lockFolder(folder)).toThrow(/Another process uses the embedded database/)
    const gone = new Promise((resolve) => holder.once('exit', resolve))
    holder.kill('SIGKILL')
    await gone
    lockFolder(folder)()
    rmSync(folder, { recursive: true })
  })
})

describe('secrets in files', () => {
  const fileWith = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'secret')
    writeFileSync(file, text)
    return file
  }

  it('are read without the end of the line, and nothing else of the environment changes', () => {
    const env = { SECRET_FILE: fileWith('J2l8Qz0vXk3mN6bT9wR4yU7cE1aS5dFg\n'), SIGNER_SEED_FILE: '/etc/wallet/seed' }
    expect(withSecretFiles(env)).toEqual({ ...env, SECRET: 'J2l8Qz0vXk3mN6bT9wR4yU7cE1aS5dFg' })
  })

  it.each([
    ['both set', { SMTP_URL: 'smtps://a', SMTP_URL_FILE: '/x' }, 'SMTP_URL and SMTP_URL_FILE are both set'],
    ['missing', { SECRET_FILE: '/there/is/none' }, 'SECRET_FILE cannot be read'],
    ['empty', { SECRET_FILE: fileWith(' \n') }, 'SECRET_FILE cannot be read: it is empty']
  ])('%s: the start is refused', (_, env, message) => {
    expect(() => withSecretFiles(env)).toThrow(message)
  })

  it('may hold every setting that .env.example names for it, and no other', () => {
    const [, named = ''] = /Each secret may stand in a file(.*?)\n\n/s.exec(readFileSync('.env.example', 'utf8')) ?? []
    for (const name of named.match(/\b[A-Z][A-Z_]{5,}\b/g)?.filter((one) => !/_FILE/.test(one)) ?? [])
      expect(withSecretFiles({ [`${name}_FILE`]: fileWith('x') }), name).toHaveProperty(name, 'x')
  })
})

it('reaches a standby as the same user, with the same encryption', () => {
  expect(addressOfStandby('postgres://u:p%40@a.example:5432/wallet?sslmode=verify-full&host=b.example', 'c.example:5001')).toBe(
    'postgres://u:p%40@c.example:5001/wallet?sslmode=verify-full'
  )
  expect(addressOfStandby('postgres://u:p@a.example/wallet', '[::1]:5001')).toBe('postgres://u:p@[::1]:5001/wallet')
})
