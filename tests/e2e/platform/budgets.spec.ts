/** The allowed weight of a page: everything it requests before a tap. The reasons are in docs/performance.md. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'
import { enterPromoCode, signUpTrader, tokenOf } from '#support/trading.ts'
import { HTML_BUDGET, weighHtml } from '#support/weight.ts'

const KB = 1000
type Budget = { path: string; scriptBytes: number; cssBrotli?: number }

const REACT_PAGE = 103 * KB
/** Scripts of a page without islands: session, menu and logout. */
const SHELL_ALONE = 10 * KB
const budgets: { signedOut: Budget[]; signedIn: Budget[] } = {
  signedOut: [
    { path: '/sign-in', scriptBytes: 81 * KB },
    { path: '/sign-up', scriptBytes: 81 * KB },
    { path: '/sign-up-verify', scriptBytes: 81 * KB },
    { path: '/legal/terms-of-service', scriptBytes: 0 },
    { path: '/verify', scriptBytes: 0 },
    { path: '/help', scriptBytes: 0 },
    { path: '/help/payment-does-not-fit', scriptBytes: 0 },
    { path: '/sandbox/news', scriptBytes: 0 },
    { path: '/sandbox', scriptBytes: 0 },
    { path: '/nothing', scriptBytes: 0 }
  ],
  signedIn: [
    { path: '/dashboard', scriptBytes: 90 * KB, cssBrotli: 14 * KB },
    { path: '/buy-package', scriptBytes: SHELL_ALONE },
    { path: '/buy-package/bonus', scriptBytes: SHELL_ALONE },
    { path: '/package-detail/CPC', scriptBytes: SHELL_ALONE },
    { path: '/package-detail/PTC', scriptBytes: SHELL_ALONE },
    { path: '/package-detail/PTC?amount=1000&staking=24&plan=1', scriptBytes: SHELL_ALONE },
    { path: '/package-detail/83/preview', scriptBytes: REACT_PAGE },
    { path: '/package-detail/146/preview', scriptBytes: REACT_PAGE },
    { path: '/package-history', scriptBytes: REACT_PAGE },
    { path: '/withdraw/CPC', scriptBytes: REACT_PAGE },
    { path: '/withdraw-history', scriptBytes: REACT_PAGE },
    { path: '/limits', scriptBytes: SHELL_ALONE },
    { path: '/coming-soon', scriptBytes: SHELL_ALONE },
    { path: '/sign-in-with-otp', scriptBytes: SHELL_ALONE },
    { path: '/sign-in-with-password', scriptBytes: 85 * KB },
    { path: '/token-list', scriptBytes: REACT_PAGE },
    { path: '/statement/PTC', scriptBytes: SHELL_ALONE },
    { path: '/token/PTC', scriptBytes: SHELL_ALONE },
    { path: '/activity', scriptBytes: SHELL_ALONE },
    { path: '/notices', scriptBytes: SHELL_ALONE },
    { path: '/token-list?all', scriptBytes: REACT_PAGE },
    { path: '/profile', scriptBytes: REACT_PAGE },
    { path: '/referral', scriptBytes: REACT_PAGE },
    { path: '/staking', scriptBytes: SHELL_ALONE },
    { path: '/rewards', scriptBytes: SHELL_ALONE },
    { path: '/news', scriptBytes: SHELL_ALONE },
    { path: '/news/how-statements-work', scriptBytes: SHELL_ALONE },
    { path: '/euro', scriptBytes: SHELL_ALONE },
    { path: '/euro-list', scriptBytes: REACT_PAGE },
    { path: '/euro-withdraw', scriptBytes: REACT_PAGE },
    { path: '/euro-history', scriptBytes: REACT_PAGE },
    { path: '/p2p', scriptBytes: REACT_PAGE, cssBrotli: 14 * KB },
    { path: '/p2p?tab=history', scriptBytes: REACT_PAGE, cssBrotli: 14 * KB },
    { path: '/not-me?token=x', scriptBytes: 0 }
  ]
}

// Every viewport gets the same bytes, so one is enough.
test.skip(({ viewport }) => viewport?.width !== 390)

type Weight = { scripts: number; html: number; htmlBrotli: number; cssBrotli: number }

