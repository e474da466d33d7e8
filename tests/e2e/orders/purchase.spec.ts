import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

async function orderCount(page: Page): Promise<number> {
  await page.goto('/package-history')
  return page.getByRole('link', { name: /^View order/ }).count()
}

test('a reload and a way back in the middle show the same order', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/PTC')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.waitForURL(/order=RF/)
  const orderId = new URL(page.url()).searchParams.get('order')
  await page.reload()
  expect(new URL(page.url()).searchParams.get('order')).toBe(orderId)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Buy PTC' })).toBeVisible()
  await page.goForward()
  await page.waitForURL(new RegExp(`order=${orderId}`))
  await journey.toPayment()
  let confirmations = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') confirmations += 1
  })
  await page.getByRole('button', { name: 'Payment Confirmed' }).dblclick()
  await page.getByRole('dialog').getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  expect(confirmations).toBe(1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'We are waiting for €956.80' })).toBeVisible()
  expect(await orderCount(page)).toBe(1)
})

test('two tabs with the same preview share one order, and one confirmation', { tag: '@desktop' }, async ({
  journey,
  context
}) => {
  const { page } = journey
  await journey.signUp()
  const second = await context.newPage()
  await Promise.all([page, second].map((tab) => tab.goto('/package-detail/82/preview?token=PTC&staking=0')))
  await Promise.all([page, second].map((tab) => tab.waitForURL(/order=RF/)))
  expect(new URL(page.url()).search).toBe(new URL(second.url()).search)
  await Promise.all([page, second].map((tab) => journey.toPayment(tab)))
  await Promise.all([page, second].map((tab) => tab.getByRole('button', { name: 'Payment Confirmed' }).click()))
  await Promise.all([page, second].map((tab) => expect(tab.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()))
  expect(await orderCount(page)).toBe(1)
})

test('a lost answer is asked again by itself and leaves one order', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/ERR_FAILED|ERR_CONNECTION/)
  await journey.signUp()
  let lost = 0
  await page.route('**/v1/orders/combo', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  await page.goto('/package-detail/82/preview?token=PTC&staking=0')
  await expect(page.getByText('We have not heard yet whether this went through')).toBeVisible()
  await page.waitForURL(/order=RF/)
  expect(await orderCount(page)).toBe(1)
})

test('a session that ends in the middle of a purchase leads to sign in and loses nothing', { tag: '@desktop' }, async ({
  journey
}) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 401/)
  const email = await journey.signUp()
  await journey.openPreview()
  await journey.toPayment()
  await journey.letTimePass(email, 'sessions')
  await page.getByRole('button', { name: 'Payment Confirmed' }).click()
  await page.waitForURL('**/sign-in')
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
  await page.getByLabel('OTP', { exact: true }).fill(await journey.codeFor(email))
  await page.waitForURL('**/dashboard')
  await page.goto('/package-history')
  await expect(page.getByText('Pending')).toBeVisible()
})

/** Rewrites the stored access token to expire in a minute; the server refuses it, as its signature no longer fits. */
async function shortenToken(page: Page): Promise<string> {
  return page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('auth-storage') ?? '{}')
    const [header, payload, signature] = stored.token.split('.')
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const shorter = btoa(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 })).replaceAll('=', '')
    stored.token = [header, shorter, signature].join('.')
    localStorage.setItem('auth-storage', JSON.stringify(stored))
    return stored.token
  })
}

test('an expired access token is refreshed once, without anybody noticing', { tag: '@phone' }, async ({ journey, context }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 401/)
  await journey.signUp()
  await journey.openPreview()
  let refreshes = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/refresh-token')) refreshes += 1
  })
  await journey.toPayment()
  await page.route('**/purchase', async (route) => {
    if (refreshes > 0) return route.continue()
    return route.fulfill({ status: 401, json: { statusCode: 401, code: 'unauthorized', message: 'Please sign in again.' } })
  })
  await page.getByRole('button', { name: 'Payment Confirmed' }).click()
  await expect(page.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()
  expect(refreshes).toBe(1)
})

