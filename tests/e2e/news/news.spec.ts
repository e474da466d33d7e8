import { expect, test } from '#support/journey.ts'

const SECONDS = 1000
/** Promised to editors: a published entry appears within this time. */
const PUBLISHED_WITHIN_MS = 10 * SECONDS
const ENTRY = 'Quarterly statements and the tax report are on your profile'
const OLDEST = 'How we keep your coins'

test.beforeEach(async ({ journey }) => {
  await journey.signUp()
  // A new sandbox copies its entries in the background.
  await expect(async () => {
    await journey.page.goto('/news')
    await expect(journey.page.getByRole('link', { name: ENTRY })).toBeVisible({ timeout: SECONDS })
  }).toPass()
})

test('older news comes while the reader scrolls, an entry opens over the list, and Back leads to the same place', async ({
  journey
}) => {
  const { page } = journey
  const oldest = page.getByRole('link', { name: OLDEST })
  await expect(async () => {
    await page.mouse.wheel(0, 2000)
    await expect(oldest).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(page).toHaveURL(/\/news$/)
  await oldest.click()
  const modal = page.getByRole('dialog', { name: OLDEST })
  await expect(modal).toBeVisible()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(0)
  await expect(page).toHaveURL(/\/news\/how-we-keep-your-coins$/)
  await journey.expectAccessible()
  await page.goBack()
  await expect(modal).toBeHidden()
  await expect(page).toHaveURL(/\/news$/)
  expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(20)
  await page.goForward()
  await expect(modal).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/news$/)
  await expect(oldest).toBeVisible()

  // Reloaded, an entry is its own page; Back leads from there to the list at the same place.
  await oldest.click()
  await expect(modal).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(OLDEST)
  await page.goBack()
  await expect(oldest).toBeVisible()
  expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(200)
})

test('a page that cannot be loaded says so, and can be tried again', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/ERR_FAILED/)
  await page.route('**/news?page=2', (route) => route.abort())
  await page.goto('/news')
  await page.mouse.wheel(0, 3000)
  await expect(page.getByText('Unable to load news. Please try again later.')).toBeVisible()
  await page.unroute('**/news?page=2')
  await page.getByRole('link', { name: 'Older news' }).click()
  await expect(page.getByRole('link', { name: OLDEST })).toBeVisible()
  await expect(page).toHaveURL(/\/news$/)
})

test('an entry has every kind of node as itself, its links are safe, and no byte of the renderer is in the browser', async ({
  journey
}) => {
  const { page } = journey
  const scripts: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(await response.text().catch(() => ''))
  })
  await page.goto('/news/how-statements-work')
  const article = page.getByRole('article')
  for (const level of [2, 3, 4]) await expect(article.getByRole('heading', { level }).first()).toBeVisible()
  for (const tag of ['p', 'b', 'ul > li', 'ol > li', 'blockquote', 'figure img'])
    await expect(article.locator(tag).first()).toBeVisible()
  const link = article.getByRole('link', { name: 'European Central Bank' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(link).toHaveAttribute('target', '_blank')
  const picture = article.locator('figure img')
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc))
    .toMatch(/^http:\/\/localhost:\d+\/news-image\/[\da-f]{32}-\d+\.avif$/)
  await expect(picture).toHaveAttribute('width', '960')
  const image = await page.request.get((await picture.getAttribute('src')) ?? '')
  expect(image.headers()).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' })
  await page.waitForLoadState('networkidle')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((text) => text.includes('embedded-asset-block'))).toEqual([])
})

test('without scripts the list has pages, and every entry a page of its own', async ({ journey, browser }) => {
  const storageState = await journey.page.context().storageState()
  const context = await browser.newContext({ javaScriptEnabled: false, storageState, baseURL: journey.baseUrl })
  const page = await context.newPage()
  await page.goto('/news')
  await page.getByRole('link', { name: 'Older news' }).click()
  await expect(page).toHaveURL(/\/news\?page=2$/)
  await page.getByRole('link', { name: OLDEST }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(OLDEST)
  await page.getByRole('link', { name: 'All news' }).click()
  await expect(page).toHaveURL(/\/news$/)
  await page.goto('/news/nothing')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News not found')
  await context.close()
})

test('what an editor publishes is on the page within ten seconds, changed when they change it, and gone when they take it back', async ({
  journey,
  browser
}) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 404/)
  const title = `Written by an editor ${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/sandbox/news')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text, in Markdown').fill('The first words.\n\n- one\n- two\n\n<script>alert(1)</script>')
  await page.getByLabel('Banner').selectOption('bank')
  await page.getByRole('button', { name: 'Save as a draft' }).click()
  const id = new URL(page.url()).searchParams.get('entry') ?? ''

  // Anybody with the preview's link sees the draft, signed in or not.
  await page.getByRole('button', { name: 'Preview' }).click()
  const link = page.url()
  const stranger = await (await browser.newContext({ baseURL: journey.baseUrl })).newPage()
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(stranger.getByText('This draft has no:')).toBeVisible()
  expect((await stranger.request.get(`/news/${id}`, { maxRedirects: 0 })).status()).toBe(302)
  await stranger.goto(`${link}x`)
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('This link has expired')
  await stranger.context().close()
  expect((await page.request.get(`/news/${id}`)).status()).toBe(404)

  const seen = page.getByRole('link', { name: title })
  const appears = async (path: string, look: () => Promise<void>) =>
    expect(async () => {
      await page.goto(path)
      await look()
    }).toPass({ timeout: PUBLISHED_WITHIN_MS, intervals: [250] })
  await page.goto(`/sandbox/news?entry=${id}`)
  await page.getByRole('button', { name: 'Publish' }).click()
  await appears('/news', () => expect(seen).toBeVisible({ timeout: 300 }))
  await expect(page.locator(`[data-entry="${id}"]`)).toContainText('The first words.')

  await page.goto(`/sandbox/news?entry=${id}`)
  await page.getByLabel('Short description').fill('Now with a description.')
  await page.getByRole('button', { name: 'Publish' }).click()
  await appears('/news', () => expect(page.getByText('Now with a description.')).toBeVisible({ timeout: 300 }))
  await page.getByText('Now with a description.').scrollIntoViewIfNeeded()

  await page.goto(`/sandbox/news?entry=${id}`)
  await page.getByRole('button', { name: 'Take back' }).click()
  await appears(`/news/${id}`, () =>
    expect(page.getByRole('heading', { level: 1 })).toHaveText('News not found', { timeout: 300 })
  )
  await page.goto(`/sandbox/news?entry=${id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.locator(`[data-entry="${id}"]`)).toHaveCount(0)
})
