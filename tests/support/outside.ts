/**
 * The outside world's part of a journey: the page `/sandbox` in a tab of its own. It opens without a fragment: the
 * address with one is that of an answered form, for which a journey waits before it closes the tab.
 */
import type { Journey } from './journey.ts'

export async function outside({ page }: Journey, act: (tab: Journey['page']) => Promise<void>): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto('/sandbox')
  await act(tab)
  await tab.close()
}

/** A transfer from somebody to the customer's address, in its first block. */
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

/** What a chain does, by the label of its button. */
export const pressChain = (journey: Journey, chain: string, label: string) =>
  outside(journey, async (tab) => {
    await tab.locator('select[name=chain]').selectOption(chain)
    await tab.getByRole('button', { name: label, exact: true }).click()
    await tab.waitForURL('**/sandbox#chains')
  })
