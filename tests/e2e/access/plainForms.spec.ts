/** Signing in, up and out without scripts, and how the token pair reaches the browser when scripts load later. */
import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, type Journey, test } from '#support/journey.ts'
import { PASSWORD } from '#support/signingIn.ts'

type Plain = { page: Page; context: BrowserContext }

async function withoutScripts(browser: Browser, { baseUrl }: Journey): Promise<Plain> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseUrl })
  return { context, page: await context.newPage() }
}

const alerts = (page: Page) => page.getByRole('alert')
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('auth-storage'))

async function requestCode(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByLabel('OTP', { exact: true })).toBeVisible()
}

async function signInPlainly(journey: Journey, page: Page, email: string): Promise<void> {
  await requestCode(page, email)
  await page.getByLabel('OTP', { exact: true }).fill(await journey.codeFor(email))
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL(/\/signed-in$/)
}

test('a customer signs up, verifies, reads everything and signs out with scripts off', async ({ journey, browser }) => {
  const { page, context } = await withoutScripts(browser, journey)
  const email = `${randomUUID()}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill('nobody@')
  await page.getByLabel('Phone number').fill('+43 660 1234567')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Email format is invalid')).toBeVisible()
  await expect(page.getByText('Please enter your password')).toBeVisible()
  await expect(page.getByLabel('Phone number'), 'what was typed stays').toHaveValue('+43 660 1234567')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/sign-up-verify')
  expect(page.url(), 'no address in the URL').not.toContain('@')
  await page.reload()
  await page.getByLabel('Verification code').fill('000000')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByText('The code is invalid or expired. Please request a new one.')).toBeVisible()
  await page.getByRole('button', { name: 'Resend code' }).click()
  await expect(page.getByText(/^Please wait .* before requesting another code\.$/)).toBeVisible()
  await page.getByLabel('Verification code').fill(await journey.codeFor(email))
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  for (const path of [
    '/dashboard',
    '/token-list?all',
    '/token/PTC',
    '/activity',
    '/package-history',
    '/profile',
    '/notices',
    '/referral'
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
  }
  await page.goto('/token-list?all')
  await expect(page.getByRole('rowheader')).toHaveCount(24)
  await page.goto('/sign-out')
  await expect(page, 'a link signs nobody out').toHaveURL(/\/dashboard$/)
  const left = await context.request.post('/sign-out', { headers: { origin: journey.baseUrl }, maxRedirects: 0 })
  expect(left.status()).toBe(303)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
  await context.close()
})

test('the password, a wrong one first, and the second factor work with scripts off', async ({ journey, browser }) => {
  journey.expectedErrors.push(/status of 40[013]/)
  const email = await journey.signUp()
  await journey.page.goto('/profile#security')
  await journey.page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const add = journey.page.getByRole('dialog', { name: 'Add an authenticator app' })
  const secret = ((await add.getByText('Manually:').textContent()) ?? '').replace(/Manually:|\s/g, '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await add.getByLabel('Authenticator code').fill(totp.generate())
  await add.getByRole('button', { name: 'Turn on' }).click()
  const codes = journey.page.getByRole('dialog', { name: 'Your recovery codes' })
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? ''

  const { page, context } = await withoutScripts(browser, journey)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Use your password' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Your email or password is incorrect. Please try again.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Authenticator code').fill('000000')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByText('This code is wrong or already used.')).toBeVisible()
  await page.getByLabel('Authenticator code').fill(recovery)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL(/\/signed-in$/)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.close()
})

test('a form that was sent before the scripts came goes on where it led, and the pair is kept', async ({ journey }) => {
  const { page } = journey
  const email = await journey.signUp()
  // Go to a page without scripts first: the dashboard would redirect as soon as its session is gone.
  await page.goto('/robots.txt')
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/_astro/*.js', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Next' }).click({ noWaitAfter: true })
  const otp = page.getByLabel('OTP', { exact: true })
  await expect(otp).toBeVisible()
  await otp.fill(await journey.codeFor(email))
  await page.getByRole('button', { name: 'Verify', exact: true }).click({ noWaitAfter: true })
  await expect(page.getByRole('heading', { name: 'Welcome to the app' })).toBeVisible()
  expect(await stored(page)).toBeNull()
  release()
  await page.waitForURL('**/dashboard')
  await expect.poll(() => stored(page)).toContain('refreshToken')
  await page.goBack()
  await expect(page, 'Back leads to no page with the pair').not.toHaveURL(/signed-in/)
})

test('the pair is made once: a reload, a second tab and a copied address get none', async ({ journey, browser }) => {
  const email = await journey.signUp()
  const { page, context } = await withoutScripts(browser, journey)
  await signInPlainly(journey, page, email)
  const pairOf = (html: string) => /data-refresh-token="([^"]+)"/.exec(html)?.[1]
  expect(pairOf(await page.content())).toBeTruthy()
  const again = await Promise.all([context.request.get('/signed-in'), context.request.get('/signed-in')])
  for (const answer of again) {
    expect(pairOf(await answer.text())).toBeUndefined()
    expect(answer.headers()['cache-control']).toBe('private, no-store')
  }
  await context.close()
})

test('a tab that was closed before it kept the pair asks to sign in again, and loses nothing else', async ({
  journey,
  browser
}) => {
  const email = await journey.signUp()
  const { page, context } = await withoutScripts(browser, journey)
  await signInPlainly(journey, page, email)
  const state = await context.storageState()
  await context.close()
  const later = await browser.newContext({ storageState: state, baseURL: journey.baseUrl })
  const tab = await later.newPage()
  await tab.goto('/dashboard')
  await tab.waitForURL('**/sign-in')
  await expect(tab.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await later.close()
})

test('a form of another site, or of no site, is refused', async ({ journey }) => {
  const { page, baseUrl } = journey
  const form = { email: 'ada@example.com', do: 'code' }
  const senders: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]
  for (const headers of senders) {
    for (const path of ['/sign-in', '/sign-up', '/sign-up-verify', '/settings', '/sign-out']) {
      // Node's fetch sends no `Sec-Fetch-Site` header.
      const answer = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers,
        redirect: 'manual'
      })
      expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403)
    }
  }
  await page.goto('/sign-in')
  await expect(alerts(page)).toHaveCount(0)
})
