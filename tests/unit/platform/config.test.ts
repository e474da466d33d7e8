import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '#lib/server/platform/config.ts'
import { FolderInUseError, lockFolder } from '#lib/server/platform/db/lock.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@localhost/wallet',
  PUBLIC_URL: 'https://wallet.example',
  SECRET: 'J2l8Qz0vXk3mN6bT9wR4yU7cE1aS5dFg',
  SMTP_URL: 'smtps://u:p@mail.example',
  MAIL_FROM: 'Wallet <no-reply@wallet.example>',
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
  PROXY_HOPS: '1'
}

describe('the configuration', () => {
  it('needs nothing for the sandbox, which answers on this machine alone', () => {
    expect(readConfig({})).toMatchObject({ production: false, host: '127.0.0.1', port: 4321, dataDir: '.data' })
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('127.0.0.1')
  })

  it('takes a complete production', () => {
    expect(readConfig(production)).toMatchObject({ production: true, host: '0.0.0.0', bank: { swift: 'COBADEFFXXX' } })
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
    [{ PORT: 'abc' }, /PORT must be a whole number/],
    [{ PORT: '70000' }, /PORT must be a whole number/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start with postgres/],
    [{ SMTP_URL: 'mail.example' }, /SMTP_URL must start with smtp/],
    [{ CHAT_SCRIPT_URL: 'http://chat.example/x.js' }, /CHAT_SCRIPT_URL must start with https/]
  ])('refuses %o', (env, message) => {
    expect(() => readConfig(env)).toThrow(message)
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