test('two tabs whose token is about to expire refresh it once', { tag: '@desktop' }, async ({ journey, context }) => {
  const { page } = journey
  await journey.signUp()
  const second = await context.newPage()
  let refreshes = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/refresh-token')) refreshes += 1
  })
  // A page without scripts: the dashboard may still be starting, would refresh the token itself, and lose the answer when it is left.
  await page.goto('/robots.txt')
  const shortened = await shortenToken(page)
  await Promise.all([page.goto('/dashboard'), second.goto('/buy-package')])
  const tokenNow = () => second.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? '{}').token)
  await expect.poll(tokenNow).not.toBe(shortened)
  await Promise.all([page, second].map((tab) => journey.hydrated(tab)))
  expect(refreshes).toBe(1)
})

test('figures are read again when the page was left for a minute', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Portfolio' })).toBeVisible()
  await journey.hydrated()
  const asked = page.waitForRequest('**/v1/users/balance')
  await journey.comeBackAfterAMinute()
  await asked
})

test('a notice is readable even where the code that shows it cannot be loaded', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/ERR_FAILED|Failed to load resource/)
  await page.route('**/_astro/Toasts*', (route) => route.abort())
  await page.route('**/otp/request', (route) => route.abort())
  await page.goto('/sign-in')
  // Before hydration, Next would submit the plain form.
  await journey.hydrated()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Failed to request OTP. Please try again.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
})

test('a tap works later where the first could not load its code', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/ERR_FAILED|Failed to load resource/)
  let isOffline = true
  await page.route('**/_astro/http*', (route) => (isOffline ? route.abort() : route.continue()))
  await page.goto('/sign-in')
  await journey.hydrated()
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Failed to request OTP. Please try again.')).toBeVisible()
  isOffline = false
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
})

test('signing out in another tab also signs this one out', { tag: '@desktop' }, async ({ journey, context }) => {
  const { page } = journey
  await journey.signUp()
  const second = await context.newPage()
  await second.goto('/package-history')
  if ((second.viewportSize()?.width ?? 0) < 1024) await second.getByRole('button', { name: 'Menu', exact: true }).click()
  await second.getByRole('button', { name: 'Log out' }).click()
  await second.getByRole('button', { name: 'Confirm' }).click()
  await second.waitForURL('**/sign-in')
  await page.waitForURL('**/sign-in')
})

test('the terms open in their dialogs and close again', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await journey.openPreview()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  for (const name of ['Crypto Asset Terms', 'Custody Terms', 'Staking Program Terms']) {
    await page.getByRole('link', { name: `Read the ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog).toBeVisible()
    await journey.expectAccessible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
  }
})

test('bank details are copied, with a notice', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await journey.toPayment()
  await page.getByRole('button', { name: 'Copy Order ID' }).click()
  await expect(page.getByText('Copy successfully')).toBeVisible()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await copied()).toBe(orderId)
  await page.getByRole('button', { name: 'Copy all bank transfer details' }).click()
  await expect.poll(copied).toContain('EURO IBAN: DE89370400440532013000')
  expect(await copied()).toContain('You Pay EURO: 956.80')
})

test('packages that cannot be bought say so, with a way on', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 404/)
  await journey.signUp()
  await page.goto('/package-detail/1/preview')
  await expect(page.getByRole('heading', { name: 'This package is not on sale at the moment.' })).toBeVisible()
  await page.getByRole('link', { name: 'See the CPC packages' }).click()
  await expect(page.getByRole('heading', { name: 'Buy CPC' })).toBeVisible()
})

test('a long history has pages', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? '{}').token)
  for (let comboConfigId = 82; comboConfigId < 93; comboConfigId += 1) {
    await page.request.post('/v1/orders/combo', {
      headers: { authorization: `Bearer ${token}` },
      data: { comboConfigId, bankAccountId: 1 }
    })
  }
  await page.goto('/package-history')
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('link', { name: /^View order/ })).toHaveCount(1)
  await page.goto('/package-history?page=99')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
})
