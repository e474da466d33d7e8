/**
 * Plays the outside world in a journey, on `/sandbox` in a new tab. The tab opens without a fragment, so that a journey can wait for
 * the fragment that a sent form redirects to (e.g. `/sandbox#chains`) before the tab closes.
 */
import type { Journey } from './journey.ts'

export async function outside({ page }: Journey, act: (tab: Journey['page']) => Promise<void>): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto('/sandbox')
  await act(tab)
  await tab.close()
}

/** A stranger's transfer to the customer's address; it has one confirmation. */
export async function sendDeposit(journey: Journey, email: string, currency: string, amount: string): Promise<void> {
  await outside(journey, async (tab) => {
    const form = tab.locator('form', { has: tab.getByRole('button', { name: 'Send a deposit' }) })
    await form.getByLabel('E-mail of the customer').fill(email)
    await form.getByLabel('Token').selectOption(currency)
    await form.getByLabel('Amount').fill(amount)
    await form.getByRole('button', { name: 'Send a deposit' }).click()
    await tab.waitForURL('**/sandbox#chains')
  })
}

/** Presses a chain's button, e.g. to add a block. */
export const pressChain = (journey: Journey, chain: string, label: string) =>
  outside(journey, async (tab) => {
    await tab.locator('select[name=chain]').selectOption(chain)
    await tab.getByRole('button', { name: label, exact: true }).click()
    await tab.waitForURL('**/sandbox#chains')
  })
