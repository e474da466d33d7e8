/** Every page of the desk at every width and in both themes: nothing stands out sideways, and axe finds nothing. */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
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
  '/lines?kind=treasury&currency=BTC',
  '/lines',
  '/reports',
  '/rules',
  '/rules?r=role',
  '/me',
  '/nothing'
]
/** Of those who serve customers. */
const CLERKS = ['/support', '/names', '/names?filter=over', '/customers', '/withdrawals', '/house']
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

const THEMES = ['light', 'dark'] as const

/** Nothing stands out sideways at any width; axe finds nothing on a phone and a large screen, nor in the colours of the other theme. */
async function lookAt(page: Page, path: string): Promise<void> {
  await page.goto(`${deskUrl()}${path}`)
  await page.evaluate(`${axe.source}; undefined`)
  for (const [at, size] of SIZES.entries()) {
    await page.setViewportSize(size)
    // Each width has the theme that the one before it has not, and the last both: a theme changes colours, a width does not.
    for (const colorScheme of at === SIZES.length - 1 ? (['light', 'dark'] as const) : [THEMES[at % 2] ?? 'light']) {
      await page.emulateMedia({ colorScheme })
      const where = `${path} at ${size.width}, ${colorScheme}`
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(wide, where).toBe(0)
      const isOtherTheme = at === SIZES.length - 1 && colorScheme === 'dark'
      if (size.width !== 1024) expect(await page.evaluate(violationsOf, isOtherTheme), where).toEqual([])
      if (process.env.LOOK)
        await page.screenshot({
          fullPage: true,
          path: `${process.env.LOOK}/all${path.replaceAll(/\W/g, '_')}-${size.width}-${colorScheme}.png`
        })
    }
  }
}

/** Runs inside the page. */
async function violationsOf(onlyColours: boolean): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(onlyColours ? { runOnly: { type: 'rule', values: ['color-contrast'] } } : {})
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`)
}

/** Nothing pressable is under 44 px on a phone. */
async function expectLargeEnough(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${deskUrl()}${path}`)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a, button, summary, input:not([type=checkbox]):not([type=hidden])')]
      .filter((one) => one.offsetParent !== null && !one.closest('p') && one.getBoundingClientRect().height < 43.5)
      // The link of a row covers the row.
      .filter((one) => !one.classList.contains('go') && !one.classList.contains('skip'))
      .map((one) => one.outerHTML.slice(0, 100))
  )
  expect(small, path).toEqual([])
}

const size = { colorScheme: 'light' as const }
const twoAdmins = async (browser: Browser): Promise<[Page, Page]> => {
  const ids = randomUUID().slice(0, 6)
  return [await personAt(browser, inviteAdmin(`Look ${ids}`), size), await personAt(browser, inviteAdmin(`Other ${ids}`), size)]
}

test('every page of an admin, at 390, 1024 and 1440 px, light and dark', { tag: '@desktop' }, async ({ browser, journey }) => {
  test.setTimeout(180_000)
  journey.expectedErrors.push(/404/)
  const admins = await twoAdmins(browser)
  for (const path of PAGES) await lookAt(admins[0], path)
  for (const path of ['/', '/payments', '/payments/files', '/approvals', '/people', '/me', '/house'])
    await expectLargeEnough(admins[0], path)
  for (const one of admins) await one.context().close()
})

test('every page of a clerk, at 390, 1024 and 1440 px, light and dark', { tag: '@desktop' }, async ({ browser, journey }) => {
  const admins = await twoAdmins(browser)
  const roles = ['support', 'compliance', 'finance'] as const
  const clerk = await colleagueAt({ journey, browser, admins, size }, `Clerk ${randomUUID().slice(0, 6)}`, [...roles])
  await writeToSupport(journey.baseUrl)
  for (const path of CLERKS) await lookAt(clerk, path)
  for (const path of ['/support', '/names', '/withdrawals', '/house']) await expectLargeEnough(clerk, path)
  for (const one of [...admins, clerk]) await one.context().close()
})
