/** Everything works by keyboard: the main job, the dialogs, the table; the focus is never lost. */
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#support/journey.ts'

const MOST_TABS = 60

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  await expect(control).toBeEnabled()
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${control} was not reached with ${MOST_TABS} presses of Tab`)
}

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

/** A dialog opened by keyboard keeps the focus inside, closes on Escape, and returns the focus to its opener. */
async function expectModal(page: Page, name: string, opener: Locator): Promise<void> {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  for (let pressed = 0; pressed < 8; pressed += 1) {
    const isInside = await dialog.evaluate(
      (element) => element.contains(document.activeElement) || document.activeElement === document.body
    )
    expect(isInside, `${name}: the focus stays inside`).toBe(true)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

test('the whole main job without a mouse', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  const email = `${randomUUID()}@example.com`
  await page.goto('/sign-in')
  await press(page, page.getByRole('link', { name: 'Create an account' }))
  await page.waitForURL('**/sign-up')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled()
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('correct horse battery')
  await press(page, page.getByRole('button', { name: 'Show password' }))
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await tabTo(page, page.getByLabel('Phone number'))
  await page.keyboard.type('+43 660 1234567')
  await press(page, page.getByRole('button', { name: 'Create Account' }))
  await page.waitForURL('**/sign-up-verify')
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await page.keyboard.type(await journey.codeFor(email))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await journey.approveIdentity()
  await page.goto('/package-detail/PTC')
  const card = page.getByRole('form', { name: 'Buy PTC' })
  await tabTo(page, card.getByLabel('$1,000'))
  await page.keyboard.press('ArrowRight')
  await expect(card.getByLabel('$2,500')).toBeChecked()
  await tabTo(page, card.getByLabel('No Staking'))
  await page.keyboard.press('ArrowDown')
  await expect(card.getByLabel('Staking 12 Months')).toBeChecked()
  await press(page, card.getByRole('button', { name: 'Buy Now' }))
  await page.waitForURL(/order=RF\d{14}/)
  await press(page, page.getByRole('button', { name: 'Continue', exact: true }))
  for (const term of ['Crypto Asset Terms', 'Custody Terms', 'Staking Program Terms']) {
    await tabTo(page, page.getByLabel(`I accept the ${term}`))
    await page.keyboard.press('Space')
  }
  await press(page, page.getByRole('button', { name: 'Continue to payment' }))
  await press(page, page.getByRole('button', { name: 'Payment Confirmed' }))
  const dialog = page.getByRole('dialog', { name: 'Payment Confirmed!' })
  await expect(dialog).toBeVisible()
  await press(page, dialog.getByRole('link', { name: 'View Order' }))
  await page.waitForURL('**/package-history**')
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toBeVisible()
})

test('every dialog takes the focus, keeps it and gives it back', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  const menuButton = page.getByRole('button', { name: 'Menu', exact: true })
  if (isPhone) {
    await press(page, menuButton)
    const menu = page.getByRole('complementary', { name: 'Side menu' })
    await expect(menu).toBeVisible()
    await tabTo(page, menu.getByRole('link', { name: 'Project' }))
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(menuButton).toBeFocused()
  } else {
    const logOut = page.getByRole('button', { name: 'Log out' })
    await press(page, logOut)
    await expect(page.getByRole('button', { name: 'No, I want to stay' })).toBeFocused()
    await expectModal(page, 'Are you sure that you want to log out?', logOut)
  }
  await journey.openPreview(12)
  await press(page, page.getByRole('button', { name: 'Continue', exact: true }))
  for (const term of ['Crypto Asset Terms', 'Custody Terms', 'Staking Program Terms']) {
    const opener = page.getByRole('link', { name: `Read the ${term}` })
    await press(page, opener)
    await expectModal(page, term, opener)
  }
  await page.goto('/package-history')
  await journey.hydrated()
  const view = page.getByRole('link', { name: /^View order/ })
  await press(page, view)
  await expect(page.getByRole('dialog', { name: 'Purchase Details' }).getByText('Total to pay')).toBeVisible()
  await expectModal(page, 'Purchase Details', view)
})

test('what changes by itself is announced, and an error has the focus', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  await page.goto('/sign-in')
  await press(page, page.getByRole('button', { name: 'Next' }))
  const email = page.getByLabel('Email')
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription('Email is required')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Email is required' })).toBeVisible()
})

test('figures that change by themselves are said, once', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const orderId = await journey.openPreview()
  await page.clock.install()
  await page.goto('/dashboard')
  await journey.hydrated()
  const total = page.getByRole('region', { name: 'Total money you have (USD)' }).locator('[aria-live=polite]')
  await expect(total).toHaveText('$0.00')
  await total.evaluate((region) => {
    const said: (string | null)[] = []
    Reflect.set(window, 'said', said)
    new MutationObserver(() => said.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true
    })
  })
  await journey.pay(orderId, 'Payment arrives')
  await journey.comeBackAfterAMinute()
  await expect(total).toHaveText('$999.99')
  expect(await page.evaluate(() => Reflect.get(window, 'said'))).toEqual(['$999.99'])
})
