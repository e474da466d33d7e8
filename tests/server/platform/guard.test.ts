import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt, type Visitor } from '#support/visitor.ts'

let server: ServerProcess
let visitor: Visitor
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await freshDatabase(inject('postgresUrl'))
  server = await startServer({ DATABASE_URL: databaseUrl })
  visitor = await signUpAt(server.url)
  // Opens the bonus packages to this customer.
  await postJson(server.url, '/orders/promo', { code: 'ANNIVERSARY' }, visitor.token)
})
afterAll(() => server.stop())

/** Sends the path unchanged: `fetch` would normalize it. */
function get(
  path: string,
  cookie?: string
): Promise<{ status: number; location: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server.url)
    const req = request({ hostname, port, path, headers: cookie ? { cookie } : {} }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, location: res.headers.location, headers: res.headers, body }))
    })
    req.on('error', reject).end()
  })
}

const PUBLIC_ONLY = ['/sign-in', '/sign-up', '/sign-up-verify']
const PRIVATE = [
  '/dashboard',
  '/buy-package',
  '/buy-package/bonus',
  '/package-detail/CPC',
  '/package-detail/PTC',
  '/package-detail/82/preview',
  '/package-history',
  '/coming-soon',
  '/sign-in-with-otp',
  '/sign-in-with-password',
  '/token-list',
  '/statement/CPC',
  '/token/CPC',
  '/deposit/CPC',
  '/withdraw/CPC',
  '/withdraw-history',
  '/limits',
  '/package-history/csv',
  '/activity',
  '/activity/csv',
  '/notices',
  '/signed-in',
  '/statement/CPC/csv',
  '/profile',
  '/referral',
  '/staking',
  '/rewards',
  '/news',
  '/news/how-statements-work',
  '/euro',
  '/euro-list',
  '/euro-list/letter',
  '/euro-withdraw',
  '/euro-history',
  '/euro-history/csv',
  '/confirm-euro'
]
/** Only for customers with CPC in their funding account; others are redirected to the dashboard. */
const TRADERS = ['/p2p', '/p2p/csv']
const OPEN = [
  '/verify',
  '/welcome',
  '/token-icon/CPC.svg',
  '/legal/terms-of-service',
  '/legal/custody-policy',
  '/legal/privacy-policy',
  '/legal/crypto-asset-terms',
  '/legal/custody-terms',
  '/legal/staking-program-terms',
  '/agreement.json',
  '/help',
  '/help/payment-does-not-fit',
  '/help/contact',
  '/sandbox',
  '/sandbox/news',
  '/sandbox/chat.js',
  '/marks.svg'
]

/** A deposit of 50 CPC, with enough confirmations. */
async function sendCoins(email: string): Promise<void> {
  for (const fields of [
    { deposit: 'send', email, currency: 'CPC', amount: '50' },
    { chain: 'cpc', act: 'many' }
  ]) {
    const init = { method: 'POST', redirect: 'manual', headers: { origin: server.url } } as const
    const answer = await fetch(`${server.url}/sandbox`, { ...init, body: new URLSearchParams(Object.entries(fields)) })
    expect(answer.headers.get('location')).toBe('/sandbox#chains')
  }
}

/** The token of the link in the customer's newest mail. */
async function disavowTokenFor(email: string): Promise<string> {
  const mailbox = (await get('/sandbox')).body
  const mail = mailbox.split('data-mail=').find((one) => one.startsWith(`"${email}"`)) ?? ''
  const { body } = await get(/\/sandbox\/mail\/\d+/.exec(mail)?.[0] ?? '')
  return /not-me\?token=([\w.-]+)/.exec(body)?.[1] ?? ''
}

/** Routes that have their own tests below, or always redirect. */
const OTHERS = [
  '/rewards/[token].ics',
  '/documents/[file]',
  '/verify/[...code]',
  '/news-preview',
  '/news-preview/[token]',
  '/news-image/[file]',
  '/',
  '/404',
  '/500',
  '/sign-out',
  '/settings',
  '/accept-terms',
  '/qr/[app].svg',
  '/not-me',
  '/mails-off',
  '/withdraw-confirm',
  '/sandbox/mail/[id]',
  '/sandbox/identity/[token]'
]
/** Routes that Astro adds. The guard answers 404 for all of them. */
const FRAMEWORK = ['/_image', '/_server-islands/[name]']

