/** The frame of every page: the eye, the currency, the theme, the palette, the bell, the bar of a phone. */
import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024
const eye = (page: Page) => page.getByRole('button', { name: 'Hide balances' })

test('the eye hides every amount on every page, from the first byte, and moves nothing', async ({ journey, browser }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview(12)
  await journey.pay(orderId, 'Payment arrives')
  await page.goto('/dashboard')
  const total = page.getByRole('region', { name: 'Total money you have (USD)' }).locator('.eye').first()
  const before = await total.boundingBox()
  await eye(page).click()
  await expect(eye(page)).toHaveAttribute('aria-pressed', 'true')
  expect(await total.boundingBox()).toEqual(before)
  // Every text that looks like an amount of money or tokens; prices are public and stay visible.
  const visibleAmounts = (tab: Page) =>
    tab.evaluate(() => {
      const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement
        const words = text.nodeValue ?? ''
        const isPrice = parent?.closest('.dash-price, .dash-row th') != null || words === '$0.000900'
        const isAmount = /[$€]\d|\d\.\d{3}|\d [A-Z]{3,5}\b/.test(words.replace(/\d\d\.\d\d\.\d{4}(, \d\d:\d\d UTC)?/g, ''))
        if (isAmount && !isPrice && parent?.checkVisibility({ visibilityProperty: true })) found.push(words)
      }
      return found
    })
  for (const path of [
    '/dashboard',
    '/token-list?all',
    '/token/PTC',
    '/statement/PTC?account=staked',
    '/activity',
    '/referral',
    '/notices',
    '/package-history'
  ]) {
    await page.goto(path)
    expect.soft(await visibleAmounts(page), path).toEqual([])
  }
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    baseURL: journey.baseUrl
  })
  const tab = await plain.newPage()
  await tab.goto('/dashboard')
  expect(await tab.locator('html').getAttribute('data-private')).toBe('')
  await tab.getByRole('button', { name: 'Hide balances' }).click()
  expect(await tab.locator('html').getAttribute('data-private'), 'without scripts it is a form').toBeNull()
  await plain.close()
})

test('values are in the chosen currency everywhere, and say so', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await journey.pay(await journey.openPreview(12), 'Payment arrives')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'EUR', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Total money you have (EUR)' })).toContainText('€919.99')
  await expect(page.getByRole('heading', { name: 'Staking (EUR)' })).toBeVisible()
  await journey.hydrated()
  await expect(page.getByRole('region', { name: 'Total money you have (EUR)' })).toContainText('€919.99')
  await page.goto('/token-list')
  await expect(page.getByRole('region', { name: 'Total money you have (EUR)' })).toContainText('€919.99')
  await page.goto('/token/PTC')
  await expect(page.getByRole('region', { name: 'Total' }).getByText('€919.99').first()).toBeVisible()
  await page.goto('/package-detail/PTC')
  await expect(page.getByText('$1,000.00').filter({ visible: true }), 'packages keep their price').toHaveCount(1)
})

test('theme, time zone and currency are settings; what is chosen holds on the next page', { tag: '@phone' }, async ({
  journey
}) => {
  const { page } = journey
  await journey.signUp()
  await journey.openPreview()
  await page.goto('/profile#settings')
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByLabel('Theme').selectOption('Dark')
  await settings.getByLabel('Time zone').selectOption('Tokyo')
  // Settings save themselves.
  await expect(page.getByText('Saved').first()).toBeVisible()
  await expect(settings.getByRole('button', { name: 'Save', exact: true })).toBeHidden()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(settings.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
  await journey.expectAccessible()
  await page.goto('/package-history')
  const time = page.getByRole('table').locator('time')
  const utc = (await time.getAttribute('datetime')) ?? ''
  const tokyo = new Date(Date.parse(utc) + 9 * 3_600_000).toISOString()
  await expect(time).toHaveText(`${tokyo.slice(8, 10)}.${tokyo.slice(5, 7)}.${tokyo.slice(0, 4)}, ${tokyo.slice(11, 16)}`)
  await expect(time).toHaveAttribute('title', /UTC$/)
})

test('Ctrl K finds pages, tokens and orders by keyboard', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await page.goto('/dashboard')
  await journey.hydrated()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  const input = palette.getByRole('combobox', { name: 'Search' })
  await expect(input).toBeFocused()
  await page.keyboard.type('sol ana')
  await expect(palette.getByRole('option').first()).toContainText('SOL')
  await journey.expectAccessible()
  await input.fill(orderId.slice(0, 8))
  await expect(palette.getByRole('option')).toHaveCount(1)
  await input.fill('nothing like this')
  await expect(palette.getByText('No matches.')).toBeVisible()
  await input.fill('transaction')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/package-history')
  await page.keyboard.press('Control+k')
  await expect(input).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await page.getByRole('button', { name: /^Search/ }).click()
  await expect(palette).toBeVisible()
  // A verb opens the page where it is done, with what was typed filled in.
  await input.fill(`pay ${orderId.slice(0, 6)}`)
  await expect(palette.getByRole('option').first()).toContainText('Pay €956.80')
  await input.fill('withdraw btc 0.01')
  await expect(palette.getByRole('option').first()).toContainText('Withdraw 0.01 BTC')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/withdraw/BTC?amount=0.01')
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.01')
})

