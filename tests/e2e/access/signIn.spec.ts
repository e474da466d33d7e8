import { maskEmail } from '#lib/domain/access/credentials.ts'
import { expect, test } from '#support/journey.ts'

test('the email is asked for, checked live, and keeps the focus', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  const email = page.getByLabel('Email')
  await expect(email).toBeFocused()
  await email.fill('ada@')
  await expect(page.getByText('Email format is invalid')).toBeVisible()
  await email.fill('ada@example.com')
  await expect(page.getByText('Email format is invalid')).toBeHidden()
})

test('signs in by code, after a wrong one, and signs out with its confirmation', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 400/)
  const email = await journey.signUp()
  await logOut(journey.page)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)

  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('OTP has been sent to your email.')).toBeVisible()
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeDisabled()
  const otp = page.getByLabel('OTP', { exact: true })
  await expect(otp).toBeFocused()
  const code = await journey.codeFor(email)
  await otp.fill(code === '111111' ? '222222' : '111111')
  await expect(page.getByText('OTP invalid or expired.')).toBeVisible()
  await expect(otp).toBeFocused()
  await otp.fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('OTP Verified. Welcome!')).toBeVisible()
})

test('an expired code does not sign in; Back resets', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 400/)
  const email = await journey.signUp()
  await logOut(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
  const code = await journey.codeFor(email)
  await journey.letTimePass(email, 'codes')
  await page.getByLabel('OTP', { exact: true }).fill(code)
  await expect(page.getByText('OTP invalid or expired.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the start' }).click()
  await expect(page.getByRole('button', { name: 'Next' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeEditable()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Please wait (1 minute|\d+ seconds) before requesting another OTP\.$/)).toBeVisible()
})

test('a code is asked for once, however often Next is pressed', { tag: '@desktop' }, async ({ journey }) => {
  const { page } = journey
  let requests = 0
  await page.route('**/otp/request', (route) => {
    requests += 1
    return route.continue()
  })
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await page.getByRole('button', { name: 'Next' }).dblclick()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
  expect(requests).toBe(1)
})

test('sign-up keeps what was typed and says what is wrong at each field', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByText('Phone number is required')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
})

test('the verification survives a reload, and says where to go without a sign-up', { tag: '@phone' }, async ({ journey }) => {
  const { page } = journey
  await page.goto('/sign-up-verify')
  await expect(page.getByText('Please sign up first')).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign up' }).click()
  const email = `reload-${crypto.randomUUID()}@example.com`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Phone number').fill('+43 660 1234567')
  await page.getByRole('button', { name: 'Create Account' }).dblclick()
  await page.waitForURL('**/sign-up-verify')
  await page.reload()
  await expect(page.getByText(maskEmail(email))).toBeVisible()
  await expect(page.getByRole('button', { name: 'Verify', exact: true })).toBeDisabled()
  await expect(page.getByText(/Time left: 29:\d\d/)).toBeVisible()
  await page.goBack()
  await page.goForward()
  await page.getByLabel('Verification code').fill(await journey.codeFor(email))
  await page.getByRole('button', { name: 'Verify', exact: true }).dblclick()
  await page.waitForURL('**/dashboard')
})

async function logOut(page: import('@playwright/test').Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1024) await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Are you sure that you want to log out?' })
  await dialog.getByRole('button', { name: 'No, I want to stay' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
  if ((page.viewportSize()?.width ?? 0) < 1024) await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/sign-in')
}