describe('every route', () => {
  it('that the build serves is in one of the lists', () => {
    const built: { pattern: string }[] = JSON.parse(readFileSync('dist/server/routes.json', 'utf8'))
    const listed = [...PUBLIC_ONLY, ...PRIVATE, ...TRADERS, ...OPEN]
    const isListed = (pattern: string) => {
      const path = new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\[[^\]]+\]/g, '[^/]+')}$`)
      return [...OTHERS, ...FRAMEWORK].includes(pattern) || listed.some((one) => path.test(one))
    }
    expect(built.map(({ pattern }) => pattern).filter((pattern) => !isListed(pattern))).toEqual([])
    expect(built.length).toBeGreaterThan(25)
  })

  it.each([
    '/_image?href=/social.png&w=1190&h=620&f=avif&q=100',
    '//_image?href=/social.png&w=10&h=10',
    '/%5fimage?href=/social.png&w=10&h=10',
    '/_server-islands/Anything',
    '/_anything'
  ])('of the framework does not answer, signed in or not: %s', async (path) => {
    expect((await get(path)).status).toBe(404)
    expect((await get(path, visitor.cookie)).status).toBe(404)
  })

  it('to the API goes through the front server alone', async () => {
    for (const path of ['/%761/users/balance', '/%76%31/users/signin', '//v1/users/balance', '/v1%2fusers/balance'])
      expect((await get(path, visitor.cookie)).status, path).toBe(404)
  })

  it.each([...TRADERS, '/p2p/orders/7'])('%s leads to the sign-in, and who has no CPC to the dashboard', async (path) => {
    expect(await get(path)).toMatchObject({ status: 302, location: '/sign-in' })
    expect(await get(path, visitor.cookie)).toMatchObject({ status: 302, location: '/dashboard' })
    expect((await get('/dashboard', visitor.cookie)).body).not.toContain('href="/p2p"')
  })

  it('P2P is there for who has CPC in the funding account, in the menu too, and no longer without it', async () => {
    const trader = await signUpAt(server.url)
    const coins = String(50n * 10n ** 8n)
    await sendCoins(trader.email)
    const move = (way: string) => postJson(server.url, `/users/balance/${way}`, { currency: 'CPC', amount: coins }, trader.token)
    expect(await get('/p2p', trader.cookie)).toMatchObject({ status: 302, location: '/dashboard' })
    expect((await move('transfer-from-spot-to-funding')).status).toBe(200)
    for (const path of TRADERS) {
      expect((await get(path, trader.cookie)).status).toBe(200)
      expect(await get(path)).toMatchObject({ status: 302, location: '/sign-in' })
    }
    expect((await get('/dashboard', trader.cookie)).body).toContain('href="/p2p"')
    expect((await get('/p2p/orders/7', trader.cookie)).status).toBe(404)
    expect((await move('transfer-from-funding-to-spot')).status).toBe(200)
    expect(await get('/p2p', trader.cookie)).toMatchObject({ status: 302, location: '/dashboard' })
  })

  it('says the charset of a page in its header', async () => {
    for (const path of ['/sign-in', '/welcome', '/nothing-here'])
      expect((await get(path)).headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('leads from the sign-in back to the marketing site, by default our own page without a script', async () => {
    expect(await (await fetch(`${server.url}/sign-in`)).text()).toMatch(/<a[^>]* href="\/welcome"/)
    const welcome = await fetch(`${server.url}/welcome`)
    expect(welcome.status).toBe(200)
    expect(await welcome.text()).not.toContain('<script')
  })

  it.each(PUBLIC_ONLY)('%s is for those who are signed out', async (path) => {
    expect((await get(path)).status).toBe(200)
    expect(await get(path, visitor.cookie)).toMatchObject({ status: 302, location: '/dashboard' })
  })

  it.each(PRIVATE)('%s is for those who are signed in', async (path) => {
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 302, location: '/sign-in' })
    expect(answer.body).not.toContain('<main')
    expect((await get(path, visitor.cookie)).status).toBe(200)
  })

  it('/withdraw-confirm is for everybody, and without a link of ours it is a bad request', async () => {
    for (const cookie of [undefined, visitor.cookie]) expect((await get('/withdraw-confirm?token=x', cookie)).status).toBe(400)
  })

  it('/mails-off is for everybody, asks before it does anything, and refuses a forged link', async () => {
    for (const cookie of [undefined, visitor.cookie]) {
      const asks = await get('/mails-off?token=x', cookie)
      expect(asks.status).toBe(200)
      expect(asks.body).toContain('Stop this mail?')
      expect((await get('/mails-off', cookie)).status).toBe(400)
    }
    const forged = await fetch(`${server.url}/mails-off`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
      body: 'token=x'
    })
    expect(forged.status).toBe(400)
    expect(await forged.text()).toContain('This link is not valid.')
  })

  it('/not-me is for everybody, and without a whole token it is a bad request', async () => {
    for (const cookie of [undefined, visitor.cookie]) {
      expect((await get('/not-me?token=x', cookie)).status).toBe(200)
      expect((await get('/not-me', cookie)).status).toBe(400)
    }
  })

  it.each(OPEN)('%s is for everybody', async (path) => {
    expect((await get(path)).status).toBe(200)
    expect((await get(path, visitor.cookie)).status).toBe(200)
  })

  it('/ leads to the dashboard or to sign in', async () => {
    expect(await get('/')).toMatchObject({ status: 302, location: '/sign-in' })
    expect(await get('/', visitor.cookie)).toMatchObject({ status: 302, location: '/dashboard' })
  })

  it.each([
    '/package-detail/XYZ',
    '/package-detail/9999/preview',
    '/legal/nothing',
    '/nothing',
    '/package-detail/CPC/other',
    '/statement/NOTHING',
    '/qr/other.svg'
  ])('%s is not found', async (path) => {
    const answer = await get(path, visitor.cookie)
    expect(answer.status).toBe(404)
    expect(answer.body).toContain('This page does not exist')
  })
})

describe('a form', () => {
  it('of more than a page could send is not read', async () => {
    const customer = await signUpAt(server.url)
    await postJson(server.url, '/users/signin', { email: customer.email, password: 'correct horse battery' })
    const token = await disavowTokenFor(customer.email)
    const send = (padding: number) =>
      fetch(`${server.url}/not-me`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
        body: `token=${token}&padding=${'x'.repeat(padding)}`
      })
    expect((await send(70_000)).status).toBe(413)
    expect((await get('/dashboard', customer.cookie)).status).toBe(200)
    expect((await send(1000)).status).toBe(200)
    expect((await get('/dashboard', customer.cookie)).status).toBe(302)
  })
})

describe('the guard decides on the route, not on the text', () => {
  const SPELLINGS = [
    '//dashboard',
    '///dashboard',
    '/%64ashboard',
    '/dashboard?x',
    '/dashboard?next=/sign-up',
    '/./dashboard',
    '/sign-in/../dashboard',
    '/%2e/dashboard',
    '/dashboard#x'
  ]
  it.each(SPELLINGS)('%s is as closed as /dashboard', async (path) => {
    const answer = await get(path)
    expect(answer.body).not.toContain('Portfolio')
    expect([302, 404]).toContain(answer.status)
    if (answer.status === 302) expect(answer.location).toBe('/sign-in')
  })

  it.each(['/dashboard/', '//dashboard/', '/dashboard//', '/dashboard/?x'])('%s is sent to the canonical path', async (path) => {
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 308, location: path.includes('?') ? '/dashboard?x' : '/dashboard' })
  })

  it('/DASHBOARD is another address, with nothing there', async () => {
    expect((await get('/DASHBOARD')).status).toBe(404)
    expect((await get('/DASHBOARD', visitor.cookie)).status).toBe(404)
  })

  it.each(['//evil.example/', '/\\evil.example/', '/%5cevil.example/', '//evil.example/%2f..', 'http://evil.example/dashboard/'])(
    '%s leads to no other host',
    async (path) => {
      const { location } = await get(path)
      if (location !== undefined) expect(new URL(location, server.url).host).toBe(new URL(server.url).host)
    }
  )

  it.each([
    '/dashboard%00',
    '/%',
    '/%ff',
    '/dashboard%2f',
    `/${'a'.repeat(8000)}`,
    '/_astro/../../package.json',
    '/..%2f..%2fpackage.json',
    '/.env',
    '/server.ts'
  ])('%s breaks nothing and shows nothing', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).not.toContain('"dependencies"')
    expect(answer.body).not.toContain('Portfolio')
  })
})

describe('a cookie', () => {
  it.each(['session=forged', 'session=', `session=${'x'.repeat(4000)}`, 'session=%00', '__Host-session=x'])(
    '%s opens nothing',
    async (cookie) => {
      expect(await get('/dashboard', cookie)).toMatchObject({ status: 302, location: '/sign-in' })
    }
  )

  it('of an expired session opens nothing', async () => {
    const other = await signUpAt(server.url)
    expect((await get('/dashboard', other.cookie)).status).toBe(200)
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)`,
      [other.email]
    )
    await client.end()
    expect(await get('/dashboard', other.cookie)).toMatchObject({ status: 302, location: '/sign-in' })
  })

  it('of a session that was signed out opens nothing', async () => {
    const other = await signUpAt(server.url)
    const out = await fetch(`${server.url}/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: other.cookie, origin: server.url }
    })
    expect(out.status).toBe(303)
    expect(out.headers.get('set-cookie')).toContain('session=')
    expect(await get('/dashboard', other.cookie)).toMatchObject({ status: 302, location: '/sign-in' })
  })

  it('is not ended by another site', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const foreign = await fetch(`${server.url}/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...form, cookie: visitor.cookie, origin: 'https://evil.example' }
    })
    expect(foreign.status).toBe(403)
    expect((await get('/dashboard', visitor.cookie)).status).toBe(200)
  })
})

