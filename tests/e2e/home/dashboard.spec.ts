import { expect, test } from '#support/journey.ts'

test('the dashboard has its projects, apps and chat', async ({ journey }) => {
  const { page } = journey
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
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
  // The chat of the sandbox stands where a provider's would: its script loads on the press, not before.
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  expect(asked).not.toContain('/sandbox/chat.js')
  if (isPhone) await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Chat with us' }).click()
  const message = page.getByRole('textbox', { name: 'Your message' })
  await expect(message).toBeFocused()
  await message.fill('Where is my <b>payment</b>?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Where is my <b>payment</b>?')).toBeVisible()
  await expect(page.getByText('Nobody reads this chat')).toBeVisible()
  await journey.expectAccessible()
})
