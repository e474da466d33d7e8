import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from '#support/journey.ts'
import { tokenOf } from '#support/trading.ts'
import { postJson } from '#support/visitor.ts'

const textOf = async (bytes: Buffer) =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text.replace(/\s+/g, ' ')

test('an order has a receipt that anybody can check, and a quarter has a statement on the profile', async ({
  journey,
  browser
}) => {
  const { page, baseUrl } = journey
  const email = await journey.signUp()
  await page.goto('/profile#documents')
  await expect(page.getByText('Your first statement comes after the end of the first quarter')).toBeVisible()
  const token = await tokenOf(journey)
  const { data } = await (await postJson(baseUrl, '/orders/combo', { comboConfigId: 83, bankAccountId: 1 }, token)).json()
  const sandbox = (form: Record<string, string>) =>
    page.request.post('/sandbox', { form, headers: { origin: baseUrl }, maxRedirects: 0 })
  await sandbox({ order: data.id, arrival: 'exact' })

  await page.goto(`/package-history?tab=order&order=${data.id}`)
  const link = page.getByRole('link', { name: 'Receipt (PDF)' })
  await expect(link).toBeVisible()
  const receipt = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(receipt.headers()).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
  const text = await textOf(await receipt.body())
  expect(text).toContain(email)
  const code = /(?:[0-9A-Z]{5}-){5}[0-9A-Z]/.exec(text)?.[0] ?? ''

  // A visitor who is not signed in, without scripts, types the code.
  const stranger = await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false })
  const tab = await stranger.newPage()
  await tab.goto('/verify')
  await tab.getByLabel('Verification code').fill(code.toLowerCase())
  await tab.getByRole('button', { name: 'Check' }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('This receipt is genuine')
  await expect(tab.getByRole('main')).toContainText('PTC 1,000')
  await expect(tab.getByRole('main')).not.toContainText(email)
  const answer = await stranger.request.get(`/verify/${code.replaceAll('-', '')}`)
  expect(answer.headers()).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer'
  })
  expect((await stranger.request.get('/verify/00000000000000000000000000')).status()).toBe(404)
  expect((await stranger.request.get(`/documents/receipt-${data.id}.pdf`, { maxRedirects: 0 })).status()).toBe(302)
  await stranger.close()

  expect((await sandbox({ quarter: 'end' })).headers().location).toBe('/sandbox#time')
  await page.goto('/profile#documents')
  const documents = page.getByRole('region', { name: 'Documents' })
  await documents
    .getByRole('link', { name: /^Statement \d{4}-Q\d as PDF$/ })
    .first()
    .scrollIntoViewIfNeeded()
  await journey.expectAccessible()
  const href = (name: RegExp) => documents.getByRole('link', { name }).first().getAttribute('href')
  const statement = await page.request.get((await href(/^Statement .* as PDF$/)) ?? '')
  expect(await textOf(await statement.body())).toContain('+1,111,111.11111111')
  const csv = await page.request.get((await href(/^Statement .* as CSV$/)) ?? '')
  expect(await csv.text()).toContain(`Token purchase ${data.id},1111111.11111111`)
})

test('a receipt that is not ours is called so, at its field', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 404/)
  await page.goto('/verify?code=ABCDE')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no receipt with this code')
  await expect(page.getByLabel('Verification code')).toHaveValue('ABCDE')
  await journey.expectAccessible()
  await page.goto('/verify')
  await journey.expectAccessible()
})
