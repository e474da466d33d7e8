import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'
import { enterPromoCode, signUpTrader, tokenOf } from '#support/trading.ts'

const SIGNED_OUT = [
  '/sign-in',
  '/sign-up',
  '/sign-up-verify',
  '/verify',
  '/sandbox',
  '/sandbox/news',
  '/help',
  '/help?q=payment',
  '/help/payment-does-not-fit',
  '/help/contact',
  '/legal/terms-of-service',
  '/legal/custody-policy',
  '/legal/privacy-policy',
  '/legal/crypto-asset-terms',
  '/legal/custody-terms',
  '/legal/staking-program-terms'
]
const SIGNED_IN = [
  '/dashboard',
  '/buy-package',
  '/buy-package/bonus',
  '/package-detail/CPC',
  '/package-detail/PTC',
  '/package-detail/PTC?amount=1000&staking=24&plan=1',
  '/package-history',
  '/coming-soon',
  '/sign-in-with-otp',
  '/sign-in-with-password',
  '/token-list',
  '/statement/CPC?account=spot',
  '/token/CPC',
  '/token/PTC',
  '/activity',
  '/activity?search=nothing-of-this-kind',
  '/notices',
  '/package-history?tab=deposit',
  '/package-history?tab=withdrawal',
  '/withdraw/CPC',
  '/withdraw-history',
  '/limits',
  '/deposit/BTC',
  '/deposit/CPC',
  '/token-list?all',
  '/profile',
  '/profile#security',
  '/profile#identity',
  '/profile#documents',
  '/profile#settings',
  '/referral',
  '/referral?tab=invitee',
  '/staking',
  '/rewards',
  '/news',
  '/news/how-statements-work',
  '/euro',
  '/euro-list',
  '/euro-withdraw',
  '/euro-history',
  '/confirm-euro',
  '/p2p',
  '/p2p?tab=ongoing',
  '/p2p?tab=history',
  '/not-me?token=x',
  '/mails-off?token=x',
  '/package-detail/83/preview'
]

/** Pages that are tested elsewhere, e.g. because they need a token from a mail. */
const ELSEWHERE = [
  '/404',
  '/500',
  '/news-preview/[token]',
  '/sandbox/identity/[token]',
  '/signed-in',
  '/verify/[...code]',
  '/welcome',
  '/withdraw-confirm'
]

/** The main dialogs: title, page, and how to open it. The dialogs of a purchase and of logging out have their own tests below. */
const DIALOGS: [title: string, path: string, open: (page: Page) => Promise<unknown>][] = [
  ['Name and phone', '/profile', (page) => page.getByRole('button', { name: 'Edit Name' }).click()],
  ['Change email', '/profile', (page) => page.getByRole('button', { name: 'Change email' }).click()],
  [
    'Add an authenticator app',
    '/profile#security',
    (page) => page.getByRole('button', { name: 'Add an authenticator app' }).click()
  ],
  ['Add a passkey', '/profile#security', (page) => page.getByRole('button', { name: 'Add a passkey' }).click()],
  // The link on the token's page opens the wallet's dialog at both widths.
  ['Transfer CPC', '/token/CPC', (page) => page.getByRole('link', { name: 'Transfer', exact: true }).first().click()],
  ['Sell CPC', '/p2p', (page) => page.getByRole('button', { name: 'Sell', exact: true }).click()],
  ['General Terms & Conditions', '/euro', (page) => page.getByRole('link', { name: 'General Terms & Conditions' }).click()],
  ['Bank details', '/euro', (page) => page.getByRole('button', { name: 'Bank details' }).click()],
  [
    'Deposit details',
    '/euro-list',
    (page) => page.getByRole('row', { name: /LT12/ }).getByRole('button', { name: 'Deposit/Details' }).click()
  ],
  ['Search', '/dashboard', (page) => page.keyboard.press('Control+k')]
]

const UNAVAILABLE = {
  statusCode: 503,
  code: 'unavailable',
  message: 'The service is unavailable at the moment. Please try again.'
}

/** A part has a minute. */
const PARTS = [0, 1, 2, 3, 4, 5]
/** Pages that lead on by themselves where nothing was filled in before. */
const LEADS_ON: Record<string, string> = { '/confirm-euro': '**/euro-withdraw' }
const IN_BOTH = { inBothThemes: true }

async function openLogOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('dialog', { name: 'Are you sure that you want to log out?' })).toBeVisible()
}

