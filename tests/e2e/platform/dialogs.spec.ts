/** Dialogs and notices: a modal dialog covers everything outside it, so a notice must appear inside it. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

/** True if a press in the middle of the element reaches it: nothing covers it. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
}

const openDialogs = (page: Page) => page.locator('dialog:modal')

/** Presses twice, the second time before anything can respond to the first. */
async function pressTwice(element: Locator): Promise<void> {
  await element.evaluate((node: HTMLElement) => {
    node.click()
    node.click()
  })
}

test('a dialog that the server opened does not move when its island starts', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  // Without motion: measured while it slides in, the dialog would seem to move.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  await page.route('**/*.js', async (route) => {
    await started
    await route.continue()
  })
  await page.goto(`/package-history?order=${orderId}`, { waitUntil: 'commit' })
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  await expect.poll(() => isOnTop(close)).toBe(true)
  await expect(openDialogs(page)).toHaveCount(0)
  const before = await close.boundingBox()
  start()
  await expect(openDialogs(page)).toHaveCount(1)
  expect(await close.boundingBox()).toEqual(before)
})

test('a notice stands above an open dialog, can be closed there, and stays when the dialog closes', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/profile#security')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByRole('button', { name: 'Copy the key' }).click()
  const notice = page.locator('[data-sonner-toast]', { hasText: 'Copy successfully' })
  await expect(notice).toBeVisible()
  await expect.poll(() => isOnTop(notice)).toBe(true)
  await notice.getByRole('button', { name: 'Close toast' }).click()
  await expect(notice).toBeHidden()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy the key' }).click()
  await expect(notice).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(openDialogs(page)).toHaveCount(0)
  await expect.poll(() => isOnTop(notice)).toBe(true)
})

test('a dialog that is asked for twice opens once, and one press closes it', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await journey.openPreview()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await pressTwice(page.getByRole('link', { name: 'Read the Crypto Asset Terms' }))
  await expect(openDialogs(page)).toHaveCount(1)
  await page.getByRole('dialog', { name: 'Crypto Asset Terms' }).getByRole('button', { name: 'Close' }).click()
  await expect(openDialogs(page)).toHaveCount(0)
  await page.goto('/profile')
  await journey.hydrated()
  await pressTwice(page.getByRole('button', { name: 'Edit Name' }))
  const edit = page.getByRole('dialog', { name: 'Name and phone' })
  await expect(edit).toBeVisible()
  await expect(openDialogs(page)).toHaveCount(1)
  await edit.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(openDialogs(page)).toHaveCount(0)
  await page.goto('/package-history')
  await journey.hydrated()
  await pressTwice(page.getByRole('link', { name: /^View order/ }))
  await expect(page.getByRole('dialog', { name: 'Purchase Details' }).getByText('Total to pay')).toBeVisible()
  await expect(openDialogs(page)).toHaveCount(1)
  await page.getByRole('dialog', { name: 'Purchase Details' }).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(openDialogs(page)).toHaveCount(0)
})
