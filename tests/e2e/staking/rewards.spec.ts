import { expect, test } from '#support/journey.ts'
import { enterPromoCode, tokenOf } from '#support/trading.ts'
import { postJson } from '#support/visitor.ts'

test('the reward calendar says what comes when, and a private link shows it to a calendar program', async ({
  journey,
  browser
}) => {
  const { page, baseUrl } = journey
  await journey.signUp()
  await page.goto('/rewards')
  await expect(page.getByText(/^Nothing due in \d{4}$/)).toBeVisible()
  const token = await tokenOf(journey)
  await enterPromoCode(journey, token)
  const order = async (comboConfigId: number): Promise<string> =>
    (await (await postJson(baseUrl, '/orders/combo', { comboConfigId, bankAccountId: 1 }, token)).json()).data.id
  const sandbox = (form: Record<string, string>) =>
    page.request.post('/sandbox', { form, headers: { origin: baseUrl }, maxRedirects: 0 })
  await sandbox({ staking: 'pay', order: await order(84) })
  await sandbox({ order: await order(146), arrival: 'exact' })

  await page.goto('/staking')
  await page.getByRole('link', { name: 'Reward calendar' }).click()
  // It opens on the next payout, which may be of another year than the one made.
  await expect(page.getByRole('heading', { name: 'Next payout', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reward calendar')
  const now = new Date()
  await page.goto(`/rewards?year=${now.getUTCFullYear()}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Staking reward' }).filter({ hasText: 'Paid' })).toHaveCount(1)
  await journey.expectAccessible()
  // The first release of the bonus is 13 months from now.
  const later = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 14, 1)).getUTCFullYear()
  await page.getByRole('link', { name: String(later), exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Bonus release' }).first()).toContainText('8,333.333 PTC')

  await page.getByRole('button', { name: 'Create a private link' }).click()
  const url = (await page.locator('code').textContent()) ?? ''
  expect(url).toMatch(/\/rewards\/[\w-]{43}\.ics$/)
  await journey.expectAccessible()
  const stranger = await browser.newContext({ baseURL: baseUrl })
  const feed = await stranger.request.get(new URL(url).pathname)
  expect(feed.headers()).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer'
  })
  const text = (await feed.text()).replace(/\r\n[ \t]/g, '')
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0/)
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(8 + 1 + 20)
  expect(text).toContain('SUMMARY:Bonus release: 8\\,333.333 PTC')
  expect(text).toMatch(/DTSTART;VALUE=DATE:\d{8}\r\n/)
  expect(new Set(text.match(/UID:.*/g)).size).toBe(29)

  await page.goto('/rewards')
  await expect(page.locator('code')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete the link' }).click()
  await expect(page.getByText('The link no longer works.')).toBeVisible()
  expect((await stranger.request.get(new URL(url).pathname)).status()).toBe(404)
  await stranger.close()
})
