/** Helpers for journeys that sign in again, on another device or with the password. */
import type { Page } from '@playwright/test'
import type { Journey } from './journey.ts'

export const PASSWORD = 'correct horse battery'

/** Removes the session from this browser, as if it were another device. */
export async function becomeStranger(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  // Leave first: a page that notices the end of its session redirects to the sign-in, in conflict with the test's next navigation.
  await page.goto('about:blank')
  await page.context().clearCookies()
}

export async function signInWithPassword({ page }: Journey, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Use your password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
