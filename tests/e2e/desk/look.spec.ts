/** Every page of the desk at every width and in both themes: nothing stands out sideways, and axe finds nothing. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { colleagueAt, deskUrl, inviteAdmin, personAt } from '#support/deskTabs.ts'
import { expect, test } from '#support/journey.ts'
import { postJson } from '#support/visitor.ts'

const PAGES = [
  '/',
  '/payments',
  '/payments?filter=all',
  '/payments/files',
  '/withdrawals',
  '/withdrawals?filter=all',
  '/approvals',
  '/approvals?filter=over',
  '/audit',
  '/people',
  '/sends',
  '/house',
  '/reports',
  '/rules',
  '/rules?r=role',
  '/me',
  '/nothing'
]
/** Of those who serve customers. */
const CLERKS = ['/support', '/names', '/names?filter=over', '/customers', '/withdrawals']
const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 }
]

async function writeToSupport(url: string): Promise<void> {
  await postJson(url, '/support/visitor', {
    email: `${randomUUID()}@example.com`,
    message: 'How long does a transfer take?',
    context: []
  })
}

/** At every width and in both themes: nothing stands out sideways, and axe finds nothing. */
async function lookAt(page: Page, path: string): Promise<void> {
  await page.goto(`${deskUrl()}${path}`)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const where = `${path} at ${size.width}, ${colorScheme}`
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(wide, where).toBe(0)
      await page.evaluate(`${axe.source}; undefined`)
      const found = await page.evaluate(async () => {
        const { violations } = await (
          window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
        ).axe.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`)
      })
      expect(found, where).toEqual([])
      if (process.env.LOOK)
        await page.screenshot({
          path: `${process.env.LOOK}/all${path.replaceAll(/\W/g, '_')}-${size.width}-${colorScheme}.png`
        })
    }
  }
}

test('every page of the desk, at 390, 1024 and 1440 px, light and dark', { tag: '@desktop' }, async ({ browser, journey }) => {
  test.setTimeout(120_000)
  journey.expectedErrors.push(/404/)
  const ids = randomUUID().slice(0, 6)
  const size = { colorScheme: 'light' as const }
  const page = await personAt(browser, inviteAdmin(`Look ${ids}`), size)
  const admins: [Page, Page] = [page, await personAt(browser, inviteAdmin(`Other ${ids}`), size)]
  const clerk = await colleagueAt({ journey, browser, admins, size }, `Clerk ${ids}`, ['support', 'compliance', 'finance'])
  await writeToSupport(journey.baseUrl)
  for (const path of PAGES) await lookAt(page, path)
  for (const path of CLERKS) await lookAt(clerk, path)
  // Nothing pressable under 44 px on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    '/',
    '/payments',
    '/payments/files',
    '/withdrawals',
    '/approvals',
    '/people',
    '/me',
    '/support',
    '/names',
    '/house'
  ]) {
    const at = CLERKS.includes(path) ? clerk : page
    await at.setViewportSize({ width: 390, height: 844 })
    await at.goto(`${deskUrl()}${path}`)
    const small = await at.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('a, button, summary, input:not([type=checkbox]):not([type=hidden])')]
        .filter((one) => one.offsetParent !== null && !one.closest('p') && one.getBoundingClientRect().height < 43.5)
        // The link of a row covers the row.
        .filter((one) => !one.classList.contains('go') && !one.classList.contains('skip'))
        .map((one) => one.outerHTML.slice(0, 100))
    )
    expect(small, path).toEqual([])
  }
  for (const one of [...admins, clerk]) await one.context().close()
})