test('the bell counts what is new, and the page of notices sees it', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await journey.pay(orderId, '1 cent less')
  await page.goto('/sandbox')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^Notices: \d new$/ }).click()
  await expect(page.getByRole('link', { name: /We received €956\.79, but expected €956\.80/ })).toContainText('New')
  await journey.expectAccessible()
  // It stays new until it is opened, or all are marked.
  await page.reload()
  const received = page.getByRole('link', { name: /We received €956\.79/ })
  await expect(received).toContainText('New')
  await received.click()
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toBeVisible()
  await page.goto('/notices')
  await expect(received).not.toContainText('New')
  await expect(page.getByRole('link', { name: /We are waiting for|Your identity is verified/ }).first()).toContainText('New')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Notices', exact: true })).toBeVisible()
  await page.goto('/notices?new')
  await expect(page.getByText('You have read everything')).toBeVisible()
  await page.goto('/notices')
  await received.click()
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toContainText('The payment is less than the order costs.')
})

test('a phone has a bar at its foot, nothing pressable is under 44 px, and dialogs come from below', async ({ journey }) => {
  const { page } = journey
  test.skip(!isPhone(page), 'a phone only')
  await journey.signUp()
  await journey.pay(await journey.openPreview(12), 'Payment arrives')
  const bar = page.getByRole('navigation', { name: 'Most used' })
  for (const [name, path] of [
    ['Wallet', '/token-list'],
    ['Buy', '/buy-package'],
    ['Activity', '/activity'],
    ['Profile', '/profile'],
    ['Home', '/dashboard']
  ] as const) {
    await bar.getByRole('link', { name }).click()
    await page.waitForURL(`**${path}`)
    await expect(bar.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
  for (const path of [
    '/dashboard',
    '/token-list',
    '/token/PTC',
    '/activity',
    '/package-detail/PTC',
    '/staking',
    '/rewards',
    '/news',
    '/euro',
    '/euro-list',
    '/euro-withdraw',
    '/euro-history',
    '/help',
    '/notices',
    '/profile',
    '/package-history'
  ]) {
    await page.goto(path)
    await journey.hydrated()
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('a, button, select, input:not([type=hidden], .check), summary')]
        .filter(
          (one) =>
            one.checkVisibility({ visibilityProperty: true }) &&
            // The whole news card is the target of a press.
            !one.closest('p, dd, .sr-only, aside.bg-gold-tint, .news-card') &&
            !one.matches('.sr-only, [class*="sr-only"]')
        )
        .filter((one) => getComputedStyle(one).pointerEvents !== 'none' && one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML.slice(0, 120))
    )
    expect(small, path).toEqual([])
  }
  await page.goto('/package-history')
  await journey.hydrated()
  await page.getByRole('link', { name: /^View order/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Purchase Details' })
  await expect
    .poll(async () => Math.round(((await sheet.boundingBox())?.y ?? 0) + ((await sheet.boundingBox())?.height ?? 0)))
    .toBe(844)
})

test('the menu is whole at 900 px under the banner', async ({ journey }) => {
  const { page } = journey
  test.skip(isPhone(page), 'a wide screen only')
  await journey.signUp()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Collapse menu' })).toBeInViewport({ ratio: 1 })
})

test('offline says that nothing was moved', { tag: '@phone' }, async ({ journey, context }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/19/preview?token=CPC')
  await page.waitForURL(/order=RF/)
  await journey.pay(new URL(page.url()).searchParams.get('order') ?? '', 'Payment arrives')
  await page.goto('/token-list?move=CPC')
  const dialog = page.getByRole('dialog', { name: 'Transfer CPC' })
  await dialog.getByLabel('Amount').fill('5')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(dialog.getByText('You’re offline. Nothing was changed.')).toBeVisible()
  await expect(dialog.getByLabel('Amount')).toHaveValue('5')
  await context.setOffline(false)
})

test('a foreign page that opens ours holds no window of it, on the next page neither', { tag: '@desktop' }, async ({
  journey,
  browser
}) => {
  const context = await browser.newContext()
  const foreign = await context.newPage()
  const opened = context.waitForEvent('page')
  await foreign.evaluate((url) => {
    Reflect.set(window, 'held', window.open(url))
  }, `${journey.baseUrl}/sign-in`)
  const ours = await opened
  await ours.getByRole('link', { name: 'Create an account' }).click()
  await ours.waitForURL('**/sign-up')
  expect(await ours.evaluate(() => window.opener)).toBeNull()
  expect(await foreign.evaluate(() => Reflect.get(window, 'held').closed)).toBe(true)
  await context.close()
})
