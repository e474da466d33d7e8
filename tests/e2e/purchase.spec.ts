import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

async function tickAll(page: Page): Promise<void> {
  for (const box of await page.getByRole('checkbox').all()) await box.check()
}
async function orderCount(page: Page): Promise<number> {
  await page.goto('/package-history')
  return page.getByRole('link', { name: /^View order/ }).count()
}

test('a reload and a way back in the middle show the same order', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/PTC')
  await page.getByRole('button', { name: 'Buy Now PTC 1,000' }).click()
  await page.waitForURL(/order=RF/)
  const orderId = new URL(page.url()).searchParams.get('order')
  await page.reload()
  expect(new URL(page.url()).searchParams.get('order')).toBe(orderId)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Buy PTC' })).toBeVisible()
  await page.goForward()
  await page.waitForURL(new RegExp(`order=${orderId}`))
  await tickAll(page)
  await page.getByRole('button', { name: 'Payment Confirmed' }).dblclick()
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await page.goBack()
  await expect(page.getByText('Your payment is on its way')).toBeVisible()
  expect(await orderCount(page)).toBe(1)
})

test('two tabs with the same preview share one order, and one confirmation', async ({ journey, context }) => {
  const { page } = journey
  await journey.signUp()
  const second = await context.newPage()
  await Promise.all([page, second].map((tab) => tab.goto('/package-detail/82/preview?token=PTC&staking=0')))
  await Promise.all([page, second].map((tab) => tab.waitForURL(/order=RF/)))
  expect(new URL(page.url()).search).toBe(new URL(second.url()).search)
  await Promise.all([page, second].map(tickAll))
  await Promise.all([page, second].map((tab) => tab.getByRole('button', { name: 'Payment Confirmed' }).click()))
  await Promise.all([page, second].map((tab) => expect(tab.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()))
  expect(await orderCount(page)).toBe(1)
})

test('a lost answer and a repeated press leave one order', async ({ journey }) => {
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
  await expect(page.getByText('We could not make your order')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL(/order=RF/)
  expect(await orderCount(page)).toBe(1)
})

test('a session that ends in the middle of a purchase leads to sign in and loses nothing', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 401/)
  const email = await journey.signUp()
  await journey.openPreview()
  await tickAll(page)
  await journey.sql(`update sessions set ended_at = now() where user_id = (select id from users where email = $1)`, [email])
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

test('an expired access token is refreshed without anybody noticing', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 401/)
  await journey.signUp()
  await journey.openPreview()
  await tickAll(page)
  await page.route('**/purchase', async (route) => {
    if (route.request().headers().authorization === (await firstBearer))
      return route.fulfill({ status: 401, json: { statusCode: 401, code: 'unauthorized', message: 'Please sign in again.' } })
    return route.continue()
  })
  const firstBearer = page.evaluate(() => `Bearer ${JSON.parse(localStorage.getItem('auth-storage') ?? '{}').token}`)
  await firstBearer
  // A token made in the same second would be the same text.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 1100)))
  await page.getByRole('button', { name: 'Payment Confirmed' }).click()
  await expect(page.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()
})

test('another tab that signs out takes this one along', async ({ journey, context }) => {
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

test('the terms open in their dialogs and close again', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await journey.openPreview()
  for (const name of ['Crypto Asset Terms', 'Custody Terms', 'Staking Program Terms']) {
    await page.getByRole('link', { name: `Read the ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog).toBeVisible()
    await journey.expectAccessible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
  }
})

test('bank details are copied, with a notice', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await page.getByRole('button', { name: 'Copy Order ID' }).click()
  await expect(page.getByText('Copy successfully')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(orderId)
})

test('packages that cannot be bought say so, with a way on', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 404/)
  await journey.signUp()
  await page.goto('/package-detail/1/preview')
  await expect(page.getByRole('heading', { name: 'This package is not on sale at the moment.' })).toBeVisible()
  await page.getByRole('link', { name: 'See the CPC packages' }).click()
  await expect(page.getByRole('heading', { name: 'Buy CPC' })).toBeVisible()
})

test('a long history has pages', async ({ journey }) => {
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
