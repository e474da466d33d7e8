import { expect, test } from '#support/journey.ts'

test('the dashboard has its projects, apps and chat', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const tiles = page.getByRole('region', { name: 'Projects' }).getByRole('link')
  await expect(tiles).toHaveCount(6)
  await tiles.first().click()
  const modal = page.getByRole('dialog', { name: 'CPC' })
  await expect(modal.getByRole('link', { name: /^Learn more/ })).toHaveAttribute('target', '_blank')
  await expect(modal.getByRole('link', { name: /^Telegram business card/ })).toBeVisible()
  await journey.expectAccessible()
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(tiles.first()).toBeFocused()
  // The modal's URL opens it too.
  await page.goto('/dashboard?project=ptc')
  await expect(page.getByRole('dialog', { name: 'PTC' }).getByRole('link', { name: /^Telegram business card/ })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  for (const name of ['QR code: App Store', 'QR code: Play Store']) {
    const image = page.getByRole('img', { name })
    await image.scrollIntoViewIfNeeded()
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  }
  const asked: string[] = []
  await page.route('https://chat.example/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: 'document.documentElement.dataset.chatLoaded = "yes"' })
  })
  await page.reload()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Chat with us' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-chat-loaded', 'yes')
  expect(asked).toEqual(['https://chat.example/widget.js'])
})
