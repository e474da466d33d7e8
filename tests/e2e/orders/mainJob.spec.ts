import type { Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

const portfolio = (page: Page) => page.getByRole('table', { name: /^Your tokens with balance/ })

test('a new customer signs up, buys a package with staking, pays, and holds the tokens', async ({ journey }) => {
  const { page } = journey
  await journey.signUpByHand()
  await expect(page.getByText('Verification successful')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good day')
  await expect(page.getByRole('link', { name: 'Verify now!' })).toBeVisible()
  await journey.approveIdentity()

  await page.goto('/buy-package')
  await page.getByRole('link', { name: 'View Project PTC' }).click()
  await expect(page.getByRole('heading', { name: 'Buy PTC' })).toBeVisible()
  const card = page.getByRole('form', { name: 'Buy PTC' })
  await card.getByLabel('$2,500').check()
  await expect(card.getByText('2,777,777.777').filter({ visible: true })).toHaveCount(1)
  await card.getByLabel('$1,000').check()
  await expect(card.getByText('1,111,111.111').filter({ visible: true })).toHaveCount(1)
  await card.getByLabel('Staking 12 Months').check()
  await expect(card.getByText('+133,333.333 PTC reward in 12 months').filter({ visible: true })).toHaveCount(1)
  await card.getByRole('button', { name: 'Buy Now' }).dblclick()

  await expect(page.getByRole('heading', { name: 'Preview PTC 1,000' })).toBeVisible()
  await expect(page.getByText('€956.80').first()).toBeVisible()
  await expect(page.getByText('12 Months, 12% a year')).toBeVisible()
  await page.waitForURL(/order=RF/)
  const orderId = new URL(page.url()).searchParams.get('order') ?? ''
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  const accept = page.getByRole('button', { name: 'Continue to payment' })
  await expect(accept).toBeDisabled()
  await page.getByLabel('I accept the Crypto Asset Terms').check()
  await page.getByLabel('I accept the Custody Terms').check()
  await expect(accept).toBeDisabled()
  await page.getByLabel('I accept the Staking Program Terms').check()
  await accept.click()
  await expect(page.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible()
  await page.getByRole('button', { name: 'Payment Confirmed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Payment Confirmed!' })
  await expect(dialog).toContainText('The token price is computed from the time when the payment is received.')
  await dialog.getByRole('link', { name: 'View Order' }).click()

  const details = page.getByRole('dialog', { name: 'Purchase Details' })
  await expect(details).toContainText('Processing')
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(details).toBeHidden()

  await journey.pay(orderId, 'Payment arrives')
  await page.reload()
  await page.getByRole('link', { name: /^View order/ }).click()
  await expect(details).toContainText('Completed')
  await expect(details).toContainText('1,111,111.11111111')
  await expect(details).toContainText('Credited and staked.')

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Staking (USD)' }).locator('../..')).toContainText('$1,000.00')
  await expect(portfolio(page).getByRole('row', { name: /^PTC/ })).toContainText('1,111,111.111')
})

test('without staking the tokens are in the wallet', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/CPC')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.waitForURL(/order=RF/)
  const orderId = new URL(page.url()).searchParams.get('order') ?? ''
  await journey.pay(orderId, 'Payment arrives')
  // The page that waits says so by itself, in full, with the receipt.
  await expect(page.getByRole('heading', { name: 'Your order is completed' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('+20,000 CPC')).toBeVisible()
  await journey.expectAccessible()
  const receipt = page.getByRole('link', { name: 'Receipt (PDF)' })
  await expect(async () => {
    const answer = await page.request.get((await receipt.getAttribute('href')) ?? '')
    expect(answer.headers()['content-type']).toBe('application/pdf')
  }).toPass({ timeout: 20_000 })
  await page.goto('/dashboard')
  await expect(portfolio(page).getByRole('row', { name: /^CPC/ })).toContainText('20,000')
  await expect(page.getByRole('region', { name: 'Total money you have (USD)' })).toContainText('$1,000.00')
})

for (const [label, reason, state] of [
  ['1 cent less', 'less than the order', 'Payment under review'],
  ['1 cent more', 'more than the order', 'Payment under review'],
  ['Mangled reference', 'no order has this reference', 'Pending']
] as const) {
  test(`a payment that arrives as "${label}" is kept with its reason and credits nothing`, async ({ journey }) => {
    const { page } = journey
    await journey.signUp()
    const orderId = await journey.openPreview()
    await journey.pay(orderId, label)
    await page.goto('/sandbox')
    await expect(page.getByText(`Unmatched: ${reason}`).first()).toBeVisible()
    await page.goto(`/package-history?order=${orderId}`)
    await expect(page.getByRole('dialog')).toContainText(state)
    await page.goto('/dashboard')
    await expect(portfolio(page).getByRole('row', { name: /^PTC/ })).toContainText('$0.00')
    await expect(page.getByRole('region', { name: 'Total money you have (USD)' })).toContainText('$0.00')
  })
}

test('a payment that arrives twice credits once', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await journey.pay(await journey.openPreview(), 'Twice')
  await page.goto('/sandbox')
  await expect(page.getByText('Unmatched: the order is paid already').first()).toBeVisible()
  await page.goto('/dashboard')
  await expect(portfolio(page).getByRole('row', { name: /^PTC/ })).toContainText('1,111,111.111')
})