describe('what a client sends', () => {
  it.each(['.', '..', '', '%00', 'RF18539007547034', '../combo', 'x'.repeat(500)])(
    'as an order in the address ("%s") breaks no page',
    async (order) => {
      for (const path of ['/package-history?order=', '/package-detail/82/preview?order=']) {
        const answer = await get(`${path}${order}`, visitor.cookie)
        expect(answer.status).toBe(200)
        expect(answer.body).toContain('</html>')
      }
    }
  )

  it('with another method is answered 405, and the page for failures is no address', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await fetch(`${server.url}/sign-in`, { method })).status).toBe(405)
    expect((await get('/500')).status).toBe(404)
    const odd = await fetch(`${server.url}/sandbox`, {
      method: 'POST',
      body: '{}',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', origin: server.url }
    })
    expect(odd.status).toBe(303)
  })
})

describe('every answer of the API', () => {
  it('carries a request id and is never cached', async () => {
    const { headers } = await get('/v1/token/supported-tokens')
    expect(headers).toMatchObject({ 'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/), 'cache-control': 'no-store' })
  })
})

describe('every page', () => {
  it.each(['/sign-in', '/dashboard', '/legal/terms-of-service', '/nothing'])(
    '%s has the security headers and is never cached',
    async (path) => {
      const { headers } = await get(path, path === '/dashboard' ? visitor.cookie : undefined)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cache-control': 'private, no-store'
      })
      const csp = String(headers['content-security-policy'])
      expect(csp).toContain("frame-ancestors 'none'")
      expect(csp).toContain("default-src 'self'")
      expect(csp).not.toContain('unsafe-')
    }
  )

  it.each([
    ['cross-site', 'same-origin'],
    ['same-site', 'same-origin'],
    [undefined, 'same-origin'],
    ['none', null],
    ['same-origin', null]
  ])('a page asked for with Sec-Fetch-Site %s is cut off from its opener: %s', async (site, policy) => {
    const { headers } = await fetch(`${server.url}/sign-in`, { headers: site ? { 'sec-fetch-site': site } : {} })
    expect(headers.get('cross-origin-opener-policy')).toBe(policy)
  })

  it('has the real figures in its first HTML', async () => {
    const { body } = await get('/dashboard', visitor.cookie)
    expect(body).toContain('Good day')
    expect(body).toContain('Total money you have (USD)')
    expect(body).toMatch(/\$97,000\.00/)
  })

  it('is compressed on the wire, and assets are immutable', async () => {
    const page = await fetch(`${server.url}/sign-in`, { headers: { 'accept-encoding': 'br' } })
    expect(page.headers.get('content-encoding')).toBe('br')
    const asset = /\/_astro\/[\w.-]+\.js/.exec(await page.text())?.[0]
    const script = await fetch(`${server.url}${asset}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })
})
