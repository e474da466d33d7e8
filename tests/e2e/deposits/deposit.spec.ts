import type { Journey } from '#support/journey.ts'
import { expect, test } from '#support/journey.ts'

/** The outside world's part, in a tab of its own. */
async function outside({ page }: Journey, act: (tab: Journey['page']) => Promise<void>): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto('/sandbox#chains')
  await act(tab)
  await tab.close()
}

async function send(journey: Journey, email: string, currency: string, amount: string): Promise<void> {
  await outside(journey, async (tab) => {
    const form = tab.locator('form', { has: tab.getByRole('button', { name: 'Send a deposit' }) })
    await form.getByLabel('E-mail of the customer').fill(email)
    await form.getByLabel('Token').selectOption(currency)
    await form.getByLabel('Amount').fill(amount)
    await form.getByRole('button', { name: 'Send a deposit' }).click()
    await expect(tab).toHaveURL(/\/sandbox#chains$/)
  })
}

const press = (journey: Journey, chain: string, label: string) =>
  outside(journey, async (tab) => {
    await tab.locator('select[name=chain]').selectOption(chain)
    await tab.getByRole('button', { name: label, exact: true }).click()
    await tab.waitForURL(/\/sandbox#chains$/)
  })

test('an address, a transfer on its way followed without a reload, and the balance that it becomes', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  await page.goto('/token/CPC')
  await page.getByRole('link', { name: 'Deposit', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Deposit', level: 1 })).toBeVisible()
  await expect(page.getByText('CPC moves on one network only.')).toBeVisible()
  const address = page.locator('[data-address]')
  await expect(address).toHaveAttribute('data-address', /^CPC(-[2-9A-HJ-NP-Z]{4,5}){4}$/)
  await expect(page.getByRole('img', { name: 'QR code of your CPC address' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy Address' }).click()
  await expect(page.getByText('Copy successfully')).toBeVisible()
  const given = await address.getAttribute('data-address')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(given)
  await page.clock.install()
  await page.reload()
  await expect(address, 'the address stays, and is in the first HTML').toHaveAttribute('data-address', given ?? '')

  await journey.hydrated()
  await send(journey, email, 'CPC', '250')
  await page.clock.runFor(11_000)
  await expect(page.getByRole('heading', { name: 'We see your transfer: 1 of 10' })).toBeVisible()
  await expect(page.getByText('+250')).toBeVisible()
  await journey.expectAccessible()
  await press(journey, 'cpc', 'Mine 12')
  await page.clock.runFor(11_000)
  await expect(page.getByRole('heading', { name: 'Your transfer is credited' })).toBeVisible()

  await page.getByRole('link', { name: 'All deposits' }).click()
  const row = page.getByRole('row').filter({ hasText: 'CPC' })
  await expect(row).toContainText('250.000')
  await expect(row).toContainText('10 of 10')
  await expect(row).toContainText('Credited')
  await journey.expectAccessible()
  await page.goto('/activity')
  await expect(page.getByText('+250 CPC')).toBeVisible()
  await page.goto('/token/CPC')
  await expect(page.getByText('250', { exact: true }).first()).toBeVisible()
})

test('what is too small, and what a reorganisation takes back, is shown for what it is', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  await send(journey, email, 'BTC', '0.00009')
  await send(journey, email, 'BTC', '0.5')
  await page.goto('/package-history?tab=deposit')
  await expect(page.getByRole('row').filter({ hasText: '0.500' })).toContainText('Pending')
  await press(journey, 'bitcoin', 'Mine 12')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: '0.500' })).toContainText('Credited')
  await expect(page.getByRole('row').filter({ hasText: '0.000' })).toContainText('Too small')
  await page.goto('/deposit/BTC')
  const first = await page.locator('[data-address]').getAttribute('data-address')
  await journey.hydrated()
  await page.getByRole('button', { name: 'New address' }).click()
  await expect(page.locator('[data-address]')).not.toHaveAttribute('data-address', first ?? '')
})
