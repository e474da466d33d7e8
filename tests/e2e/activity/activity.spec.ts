import { readFile } from 'node:fs/promises'
import { expect, test } from '#support/journey.ts'

test('the activity shows everything, filters, searches, and its file honours both', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/activity')
  await expect(page.getByText('No activity yet')).toBeVisible()
  const staked = await journey.openPreview(12)
  await journey.pay(staked, 'Payment arrives')
  const short = await journey.openPreview(0)
  await journey.pay(short, '1 cent less')
  await page.goto('/activity')
  const lines = page.locator('[data-activity]')
  await expect(lines).toHaveCount(3)
  await expect(lines.first()).toContainText('Payment under review')
  await expect(page.getByRole('heading', { name: /^Today/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'Purchases' }).click()
  await expect(lines).toHaveCount(2)
  await page.getByLabel('Search activity').fill(staked.slice(0, 10))
  await page.getByRole('button', { name: 'Search', exact: true }).last().click()
  await expect(lines).toHaveCount(1)
  await expect(page).toHaveURL(/kind=purchase/)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as CSV' }).click()
  ])
  const rows = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('Value USD at the time')
  expect(rows[1]).toContain(`1111111.11111111,1000.00,${staked}`)
  await lines.first().click()
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toContainText('Completed')
})

test('the history has three tabs, each with its own empty state', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-history')
  await expect(page.getByText('No orders yet')).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Transactions' })
  await tabs.getByRole('link', { name: 'Deposit' }).click()
  await expect(page.getByText('No deposits yet')).toBeVisible()
  await tabs.getByRole('link', { name: 'Withdrawal' }).click()
  await expect(page.getByText('No withdrawals yet')).toBeVisible()
})
