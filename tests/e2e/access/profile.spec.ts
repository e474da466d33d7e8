/** What surrounds the customer: every way of signing in, identity check, profile, wallet, referral, dashboard. */
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, type Journey, test } from '#support/journey.ts'

const PASSWORD = 'correct horse battery'
const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Removes the session from this browser, as if it were another device. */
async function becomeStranger(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

async function signInWithPassword({ page }: Journey, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Use your password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The path of the link in the newest mail with this subject. */
async function linkInMail({ page }: Journey, email: string, subject: string): Promise<string> {
  await page.goto('/sandbox')
  const mail = page.locator(`[data-mail="${email}"]`).filter({ hasText: subject }).first()
  const text = (await mail.locator('details').textContent()) ?? ''
  return /\/not-me\?token=[\w.-]+/.exec(text)?.[0] ?? ''
}

test('the password signs in; wrong ones are said, and Back leads to the start', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 401/)
  const email = await journey.signUp()
  await becomeStranger(page)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Use your password' }).click()
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username')
  const logIn = page.getByRole('button', { name: 'Log in' })
  await expect(logIn).toBeDisabled()
  await password.fill('not my password')
  await logIn.click()
  await expect(page.getByText('Your email or password is incorrect. Please try again.')).toBeVisible()
  await expect(password).toHaveValue('not my password')
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Back to the start' }).click()
  await expect(page.getByRole('button', { name: 'Next' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await signInWithPassword(journey, email)
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Welcome to the app')).toBeVisible()
})

test('the password step needs an email of this tab, and leads back without', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  await page.goto('/sign-in-with-password')
  await expect(page.getByText('Invalid navigation: no email provided.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Back' }).last().click()
  await page.waitForURL('**/dashboard')
  await page.evaluate((address) => sessionStorage.setItem('sign-in-email', address), email)
  await page.goto('/sign-in-with-password')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/dashboard')
  expect(await page.evaluate(() => sessionStorage.getItem('sign-in-email'))).toBeNull()
})

test('a new password goes by two dialogs, ends the sessions, and lets withdrawals rest', async ({ journey, browser }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of (400|401)/)
  const email = await journey.signUp()
  const other = await browser.newContext({ baseURL: journey.baseUrl, storageState: await page.context().storageState() })
  await becomeStranger(page)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Use your password' }).click()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  const first = page.getByRole('dialog', { name: 'Reset Password' })
  await expect(first.getByText('Withdrawals and some services may be temporarily disabled')).toBeVisible()
  await expect(first.getByLabel('Email/Phone number')).toHaveValue(`${email.slice(0, 2)}${'*'.repeat(34)}@example.com`)
  await first.getByRole('button', { name: 'Continue' }).click()
  await expect(first.getByText('Please enter your new password')).toBeVisible()
  await first.getByLabel('Password', { exact: true }).fill('short')
  await first.getByRole('button', { name: 'Continue' }).click()
  await expect(first.getByText('Password must be at least 8 characters')).toBeVisible()
  await journey.expectAccessible()
  await first.getByLabel('Password', { exact: true }).fill('an entirely new password')
  await first.getByRole('button', { name: 'Continue' }).click()
  const second = page.getByRole('dialog', { name: 'Forgot Password' })
  await expect(page.getByText('Please check your email to get the verification code')).toBeVisible()
  await second.getByRole('button', { name: 'Confirm' }).click()
  await expect(second.getByText('Please enter the verification code')).toBeVisible()
  await journey.expectAccessible()
  await second.getByLabel('Verification code').fill(await journey.codeFor(email))
  await second.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('You can sign in now')).toBeVisible()
  await expect(second).toBeHidden()
  const there = await other.newPage()
  await there.goto('/dashboard')
  await expect(there).toHaveURL(/\/sign-in$/)
  await other.close()
  await signInWithPassword(journey, email, 'an entirely new password')
  await page.waitForURL('**/dashboard')
  await page.goto('/profile')
  await expect(
    page.getByText(/^Withdrawals rest until .* UTC, because of a change to the security of your account\.$/)
  ).toBeVisible()
  await journey.expectAccessible()
})

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
  await page.goto('/profile')
  await expect(page.getByText('Withdrawals are locked')).toBeVisible()
  journey.expectedErrors.push(/status of 403/)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await expect(page.getByText('Your account is locked. Please set a new password first.')).toBeVisible()
})

