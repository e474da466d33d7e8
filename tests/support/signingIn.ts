/** What journeys do to come back as somebody else, or in another way. */
import type { Page } from '@playwright/test'
import type { Journey } from './journey.ts'

export const PASSWORD = 'correct horse battery'

/** Removes the session from this browser, as if it were another device. */
export async function becomeStranger(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  // A page that finds its session gone goes to the sign-in by itself, and would cross what the test opens next.
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
