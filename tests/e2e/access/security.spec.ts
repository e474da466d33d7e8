import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, type Journey, test } from '#support/journey.ts'
import { becomeStranger, PASSWORD, signInWithPassword } from '#support/signingIn.ts'
import { addVirtualPasskey } from '#support/virtualPasskey.ts'

const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** The path of the link in the newest mail with this subject. */
async function linkInMail({ page }: Journey, email: string, subject: string): Promise<string> {
  await page.goto('/sandbox')
  const mail = page.locator(`[data-mail="${email}"]`).filter({ hasText: subject }).first()
  const text = (await mail.locator('details').textContent()) ?? ''
  return /\/not-me\?token=[\w.-]+/.exec(text)?.[0] ?? ''
}

test('a mail reports a new sign-in; its link ends everything with one press', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  await becomeStranger(page)
  await signInWithPassword(journey, email)
  await page.waitForURL('**/dashboard')
  await page.goto(await linkInMail(journey, email, 'New sign-in to your account'))
  await journey.expectAccessible()
  await page.goto('/dashboard')
  await expect(page, 'opening the link alone does nothing').toHaveURL(/\/dashboard$/)
  await page.goBack()
  await page.getByRole('button', { name: 'This wasn’t me: secure my account' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is secured' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
  await page.getByLabel('OTP', { exact: true }).fill(await journey.codeFor(email))
  await page.waitForURL('**/dashboard')
  await page.goto('/profile#security')
  await expect(page.getByText('Withdrawals are locked')).toBeVisible()
  journey.expectedErrors.push(/status of 403/)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await expect(page.getByText('Your account is locked. Please set a new password first.')).toBeVisible()
})

test('devices are listed; one is ended, and all others', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  for (let count = 0; count < 2; count += 1) {
    await page.request.post('/v1/users/signin', {
      data: { email, password: PASSWORD },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', cookie: '' }
    })
  }
  await page.goto('/profile#security')
  const list = page.getByRole('region', { name: 'Devices and sessions' })
  await expect(list.getByText('Firefox on Linux')).toHaveCount(2)
  await expect(list.getByText('This device')).toHaveCount(1)
  await journey.expectAccessible()
  await list
    .getByRole('button', { name: /^End the session on Firefox/ })
    .first()
    .click()
  await expect(page.getByText('The session was ended.')).toBeVisible()
  await expect(list.getByText('Firefox on Linux')).toHaveCount(1)
  await list.getByRole('button', { name: 'End all others' }).click()
  await expect(list.getByText('Firefox on Linux')).toHaveCount(0)
})

test('an authenticator app is added, asked for, and taken off again', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of (400|401|403|422)/)
  const email = await journey.signUp()
  await journey.letTimePass(email, 'proof')
  await page.goto('/profile#security')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const confirm = page.getByRole('dialog', { name: 'Please confirm that it’s you' })
  await expect(confirm).toBeVisible()
  await journey.expectAccessible()
  await confirm.getByLabel('Code').fill(await journey.codeFor(email))
  const add = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(add.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await journey.expectAccessible()
  const secret = ((await add.getByText('Manually:').textContent()) ?? '').replace(/Manually:|\s/g, '')
  await add.getByLabel('Authenticator code').fill('000000')
  await add.getByRole('button', { name: 'Turn on' }).click()
  await expect(add.getByText('This code is wrong or already used.')).toBeVisible()
  await add.getByLabel('Authenticator code').fill(totpOf(secret))
  await add.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await journey.expectAccessible()
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 of your recovery codes are left')).toBeVisible()

  await becomeStranger(page)
  await signInWithPassword(journey, email)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Authenticator code').fill('000000')
  await expect(page.getByText('This code is wrong or already used.')).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery.toLowerCase())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/profile#security')
  await expect(page.getByText('9 of your recovery codes are left')).toBeVisible()
  await page.getByRole('button', { name: 'Remove authenticator app' }).click()
  await expect(page.getByText('Your authenticator app was removed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible()
})

/** A new customer, whose browser has a passkey for every site, is about to add it. */
async function openAddPasskey(journey: Journey): Promise<Locator> {
  const { page } = journey
  await journey.signUp()
  await addVirtualPasskey(page)
  await page.goto('/profile#security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  return page.getByRole('dialog', { name: 'Add a passkey' })
}

/** The virtual passkey answers every question at once, also one that a person would see as a suggestion. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

test('a passkey among the suggestions of the email field signs in', async ({ journey }) => {
  const { page } = journey
  const add = await openAddPasskey(journey)
  await add.getByLabel('Name of this passkey').fill('My phone')
  await add.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your passkey was added.')).toBeVisible()
  await becomeStranger(page)
  await page.goto('/sign-in')
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
  await page.waitForURL('**/dashboard')
  await page.goto('/profile#security')
  await expect(page.getByText(/^Signed in with a passkey/)).toBeVisible()
})

test('a passkey is added, signs in with one press, and is removed', async ({ journey }) => {
  const { page } = journey
  const add = await openAddPasskey(journey)
  await add.getByRole('button', { name: 'Continue' }).click()
  await expect(add.getByText('Please enter a name for this passkey')).toBeVisible()
  await journey.expectAccessible()
  await add.getByLabel('Name of this passkey').fill('My laptop')
  await add.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your passkey was added.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove passkey My laptop' })).toBeVisible()
  await becomeStranger(page)
  await withoutSuggestions(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Welcome to the app')).toBeVisible()
  await page.goto('/profile#security')
  await expect(page.getByText(/^Signed in with a passkey/)).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Remove passkey My laptop' }).click()
  await expect(page.getByText('Your passkey was removed.')).toBeVisible()
})
