import { expect, test } from '#support/journey.ts'

test('a payment one cent short is told, decided by an operator, and credits', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  const orderId = await journey.openPreview()
  await journey.pay(orderId, '1 cent less')
  await page.goto(`/package-detail/82/preview?order=${orderId}`)
  await expect(page.getByRole('heading', { name: 'We received €956.79, but expected €956.80' })).toBeVisible()
  await expect(page.getByText(/^We will check it and email you by/)).toBeVisible()
  await expect(page.getByText('Please do not send it again', { exact: false })).toBeVisible()
  await journey.expectAccessible()
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Payment under review' }).first()).toBeAttached()
  await page.goto('/sandbox')
  await expect(
    page.locator(`[data-mail="${email}"]`).filter({ hasText: 'We received €956.79, but expected €956.80' })
  ).toHaveCount(1)
  const entry = page.locator('[data-outcome=amount_too_low]').filter({ hasText: orderId.replace(/(.{4})(?=.)/g, '$1 ') })
  await entry.getByRole('button', { name: 'Assign to its order' }).click()
  await page.goto(`/package-detail/82/preview?order=${orderId}`)
  await expect(page.getByRole('heading', { name: 'Your order is completed' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Total money you have (USD)' })).toContainText('$999.99')
})

test('an order is cancelled, and whoever comes back to pay finds the terms accepted', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await journey.toPayment()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Payment Confirmed' })).toBeVisible()
  await expect(page.getByText(/^You accepted the Crypto Asset Terms/)).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Cancel order' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await page.waitForURL('**/package-history?tab=order')
  await expect(page.getByText('The order was cancelled.')).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  expect(await journey.openPreview()).not.toBe(orderId)
})

test('from sign-up to credited tokens in at most 12 presses and 5 pages', async ({ journey }) => {
  const { page } = journey
  let presses = 0
  const pages = new Set<string>()
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) pages.add(new URL(page.url()).pathname)
  })
  const press = async (role: 'button' | 'link' | 'checkbox', name: string | RegExp) => {
    presses += 1
    await page.getByRole(role, { name, exact: true }).click()
  }
  const email = `${crypto.randomUUID()}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Phone number').fill('+43 660 1234567')
  await press('button', 'Create Account')
  await page.waitForURL('**/sign-up-verify')
  await page.getByLabel('Verification code').fill(await journey.codeFor(email))
  await press('button', 'Verify')
  await page.waitForURL('**/dashboard')
  // Presses on the provider's page do not count; the press that leads there does.
  presses += 1
  await journey.approveIdentity()
  await page.reload()
  await press('link', 'See the packages')
  await press('button', 'Buy Now')
  await page.waitForURL(/order=RF/)
  const orderId = new URL(page.url()).searchParams.get('order') ?? ''
  await press('button', 'Continue')
  for (const term of ['Crypto Asset Terms', 'Custody Terms', 'Staking Program Terms'])
    await press('checkbox', `I accept the ${term}`)
  await press('button', 'Continue to payment')
  await press('button', 'Payment Confirmed')
  await expect(page.getByRole('dialog', { name: 'Payment Confirmed!' })).toBeVisible()
  await journey.pay(orderId, 'Payment arrives')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your order is completed' })).toBeVisible()
  console.log(`From sign-up to credited tokens: ${presses} presses, ${pages.size} pages (${[...pages].join(', ')})`)
  expect(presses).toBeLessThanOrEqual(12)
  expect(pages.size).toBeLessThanOrEqual(5)
})
