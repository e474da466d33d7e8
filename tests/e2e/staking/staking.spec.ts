import { expect, test } from '#support/journey.ts'
import { tokenOf } from '#support/trading.ts'
import { postJson } from '#support/visitor.ts'

const MILLION = '1,111,111.111'

test('a staked package pays: in the list, its details, the statement and the wallet', { tag: '@desktop' }, async ({
  journey,
  browser
}) => {
  const { page, baseUrl } = journey
  await journey.signUp()
  await page.goto('/staking')
  await expect(page.getByText('No packages with staking yet')).toBeVisible()
  const token = await tokenOf(journey)
  const order = async (comboConfigId: number): Promise<string> =>
    (await (await postJson(baseUrl, '/orders/combo', { comboConfigId, bankAccountId: 1 }, token)).json()).data.id
  const [staked, waiting] = [await order(84), await order(86)]
  const form = { staking: 'pay', order: staked }
  const answer = await page.request.post('/sandbox', { form, headers: { origin: baseUrl }, maxRedirects: 0 })
  expect(answer.headers().location).toBe('/sandbox#staking')

  await page.goto('/dashboard')
  if ((page.viewportSize()?.width ?? 0) < 1024) await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Staking', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staking')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary).toContainText('$1,000.00')
  await expect(summary).toContainText('1 of 8 payouts')
  const rows = page.getByRole('rowheader')
  await expect(rows).toHaveText([/PTC 2,500/, /PTC 1,000/])
  await page.getByRole('link', { name: 'Completed', exact: true }).click()
  await expect(rows).toHaveText([/PTC 1,000/])
  await page.getByRole('link', { name: 'All', exact: true }).click()

  await page.getByRole('link', { name: /^View PTC 1,000/ }).click()
  const details = page.getByRole('dialog', { name: 'Staking Details' })
  await expect(details).toContainText('Day 100 of')
  await expect(details).toContainText('24 Months, 18% a year')
  await expect(details.getByRole('listitem')).toHaveCount(9)
  await expect(details.getByRole('listitem').first()).toContainText('Paid')
  await expect(details.getByRole('listitem').nth(1)).toContainText('Next, in')
  await expect(details.getByRole('listitem').last()).toContainText('Staked tokens')
  await journey.expectAccessible()
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(details).toBeHidden()
  await expect(page.getByRole('link', { name: /^View PTC 1,000/ })).toBeVisible()

  await page.goto(`/staking?order=${waiting}`)
  await expect(details).toContainText('The term begins on the day your payment is booked.')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()

  await page.goto('/statement/PTC?account=reward&kind=staking')
  await expect(page.getByText('49,999.99999999').first()).toBeVisible()
  await page.goto('/activity')
  await expect(page.getByText('Staking reward').first()).toBeVisible()

  // The same links and forms work without scripts.
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    baseURL: baseUrl
  })
  const tab = await plain.newPage()
  await tab.goto('/staking')
  await tab.getByRole('searchbox', { name: 'Search by email' }).fill(' nobody @ ')
  await tab.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  await expect(tab.getByText('No matches')).toBeVisible()
  await tab.getByRole('link', { name: 'Show all' }).click()
  await tab.getByRole('link', { name: /^View PTC 1,000/ }).click()
  await expect(tab.getByRole('dialog', { name: 'Staking Details' })).toContainText(MILLION)
  await plain.close()
})

test('the list is sorted by a press on a column, and turned round by a second', async ({ journey }) => {
  const { page, baseUrl } = journey
  await journey.signUp()
  const token = await tokenOf(journey)
  for (const comboConfigId of [83, 89, 86]) await postJson(baseUrl, '/orders/combo', { comboConfigId, bankAccountId: 1 }, token)
  await page.goto('/staking?sort=amount')
  const rows = page.getByRole('rowheader')
  await expect(rows).toHaveText([/PTC 5,000/, /PTC 2,500/, /PTC 1,000/])
  // On a phone, rows are cards without a table header, so set the order in the URL.
  if ((page.viewportSize()?.width ?? 0) >= 1024) await page.getByRole('link', { name: 'Amount' }).click()
  else await page.goto('/staking?sort=amount&direction=asc')
  await expect(rows).toHaveText([/PTC 1,000/, /PTC 2,500/, /PTC 5,000/])
})
