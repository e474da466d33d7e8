import { expect, test } from '#support/journey.ts'

test('an invitation brings a reward when the order of the invitee completes', async ({ journey, browser }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/referral')
  await expect(page.getByText('No rewards yet')).toBeVisible()
  await page.getByRole('link', { name: 'Invitee' }).click()
  await expect(page.getByText('No invitees found')).toBeVisible()
  const link = (await page.getByText(/\/sign-up\?ref=/).textContent()) ?? ''
  const context = await browser.newContext({ baseURL: journey.baseUrl })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await expect(theirs.getByLabel('Referral code (optional)')).toHaveValue(/^[0-9A-Z]{8}$/)
  await context.close()
  const code = new URL(link).searchParams.get('ref') ?? ''
  const { id, email } = await journey.invite(code)
  await journey.pay(id, 'Payment arrives')
  await page.reload()
  await expect(page.getByRole('rowheader', { name: email })).toBeVisible()
  await expect(page.getByText('1-1 of 1 items')).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('link', { name: 'Reward', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: id })
  await expect(row).toContainText('$1,000.00')
  await expect(row).toContainText(/1,000\sCPC/)
  await journey.expectAccessible()
  await page.getByRole('link', { name: '20', exact: true }).click()
  await expect(page).toHaveURL(/size=20/)
  await page.goto('/statement/CPC?account=reward')
  await expect(page.getByRole('rowheader', { name: /Referral reward/ })).toBeVisible()
})
