import { expect, test } from '#support/journey.ts'
import { codeInMailbox, openSession, postJson } from '#support/visitor.ts'

test('who has not accepted the current terms is asked on every page, until they have', async ({ journey, context, baseURL }) => {
  const { page } = journey
  const url = baseURL ?? ''
  const email = `${crypto.randomUUID()}@example.com`
  // Confirm without the cookie of the browser that showed the terms.
  await postJson(url, '/users/signup', { email, password: 'correct horse battery', phone: '+43 660 1234567' })
  const answer = await postJson(url, '/users/signup/verify', { email, token: await codeInMailbox(url, email) })
  const { data } = await answer.json()
  const [cookie = '', browser = ''] = ['session', 'browser'].map(
    (name) =>
      answer.headers
        .getSetCookie()
        .find((one) => one.startsWith(`${name}=`))
        ?.split(';', 1)[0] ?? `${name}=x`
  )
  await openSession(context, url, { email, cookie, browser, ...data })
  await page.goto('/staking')
  const banner = page.getByRole('region', { name: 'Our terms have changed' })
  await expect(banner.getByRole('link')).toHaveCount(3)
  await journey.expectAccessible()
  await banner.getByRole('link', { name: /^Custody Policy, version/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Custody Policy')
  await page.goBack()
  await banner.getByRole('button', { name: 'Accept' }).click()
  await expect(page).toHaveURL(/\/staking$/)
  await expect(banner).toBeHidden()
  await page.goto('/dashboard')
  await expect(banner).toBeHidden()
})

test('a text has its versions, and on paper stands alone', async ({ journey }) => {
  const { page } = journey
  await page.goto('/legal/terms-of-service')
  await page.getByRole('link', { name: /^Version 1\.0,/ }).click()
  await expect(page.getByText('This is version 1.0, which is no longer in force.')).toBeVisible()
  await page.getByRole('link', { name: 'Read the current version' }).click()
  await expect(page.getByText(/^Version 1\.2, in force since/)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('contentinfo').or(page.locator('.foot'))).toBeHidden()
  await expect(page.getByRole('article')).toBeVisible()
  expect((await page.request.get('/legal/terms-of-service?version=0.1')).status()).toBe(404)
})

test('an order keeps the versions that were accepted for it', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await journey.toPayment()
  await expect(page.getByText(/^You accepted the Crypto Asset Terms/)).toBeVisible()
  await page.goto(`/package-history?order=${orderId}`)
  const details = page.getByRole('dialog', { name: 'Purchase Details' })
  await expect(details.getByText('Terms accepted')).toBeVisible()
  await expect(details.getByRole('link', { name: 'custody terms 1.1' })).toHaveAttribute(
    'href',
    '/legal/custody-terms?version=1.1'
  )
})