test('an unverified customer is asked to verify where it matters, then goes on at once', async ({ journey, context }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 403/)
  await journey.signUp({ unverified: true })
  await expect(page.getByText('Not Verified')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Verify now!' })).toHaveAttribute('target', '_blank')
  for (const path of ['/package-detail/82/preview', '/buy-package']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'KYC Verification Required' })).toBeVisible()
    await expect(page.getByText('You need to complete KYC verification to access all platform features')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Verify Now' })).toBeVisible()
    await journey.expectAccessible()
  }
  await expect(page.getByRole('link', { name: 'View Project CPC' })).toBeHidden()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the verification link' }).click()
  await expect(page.getByText('Copy successfully')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const [check] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Verify Now' }).click()])
  expect(check.url()).toBe(link)
  await check.getByRole('button', { name: 'Ask again' }).click()
  await check.getByLabel('First name').fill('Grace')
  await check.getByLabel('Last name').fill('Hopper')
  await check.getByRole('button', { name: 'Approve' }).click()
  await expect(check.getByText('Told the product: Approve.')).toBeVisible()
  await check.close()
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('link', { name: 'View Project CPC' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good day, Grace Hopper')
  await expect(page.getByText('Your information is verified.')).toBeVisible()
})

test('the profile changes name, phone and email, and keeps what was typed', async ({ journey }) => {
  const { page } = journey
  journey.expectedErrors.push(/status of 422/)
  const email = await journey.signUp()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit name and phone' }).click()
  const edit = page.getByRole('dialog', { name: 'Name and phone' })
  await edit.getByRole('textbox', { name: 'Name' }).fill('ada king')
  await edit.getByLabel('Phone number').fill('nonsense')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Phone number is invalid')).toBeVisible()
  await expect(edit.getByRole('textbox', { name: 'Name' })).toHaveValue('ada king')
  await journey.expectAccessible()
  await edit.getByLabel('Phone number').fill('+44 20 7946 0000')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your changes are saved.')).toBeVisible()
  await expect(page.getByText('+44 20 7946 0000')).toBeVisible()
  await expect(page.locator('[data-customer=initials]')).toHaveText('AK')

  await page.getByRole('button', { name: 'Change email' }).click()
  const ask = page.getByRole('dialog', { name: 'Change email' })
  const next = `next-${email}`
  await ask.getByLabel('New email').fill(next)
  await ask.getByRole('button', { name: 'Send codes' }).click()
  const codes = page.getByRole('dialog', { name: 'Enter both codes' })
  await expect(codes).toBeVisible()
  await journey.expectAccessible()
  const [current, fresh] = [await journey.codeFor(email), await journey.codeFor(next)]
  const [first, second] = await codes.getByRole('textbox').all()
  await first?.fill(current === '000000' ? '000001' : '000000')
  await second?.fill(fresh)
  await codes.getByRole('button', { name: 'Change email' }).click()
  await expect(codes.getByText('The code is invalid or expired. Please request a new one.')).toHaveCount(1)
  await first?.fill(current)
  await codes.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Your email was changed.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good day, Ada King')
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
  await page.goto('/profile')
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
  await journey.sql(
    `update sessions set proved_at = now() - interval '1 hour' where user_id = (select id from users where email = $1)`,
    [email]
  )
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const confirm = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await expect(confirm).toBeVisible()
  await journey.expectAccessible()
  await confirm.getByLabel('Code').fill(await journey.codeFor(email))
  const add = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(add.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await journey.expectAccessible()
  const secret = ((await add.getByText('By hand:').textContent()) ?? '').replace(/By hand:|\s/g, '')
  await add.getByLabel('Authenticator code').fill('000000')
  await add.getByRole('button', { name: 'Turn on' }).click()
  await expect(add.getByText('This code is wrong or was used before.')).toBeVisible()
  await add.getByLabel('Authenticator code').fill(totpOf(secret))
  await add.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await journey.expectAccessible()
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 of your recovery codes are left')).toBeVisible()

  await becomeStranger(page)
  await signInWithPassword(journey, email)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Authenticator code').fill('000000')
  await expect(page.getByText('This code is wrong or was used before.')).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery.toLowerCase())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/dashboard')
  await page.goto('/profile')
  await expect(page.getByText('9 of your recovery codes are left')).toBeVisible()
  await page.getByRole('button', { name: 'Remove authenticator app' }).click()
  await expect(page.getByText('Your authenticator app was removed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible()
})

test('a passkey is added, signs in with one press, and is removed', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const add = page.getByRole('dialog', { name: 'Add a passkey' })
  await add.getByRole('button', { name: 'Continue' }).click()
  await expect(add.getByText('Please enter a name for this passkey')).toBeVisible()
  await journey.expectAccessible()
  await add.getByLabel('Name of this passkey').fill('My laptop')
  await add.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your passkey was added.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove passkey My laptop' })).toBeVisible()
  await becomeStranger(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Welcome to the app')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText(/^Signed in with a passkey/)).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('button', { name: 'Remove passkey My laptop' }).click()
  await expect(page.getByText('Your passkey was removed.')).toBeVisible()
})

test('the wallet lists every token, searches, moves, and every figure opens its lines', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/package-detail/19/preview?token=CPC')
  await page.waitForURL(/order=RF/)
  await journey.pay(new URL(page.url()).searchParams.get('order') ?? '', 'Payment arrives')
  await page.goto('/token-list')
  const rows = page
    .getByRole('table', { name: /^Your tokens/ })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(24)
  await page.getByLabel('Search a token').fill('sol ana')
  await expect(rows).toHaveCount(1)
  for (const [action, said] of [
    ['Deposit', 'Deposit is coming soon'],
    ['Withdraw', 'Withdraw is coming soon'],
    ['Order history', 'Coming soon']
  ] as const) {
    await rows.getByRole('button', { name: action }).click()
    await expect(page.getByText(said, { exact: true })).toBeVisible()
  }
  await page.getByLabel('Search a token').fill('')
  await page.getByLabel('Hide zero balances').check()
  await expect(rows).toHaveCount(1)
  const cpc = rows.filter({ hasText: 'CP Coin' })
  await expect(cpc.getByRole('link', { name: 'Deposit' })).toHaveAttribute('href', '/deposit/CPC')
  await expect(cpc.getByRole('link', { name: 'Order history' })).toHaveAttribute('href', '/package-history')
  await cpc.getByRole('button', { name: 'Transfer CPC' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transfer CPC' })
  await dialog.getByLabel('Amount').fill('20,000.1')
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(dialog.getByText('Insufficient Balance')).toBeVisible()
  await journey.expectAccessible()
  await dialog.getByLabel('Amount').fill('1500')
  await dialog.getByRole('button', { name: 'Transfer' }).click()
  await expect(page.getByText('Transferred successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  await cpc.getByRole('link', { name: '20,000.000' }).nth(1).click()
  await expect(page.getByRole('heading', { name: 'CPC statement' })).toBeVisible()
  await expect(page.getByText('20,000 CPC')).toBeVisible()
  await page.getByRole('link', { name: 'Spot' }).click()
  const lines = page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
  await expect(lines).toHaveCount(2)
  await expect(lines.first()).toContainText('−1,500')
  await expect(lines.first()).toContainText('18,500')
  await journey.expectAccessible()
  await page.getByLabel('Kind').selectOption('Token purchase')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(lines).toHaveCount(1)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()])
  expect(download.suggestedFilename()).toBe('CPC-spot-statement.csv')
  await page.getByRole('link', { name: /^RF/ }).click()
  await expect(page.getByRole('dialog', { name: 'Purchase Details' })).toContainText('Completed')
})

test('an invitation brings a reward when the order of the invitee completes', async ({ journey, browser }) => {
  const { page } = journey
  await journey.signUp()
  await page.goto('/referral')
  await expect(page.getByText('No rewards yet')).toBeVisible()
  await page.getByRole('link', { name: 'Invitee' }).click()
  await expect(page.getByText('No invitees found')).toBeVisible()
  const link = (await page.getByText(/\/sign-up\?ref=/).textContent()) ?? ''
  const context = await browser.newContext({ baseURL: journey.baseUrl })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await expect(theirs.getByLabel('Referral code (optional)')).toHaveValue(/^[0-9A-Z]{8}$/)
  await context.close()
  const code = new URL(link).searchParams.get('ref') ?? ''
  const { id, email } = await journey.invite(code)
  await journey.pay(id, 'Payment arrives')
  await page.reload()
  await expect(page.getByRole('rowheader', { name: email })).toBeVisible()
  await expect(page.getByText('1-1 of 1 items')).toBeVisible()
  await journey.expectAccessible()
  await page.getByRole('link', { name: 'Reward', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: id })
  await expect(row).toContainText('$1,000.00')
  await expect(row).toContainText(/1,000\.000\sCPC/)
  await journey.expectAccessible()
  await page.getByRole('link', { name: '20', exact: true }).click()
  await expect(page).toHaveURL(/size=20/)
  await page.goto('/statement/CPC?account=reward')
  await expect(page.getByRole('rowheader', { name: /Referral reward/ })).toBeVisible()
})

test('the dashboard has its projects, apps and chat', async ({ journey }) => {
  const { page } = journey
  await journey.signUp()
  const tiles = page.getByRole('region', { name: 'Projects' }).getByRole('button')
  await expect(tiles).toHaveCount(6)
  await tiles.first().click()
  const modal = page.getByRole('dialog', { name: 'CPC' })
  await expect(modal.getByRole('link', { name: /^Learn more/ })).toHaveAttribute('target', '_blank')
  await expect(modal.getByRole('link', { name: /^Telegram business card/ })).toBeVisible()
  await journey.expectAccessible()
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(tiles.first()).toBeFocused()
  expect(await page.getByRole('link', { name: /^Telegram business card/, includeHidden: true }).count()).toBe(2)
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
