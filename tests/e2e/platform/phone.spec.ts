/** What a phone owes a customer: short pages, and every task in two presses. */
import { freshDatabase } from '#support/databases.ts'
import { expect, test } from '#support/journey.ts'
import { livePastYear } from '#support/pastYear.ts'
import { startServer } from '#support/serverProcess.ts'
import { openSession } from '#support/visitor.ts'

/** The tasks of a customer: what is pressed one after the other from the dashboard, and the form that then stands there. */
const TASKS: [task: string, presses: (string | RegExp)[], form: string | RegExp][] = [
  ['buy PTC', ['Buy', /^View Project PTC/], 'Buy Now'],
  ['deposit', ['Deposit'], /^Copy .*address/i],
  ['withdraw', ['Withdraw'], 'Submit'],
  ['transfer', ['Transfer'], 'Transfer'],
  ['sell peer to peer', ['Menu', 'P2P'], 'Sell'],
  ['see the staking', ['All stakes'], 'Search'],
  ['see what comes when', ['Calendar'], 'Create a private link'],
  ['see what happened', ['Activity'], 'Download as CSV'],
  ['change the email', ['Profile'], 'Change Email'],
  ['see the notices', [/^Notices/], 'Mark all as read'],
  ['one token and its lines', [/^BTC/], 'Withdraw']
]

test('a customer with a year of history: pages stay short, and every task takes two presses at most @phone', async ({
  browser
}) => {
  test.skip(!process.env.E2E_POSTGRES_URL, 'it needs a database of its own, which it has where it starts the server itself')
  test.setTimeout(120_000)
  const DATABASE_URL = await freshDatabase(process.env.E2E_POSTGRES_URL ?? '')
  const { orders: _, ...visitor } = await livePastYear({ DATABASE_URL }, 'grace.hopper@example.com')
  const server = await startServer({ DATABASE_URL, LIMIT_SCALE: '100' })
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  try {
    await openSession(context, server.url, { ...visitor, browser: 'browser=none' })
    const page = await context.newPage()
    for (const [path, most] of [
      ['/dashboard', 2400],
      ['/profile', 2600],
      ['/profile#security', 2600]
    ] as const) {
      await page.goto(path)
      // The banner of the sandbox is not part of the product.
      const height = await page.evaluate(
        () =>
          document.documentElement.scrollHeight - (document.querySelector<HTMLElement>('.shell-page > aside')?.offsetHeight ?? 0)
      )
      expect.soft(height, `height of ${path}`).toBeLessThanOrEqual(most)
    }
    for (const [path, rows] of [
      ['/package-history?tab=order', '.list tbody tr'],
      ['/staking', '.list tbody tr'],
      ['/p2p', '.book tbody tr'],
      ['/activity', '.rows > li']
    ] as const) {
      await page.goto(path)
      const heights = await page.locator(rows).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
      expect(heights.length, `rows of ${path}`).toBeGreaterThan(0)
      expect.soft(Math.max(...heights), `tallest row of ${path}`).toBeLessThanOrEqual(88)
    }
    for (const [task, presses, form] of TASKS) {
      expect(presses.length, task).toBeLessThanOrEqual(2)
      await page.goto('/dashboard')
      for (const name of presses) {
        const wanted = page.getByRole('link', { name, exact: true }).or(page.getByRole('button', { name, exact: true }))
        await wanted.filter({ visible: true }).first().click({ timeout: 5000 })
      }
      const found = page.getByRole('button', { name: form, exact: true }).or(page.getByRole('link', { name: form, exact: true }))
      await expect.soft(found.filter({ visible: true }).first(), task).toBeVisible()
    }
  } finally {
    await context.close()
    await server.stop()
  }
})
