import { expect, test } from '#support/journey.ts'
import { tokenOf } from '#support/trading.ts'
import { postJson } from '#support/visitor.ts'

test('the promo code opens the bonus packages, and the bonus is locked with its releases', async ({ journey, browser }) => {
  test.setTimeout(120_000)
  const { page, baseUrl } = journey
  journey.expectedErrors.push(/status of 404/)
  await journey.signUp()
  // Without the promo code, the page redirects to the form for it.
  await page.goto('/buy-package/bonus')
  await expect(page).toHaveURL(/\/buy-package#promo$/)
  const preview = await page.goto('/package-detail/146/preview')
  expect(preview?.status()).toBe(404)
  await page.getByRole('link', { name: 'Enter the promo code' }).click()
  const code = page.getByRole('textbox', { name: 'Promo code' })
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await code.fill('WRONG')
  await add.click()
  await expect(page.getByText('Promo code is not exist')).toBeVisible()
  await expect(code).toHaveValue('WRONG')
  await code.fill(' ANNIVERSARY ')
  await add.click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Buy PTC')
  for (const choice of ['No Staking', '12 months locking', '5% monthly vesting'])
    await expect(page.getByText(choice, { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: '$2,500' }).check()
  const card = page.getByRole('form', { name: 'Buy PTC' })
  await expect(card.getByText('4,583,333.333').last()).toBeVisible()
  await expect(card.getByText('416,666.666 PTC')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Open now' })).toContainText('10% bonus')
  await expect(page.getByText('This is the last window. Its rate stays.')).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Buy Now' }).dblclick()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Preview PTC 2,500')
  const terms = page.getByRole('region', { name: 'How you get it' })
  await expect(terms).toContainText('4,583,333.33333332 PTC')
  await terms.getByText('Payout plan').click()
  await expect(terms.getByRole('listitem').filter({ hasText: '20,833.333 PTC' })).toHaveCount(20)
  await expect(terms.getByRole('listitem').filter({ hasText: 'All payouts' })).toContainText('416,666.666 PTC')
  await journey.expectAccessible()
  await expect(page).toHaveURL(/order=RF/)
  const order = new URL(page.url()).searchParams.get('order') ?? ''

  const form = { order, arrival: 'exact' }
  await page.request.post('/sandbox', { form, headers: { origin: baseUrl } })
  await page.goto(`/package-history?tab=order&order=${order}`)
  const details = page.getByRole('dialog', { name: 'Purchase Details' })
  await expect(details).toContainText('Completed')
  await expect(details).toContainText('416,666.66666666')
  await details.getByRole('link', { name: /^Releases from/ }).click()
  const bonus = page.getByRole('dialog', { name: 'Bonus Details' })
  await expect(bonus.getByRole('listitem')).toHaveCount(20)
  await expect(bonus.getByRole('listitem').first()).toContainText('Next, in')
  await journey.expectAccessible()
  // What is locked is one figure on all pages, and nowhere part of what is staked.
  const [whole, value] = ['416,666.666', '$374.99']
  await page.goto('/dashboard')
  await expect(page.locator('.dash-split div').filter({ hasText: 'Locked' })).toContainText(value)
  await expect(page.locator('.dash-split div').filter({ hasText: 'Staked' })).toContainText('$0.00')
  await page.goto('/token-list')
  await expect(page.locator('.wallet-sums div').filter({ hasText: 'Locked' })).toContainText(value)
  await expect(page.locator('.wallet-sums div').filter({ hasText: 'Staked' })).toHaveCount(0)
  await page.goto('/token/PTC')
  await expect(page.locator('summary').filter({ hasText: 'Locked' })).toContainText(whole)
  await expect(page.locator('summary').filter({ hasText: 'Locked' })).toContainText(value)
  await page.goto('/staking')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.getByText('Locked bonus').locator('..')).toContainText(value)
  await expect(summary.getByText('Locked bonus').locator('..')).toContainText(whole)
  await expect(summary.getByText('Worth now')).toHaveCount(0)

  // Once entered, the code needs not be typed again.
  await page.goto('/buy-package')
  await page.getByRole('link', { name: 'See the bonus packages' }).click()
  await expect(page).toHaveURL(/\/buy-package\/bonus$/)

  // The same forms work without scripts.
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    baseURL: baseUrl
  })
  const tab = await plain.newPage()
  await tab.goto('/buy-package/bonus')
  await tab.getByRole('button', { name: 'Buy Now' }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Preview PTC 1,000')
  // A form from an earlier window of the promotion first shows what has changed.
  await tab.goto('/buy-package/bonus?amount=1000&bonus=2000&buy=1')
  await expect(tab.getByRole('alert')).toContainText('The window you were viewing has ended.')
  await plain.close()
})

test('what a package with staking pays is shown by day before it is bought', async ({ journey }) => {
  const { page, baseUrl } = journey
  await journey.signUp()
  await page.goto('/package-detail/PTC')
  await page.getByRole('radio', { name: /^Staking 24 Months/ }).check()
  await expect(page.getByText('+399,999.999', { exact: true })).toBeVisible()
  const plan = page.getByRole('region', { name: 'Payout plan' })
  await expect(plan.getByRole('listitem')).toHaveCount(10)
  await page.getByRole('radio', { name: /^Staking 12 Months/ }).check()
  await expect(plan.getByRole('listitem')).toHaveCount(6)
  await expect(plan.getByRole('listitem').first()).toContainText('33,333.333 PTC')
  await expect(plan.getByRole('listitem').filter({ hasText: 'All payouts' })).toContainText('133,333.333 PTC')
  await expect(plan.getByRole('listitem').last()).toContainText(/^Unlocked .* PTC$/)
  // Each amount has its own reward, and its own plan.
  await page.getByRole('radio', { name: '$2,500' }).check()
  await expect(plan.getByRole('listitem').first()).toContainText('83,333.333 PTC')
  await page.getByRole('radio', { name: /^No Staking/ }).check()
  await expect(plan).toBeHidden()
  await journey.expectAccessible()
  const token = await tokenOf(journey)
  const { data } = await (await postJson(baseUrl, '/orders/combo', { comboConfigId: 83, bankAccountId: 1 }, token)).json()
  await page.goto(`/package-detail/83/preview?order=${data.id}`)
  const staking = page.getByRole('region', { name: 'Staking', exact: true })
  await expect(staking).toContainText('12 Months, 12% a year')
  await expect(staking).toContainText('133,333.333 PTC')
})