/** The spacing of WCAG 1.4.12. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`

/** Opens what is folded, and puts twelve digits where an amount stands. */
function fillUp(): void {
  for (const details of document.querySelectorAll('details')) details.open = true
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isAmount = node.parentElement?.closest('.eye') && !node.parentElement.closest('svg, title, script')
    if (isAmount && node.textContent) node.textContent = node.textContent.replace(/\d[\d,]*(\.\d{2,})?/, '123,456,789,012$1')
  }
}

/** As it is, and where there is room for it: filled up, at 320 px, with more space in the text, and with text twice as large. */
async function expectNoSidewaysScrolling(page: Page, { isWhole = true } = {}): Promise<void> {
  const widest = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return ''
      const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5)
      const scrolls = (one: Element) => one.closest('[class*=overflow-x], .tiles, .behind-table, .tabs, .wallet-narrow') !== null
      const named = wide
        .filter((one) => !scrolls(one))
        .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''}`)
      return `${scrollWidth - clientWidth} px too wide: ${named.slice(-4).join(' | ')}`
    })
  const path = new URL(page.url()).pathname
  expect.soft(await widest(), path).toBe('')
  const size = page.viewportSize()
  // The sandbox's own pages are for those who try the product, at a desk.
  if (!isWhole || path.startsWith('/sandbox') || !size || size.width > 500) return
  await page.evaluate(fillUp)
  expect.soft(await widest(), `${path}, filled up`).toBe('')
  await page.setViewportSize({ width: 320, height: size.height })
  expect.soft(await widest(), `${path}, filled up, 320 px`).toBe('')
  await page.setViewportSize(size)
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }, SPACED)
  expect.soft(await widest(), `${path}, filled up, with the text spacing`).toBe('')
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
    document.documentElement.style.setProperty('font-size', '200%')
  })
  expect.soft(await widest(), `${path}, filled up, text at 200 %`).toBe('')
  // The next address may be another part of the same document.
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
}

test('every page of the build is opened here, or by the journeys of its feature', () => {
  const routes: { pattern: string; type: string }[] = JSON.parse(readFileSync('dist/server/routes.json', 'utf8'))
  const opened = [...SIGNED_OUT, ...SIGNED_IN].map((path) => path.replace(/[?#].*/, ''))
  const isOpened = (pattern: string) => {
    const shape = new RegExp(`^${pattern.replaceAll(/\[[^\]]+\]/g, '[^/]+')}$`)
    return opened.some((path) => shape.test(path))
  }
  // Routes that begin with `/_` belong to the framework; the server answers 404 for them.
  const left = routes.filter(({ type, pattern }) => type === 'page' && !/^\/(_.*)?$/.test(pattern) && !isOpened(pattern))
  expect(left.map(({ pattern }) => pattern).sort()).toEqual(ELSEWHERE)
})

for (const part of PARTS.slice(0, 2))
  test(`the main dialogs fit the screen, are accessible, and close, part ${part + 1}`, async ({ journey }) => {
    const { page } = journey
    await signUpTrader(journey, { dollars: 0n })
    for (const [title, path, open] of DIALOGS.filter((_, index) => index % 2 === part)) {
      await page.goto(path)
      await journey.hydrated()
      await open(page)
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toBeVisible()
      await journey.expectAccessible(IN_BOTH)
      await expectNoSidewaysScrolling(page, { isWhole: false })
      const { width = 0 } = page.viewportSize() ?? {}
      const box = await dialog.boundingBox()
      expect(box?.x ?? -1, title).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0), title).toBeLessThanOrEqual(width)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  })

test('every page for everybody is accessible, in order and without errors', async ({ journey }) => {
  for (const path of SIGNED_OUT) {
    await journey.page.goto(path)
    await journey.hydrated()
    await journey.expectAccessible(IN_BOTH)
    await expectNoSidewaysScrolling(journey.page)
  }
})

// In parts: each has a minute.
for (const part of PARTS)
  test(`every page of a customer is accessible, in order and without errors, part ${part + 1}`, async ({ journey }) => {
    await signUpTrader(journey, { dollars: 0n })
    await enterPromoCode(journey, await tokenOf(journey))
    for (const path of SIGNED_IN.filter((_, index) => index % PARTS.length === part)) {
      await journey.page.goto(path)
      await journey.page.waitForURL(LEADS_ON[path] ?? '**')
      await journey.hydrated()
      await journey.expectAccessible(IN_BOTH)
      await expectNoSidewaysScrolling(journey.page)
    }
  })

test('the states of signing in are accessible too: wrong, waiting, expired', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 40[01]/)
  const email = await journey.signUp()
  // A page without scripts of its own, which would follow the end of the session by going somewhere.
  await page.goto('/readyz')
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Why OTP?' }).click()
  await journey.expectAccessible(IN_BOTH)
  await page.keyboard.press('Escape')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('OTP has been sent to your email.')).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
  const wrong = (await journey.codeFor(email)) === '000000' ? '000001' : '000000'
  await page.getByLabel('OTP', { exact: true }).fill(wrong)
  await expect(page.getByText('OTP invalid or expired.')).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
})

test('the states of a customer are accessible too: dialogs, errors, a filled history, not found', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of (404|503)/)
  await journey.signUp()
  await openLogOut(page)
  await journey.expectAccessible(IN_BOTH)
  await page.keyboard.press('Escape')
  await page.route('**/v1/orders/combo', (route) => route.fulfill({ status: 503, json: UNAVAILABLE }))
  await page.goto('/package-detail/82/preview?token=PTC&staking=12')
  await expect(page.getByText('We could not create your order')).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
  await page.unroute('**/v1/orders/combo')
  const orderId = await journey.openPreview(12)
  await journey.expectAccessible(IN_BOTH)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('link', { name: 'Read the Custody Terms' }).click()
  // While it slides in, its text is half transparent.
  await expect(page.getByRole('dialog', { name: 'Custody Terms' })).toHaveCSS('opacity', '1')
  await journey.expectAccessible(IN_BOTH)
  await page.keyboard.press('Escape')
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Payment Confirmed' }).waitFor()
  await journey.expectAccessible(IN_BOTH)
  await page.getByRole('button', { name: 'Payment Confirmed' }).click()
  await expect(page.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
  await journey.pay(orderId, 'Payment arrives')
  await page.goto(`/package-history?order=${orderId}`)
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toBeVisible()
  await journey.expectAccessible(IN_BOTH)
  await page.getByRole('button', { name: 'Close' }).click()
  await journey.expectAccessible(IN_BOTH)
  for (const path of ['/sandbox', '/nothing', '/package-detail/1/preview']) {
    await page.goto(path)
    await journey.expectAccessible(IN_BOTH)
  }
})

test('pages are readable and their links work before any script runs', { tag: '@desktop' }, async ({ journey, browser }) => {
  await journey.signUp()
  const state = await journey.page.context().storageState()
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: state, baseURL: journey.baseUrl })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good day, Ada Lovelace')
  await expect(page.getByText('$97,000.00').filter({ visible: true })).toHaveCount(1)
  await page.goto('/package-detail/PTC')
  await page.getByLabel('$50,000').check()
  await page.getByLabel('Staking 24 Months').check()
  await expect(page.locator('.deal-result').getByText('55,555,555.555').filter({ visible: true })).toHaveCount(1)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByText('24 Months, 18% a year')).toBeVisible()
  await context.close()
})

test('what is typed before the scripts arrive is kept', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/_astro/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/sign-in', { waitUntil: 'commit' })
  const email = `early-${crypto.randomUUID()}@example.com`
  await page.getByLabel('Email').fill(email)
  release()
  await journey.hydrated()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
})

test('what is typed while a notice is still loading is kept', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await page.route('**/toasts*.css', async (route) => {
    await new Promise((late) => setTimeout(late, 1000))
    await route.continue()
  })
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Phone number').fill('+43 660 1234567')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/sign-up-verify')
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  await page.keyboard.type('12345', { delay: 60 })
  await expect(page.getByText('Account created successfully')).toBeVisible()
  await expect(code).toHaveValue('12345')
})

test('a dialog that is closed before the scripts arrive stays closed', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/_astro/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/package-history?order=${orderId}`, { waitUntil: 'commit' })
  const dialog = page.getByRole('dialog', { name: 'Purchase Details' })
  await expect(dialog).toContainText('Pending')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  release()
  await page.waitForURL((url) => !url.searchParams.has('order'))
  await expect(dialog).toBeHidden()
})

test('the side menu collapses and stays so; on a phone it opens and closes', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const label = page.getByRole('navigation', { name: 'Main' }).getByText('Project')
  if ((page.viewportSize()?.width ?? 0) < 1024) {
    await expect(label).toBeHidden()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(label).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(label).toBeHidden()
    return
  }
  await expect(label).toBeVisible()
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await expect(label).toBeHidden()
  await page.goto('/buy-package')
  await expect(label).toBeHidden()
})
