import { expect, test } from '#support/journey.ts'

test('the foot of every page leads to the help; an answer is found by other words, and with a typing error', async ({
  journey
}) => {
  const { page } = journey
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help')
  await page.getByRole('searchbox').fill('withdrawl wait')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: /^Why is my withdrawal waiting\?/ }).click()
  await expect(page.getByRole('article')).toContainText('24 hours')
  await page.goto('/help?q=zzzzqqqq')
  await expect(page.getByText('No answers contain “zzzzqqqq”')).toBeVisible()
  await page.goto('/help?q=%3Cscript%3Ealert(1)%3C/script%3E')
  await expect(page.getByRole('heading', { name: /“<script>alert\(1\)<\/script>”/ })).toBeVisible()
})

test('questions lead from where they arise to their answer', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  for (const [path, slug] of [
    ['/staking', 'staking-dates'],
    ['/deposit/CPC', 'deposit-address-and-confirmations'],
    ['/withdraw/CPC', 'withdrawal-waits'],
    ['/package-history', 'payment-does-not-fit'],
    ['/profile#identity', 'identity-check-why-and-how-long'],
    ['/package-detail/83/preview', 'pay-by-bank-transfer']
  ] as const) {
    await page.goto(path)
    await expect(page.locator(`main a[href="/help/${slug}"]`), path).toBeVisible()
    expect((await page.request.get(`/help/${slug}`)).status()).toBe(200)
  }
})

test('a message to support shows what goes with it, keeps what was typed, and says who sent it', async ({ journey, browser }) => {
  const { page, baseUrl } = journey
  journey.expectedErrors.push(/status of 422/)
  const email = await journey.signUp()
  const orderId = await journey.openPreview()
  await page.goto(`/package-history?order=${orderId}`)
  await page.goto(`/help/contact?answer=payment-does-not-fit&from=${encodeURIComponent(`/package-history?order=${orderId}`)}`)
  const context = page.getByRole('region', { name: 'Sent with your message' })
  for (const text of [email, orderId, 'too little', 'Browser']) await expect(context).toContainText(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Please write your message.')).toBeVisible()
  await expect(context).toContainText(orderId)
  await journey.expectAccessible()
  const words = `Where is it? ${crypto.randomUUID()}`
  await page.getByRole('textbox', { name: 'Your message' }).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Your message is on its way')).toBeVisible()
  await expect(page.getByRole('main').getByText(email)).toBeVisible()

  const stranger = await (await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false })).newPage()
  await stranger.goto('/help/contact')
  await stranger.getByRole('textbox', { name: 'Your email' }).fill('no address')
  await stranger.getByRole('textbox', { name: 'Your message' }).fill('I cannot get in.')
  await stranger.getByRole('button', { name: 'Send' }).click()
  await expect(stranger.getByText('Email format is invalid')).toBeVisible()
  await expect(stranger.getByRole('textbox', { name: 'Your message' })).toHaveValue('I cannot get in.')
  await stranger.getByRole('textbox', { name: 'Your email' }).fill(email)
  await stranger.getByRole('button', { name: 'Send' }).click()
  await expect(stranger.getByText('Your message is on its way')).toBeVisible()
  await stranger.context().close()

  await expect(async () => {
    await page.goto('/sandbox')
    const mails = page.locator('[data-mail="support@localhost"]')
    await expect(mails.filter({ hasText: 'Message from a customer' }).filter({ hasText: words })).toHaveCount(1)
    // A visitor can type any address, so the mail says that the sender was not signed in.
    await expect(mails.filter({ hasText: 'a visitor, not signed in' }).filter({ hasText: email })).toHaveCount(1)
  }).toPass()
})