async function weigh(page: Page, path: string): Promise<Weight> {
  // By URL: a script that was fetched early comes from the browser's cache when it runs.
  const bodies = new Map<string, Promise<{ type: string; body: Buffer }>>()
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (/javascript|css|html/.test(type) && response.status() !== 304)
      bodies.set(
        response.url(),
        response.body().then((body) => ({ type, body }))
      )
  })
  await page.goto(path)
  // Weigh everything that the page requests by itself, visible or not. /p2p never becomes idle: its stream stays open.
  if (path === '/p2p') await expect(page.getByText('Live', { exact: true })).toBeVisible()
  else await page.waitForLoadState('networkidle')
  page.removeAllListeners('response')
  const loaded = await Promise.all(bodies.values())
  const sum = (type: RegExp, size: (body: Buffer) => number) =>
    loaded.filter((file) => type.test(file.type)).reduce((total, { body }) => total + size(body), 0)
  return {
    scripts: sum(/javascript/, (body) => gzipSync(body, { level: 9 }).length),
    html: sum(/html/, (body) => weighHtml(body.toString()).html),
    htmlBrotli: sum(/html/, (body) => weighHtml(body.toString()).htmlBrotli),
    cssBrotli:
      sum(/css/, (body) => brotliCompressSync(body).length) +
      sum(/html/, (body) => brotliCompressSync(weighHtml(body.toString()).styles).length)
  }
}

function expectWithin({ path, scriptBytes, cssBrotli = 12 * KB }: Budget, weight: Weight): void {
  console.log(
    `${path}: scripts ${weight.scripts} B gzip, HTML ${weight.html} B (${weight.htmlBrotli} B brotli), CSS ${weight.cssBrotli} B brotli`
  )
  expect.soft(weight.scripts, `${path}: JavaScript, gzip`).toBeLessThanOrEqual(scriptBytes)
  expect.soft(weight.html, `${path}: HTML`).toBeLessThanOrEqual(HTML_BUDGET.html)
  expect.soft(weight.htmlBrotli, `${path}: HTML, brotli`).toBeLessThanOrEqual(HTML_BUDGET.htmlBrotli)
  expect.soft(weight.cssBrotli, `${path}: CSS, brotli`).toBeLessThanOrEqual(cssBrotli)
}

test('pages for everybody keep their weight', async ({ journey, browser }) => {
  journey.expectedErrors.push(/status of 404/)
  for (const budget of budgets.signedOut) {
    const context = await browser.newContext({ baseURL: journey.baseUrl })
    expectWithin(budget, await weigh(await context.newPage(), budget.path))
    await context.close()
  }
})

/** The pages of a customer are split into parts, so that each test ends in time on a slow machine too. */
const PARTS = 4
for (let part = 0; part < PARTS; part += 1) {
  test(`pages of a customer keep their weight, with a full history too (part ${part + 1})`, async ({ journey, browser }) => {
    await signUpTrader(journey, { dollars: 0n })
    const token = await tokenOf(journey)
    await enterPromoCode(journey, token)
    for (let comboConfigId = 82; comboConfigId < 93; comboConfigId += 1) {
      await journey.page.request.post('/v1/orders/combo', {
        headers: { authorization: `Bearer ${token}` },
        data: { comboConfigId, bankAccountId: 1 }
      })
    }
    const storageState = await journey.page.context().storageState()
    for (const budget of budgets.signedIn.filter((_, index) => index % PARTS === part)) {
      const context = await browser.newContext({ baseURL: journey.baseUrl, storageState })
      expectWithin(budget, await weigh(await context.newPage(), budget.path))
      await context.close()
    }
  })
}

test('what the first tap needs is fetched at once, no script waits for another', async ({ journey }) => {
  const { page } = journey
  const expectAskedAtOnce = async (path: string) => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const late = await page.evaluate(() => {
      const asked = [...document.querySelectorAll<HTMLElement>('link[rel=modulepreload], script[src]')].map((element) =>
        element instanceof HTMLScriptElement ? element.src : element instanceof HTMLLinkElement ? element.href : ''
      )
      // A lazy part's files are fetched together (`shortPreload`), before its code runs.
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      asked.push(...entries.filter(({ initiatorType }) => initiatorType === 'fetch').map(({ name }) => name))
      const loaded = entries.map(({ name }) => name)
      return loaded.filter((name) => name.endsWith('.js') && !asked.includes(name))
    })
    expect(late, path).toEqual([])
  }
  for (const path of ['/sign-in', '/sign-up', '/sign-up-verify']) await expectAskedAtOnce(path)
  await journey.signUp()
  for (const path of ['/buy-package', '/package-detail/PTC', '/package-detail/83/preview', '/token-list'])
    await expectAskedAtOnce(path)
})
