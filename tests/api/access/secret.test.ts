/** SECRET is replaced while customers are signed in: what was made under the one before still counts, and what can be is made anew. */

import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { expect, inject, it } from 'vitest'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'
const OLD = 'the secret of last year, random enough 0123'
const NEW = 'the secret of this year, random enough 4567'
const PROMO = { PROMO_CODE: 'SPRING' }

/** Processes of one database, each with its own secrets, at one time. */
async function processes(): Promise<(env: Record<string, string>) => Promise<TestApp>> {
  const url = await freshDatabase(inject('postgresUrl'))
  const clock = () => new Date()
  return async (env) => {
    const connection = await openPostgres(url, { poolSize: 3, onLost: () => undefined })
    return createTestApp({ connection, clock, env: { ...PROMO, ...env } })
  }
}

const signIn = (test: TestApp, email: string, cookie: string) =>
  test.send('POST', '/users/signin', { body: { email, password: PASSWORD }, headers: { cookie } })
const second = (test: TestApp, ticket: string, code: string, cookie: string) =>
  test.send('POST', '/users/signin/second-factor', { body: { ticket, code }, headers: { cookie } })

it.skipIf(!isPostgres)(
  'tokens, links, codes, apps, recovery codes and the promo code outlive it; a secret that is gone ends them',
  async () => {
    const start = await processes()
    const before = await start({ SECRET: OLD })
    const customer = await before.signUp()
    const { token, browser: cookie, email } = customer
    const started = await before.send('POST', '/users/totp/start', { token, body: {} })
    const app = new TOTP({ secret: Secret.fromBase32(started.body.data.secret) })
    const codeNow = (step: number) => app.generate({ timestamp: Date.now() + step * 30_000 })
    const enabled = await before.send('POST', '/users/totp', { token, body: { code: codeNow(-1) } })
    const [recovery, another] = enabled.body.data.recoveryCodes
    expect((await before.send('POST', '/orders/promo', { token, body: { code: 'SPRING' } })).status).toBe(200)
    const links = (await before.mailsTo(email)).map(({ text }) => text).join()
    const disavow = /not-me\?token=([\w.-]+)/.exec(links)?.[1] ?? ''
    const rotated = await before.send('POST', '/users/refresh-token', { body: { refreshToken: customer.refreshToken } })
    await before.send('POST', '/users/forgot-password', { body: { email }, headers: { cookie } })
    const resetCode = await before.codeFor(email)

    // First the next secret is accepted everywhere, then it makes everything.
    const next = await start({ SECRET: OLD, SECRET_ALSO: NEW })
    const after = await start({ SECRET: NEW, SECRET_ALSO: OLD })
    const profile = (test: TestApp, bearer = token) => test.send('GET', '/users/profile', { token: bearer })
    expect((await profile(after)).status).toBe(200)
    const again = await after.send('POST', '/users/refresh-token', { body: { refreshToken: customer.refreshToken } })
    expect(again.body.data.refreshToken).toBe(rotated.body.data.refreshToken)
    expect((await profile(next, again.body.data.token)).status).toBe(200)
    expect((await after.send('GET', '/orders/combo/preview/90', { token })).body.code).not.toBe('promo_needed')

    const sealed = async () =>
      rowsOf<{ sealed: string }>(
        await after.app.context.db.execute(sql`select totp_secret as sealed from users where email = ${email}`)
      )[0]?.sealed
    const old = await sealed()
    const first = await signIn(after, email, cookie)
    expect(first.body.code).toBe('second_factor_required')
    expect((await second(after, first.body.ticket, codeNow(0), cookie)).status).toBe(200)
    expect(await sealed()).not.toBe(old)
    const byRecovery = await signIn(after, email, cookie)
    expect((await second(after, byRecovery.body.ticket, recovery, cookie)).status).toBe(200)

    // Without the old one: what was sealed anew opens, what could not be made anew is over.
    const alone = await start({ SECRET: NEW })
    expect((await profile(alone)).status).toBe(401)
    const last = await signIn(alone, email, cookie)
    expect((await second(alone, last.body.ticket, another, cookie)).status).toBe(400)
    expect((await second(alone, last.body.ticket, codeNow(1), cookie)).status).toBe(200)
    expect((await alone.send('POST', '/users/signin/disavow', { body: { token: disavow } })).body.code).toBe('link_invalid')
    const reset = (test: TestApp) =>
      test.send('POST', '/users/forgot-password/verify', {
        body: { email, token: resetCode, password: 'another correct horse' },
        headers: { cookie }
      })
    expect((await reset(alone)).body.code).toBe('code_invalid')
    expect((await after.send('POST', '/users/signin/disavow', { body: { token: disavow } })).status).toBe(200)
    expect((await reset(after)).status).toBe(200)
    for (const one of [before, next, after, alone]) await one.close()
  }
)
