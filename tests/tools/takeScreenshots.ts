/**
 * `npm run screenshots`: every route in both themes and widths, with a customer who has orders in every state, into
 * `docs/screenshots/`. Git keeps the few that README shows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchOptions } from '../support/chromium.ts'
import { startServer } from '../support/serverProcess.ts'
import { openSession, signUpAt, type Visitor } from '../support/visitor.ts'

const FOLDER = 'docs/screenshots'
const WIDTHS = [390, 1440]
const THEMES = ['light', 'dark'] as const
const SETTLED_MS = 400

type Shot = { name: string; path: string; signedIn: boolean }

const SHOTS: Shot[] = [
  ...['welcome', 'sign-in', 'sign-up', 'sign-up-verify', 'sandbox', 'sandbox/ui', 'legal/terms-of-service', 'nothing'].map(
    (path) => ({
      name: path.replaceAll('/', '-'),
      path: `/${path}`,
      signedIn: false
    })
  ),
  ...[
    'dashboard',
    'token-list',
    'statement/CPC',
    'token/PTC',
    'profile',
    'referral',
    'buy-package',
    'package-detail/CPC',
    'package-detail/PTC',
    'package-history',
    'coming-soon'
  ].map((path) => ({
    name: path.replaceAll('/', '-'),
    path: `/${path}`,
    signedIn: true
  })),
  { name: 'preview', path: '/package-detail/82/preview?token=PTC&staking=12', signedIn: true }
]

async function buy(page: Page, origin: string, path: string, { pay }: { pay: boolean }): Promise<string> {
  await page.goto(`${origin}${path}`)
  await page.waitForURL(/order=RF\d{14}/)
  const orderId = new URL(page.url()).searchParams.get('order') ?? ''
  if (pay) {
    await page.goto(`${origin}/sandbox`)
    await page.locator(`[data-transfer="${orderId}"]`).getByRole('button', { name: 'Payment arrives', exact: true }).click()
    await page.waitForURL('**/sandbox#bank')
  }
  return orderId
}

async function shoot(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLED_MS)
  const png = await page.screenshot({ fullPage: true })
  writeFileSync(join(FOLDER, `${file}.webp`), await sharp(png).webp({ quality: 82 }).toBuffer())
}

async function shootAll(browser: Browser, origin: string, visitor: Visitor, orderId: string): Promise<void> {
  const details = { name: 'purchase-details', path: `/package-history?order=${orderId}`, signedIn: true }
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      const open = (): Promise<BrowserContext> =>
        browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme })
      const [signedOut, signedIn] = await Promise.all([open(), open()])
      await openSession(signedIn, origin, visitor)
      for (const { name, path, signedIn: mine } of [...SHOTS, details]) {
        const page = await (mine ? signedIn : signedOut).newPage()
        await shoot(page, `${origin}${path}`, `${name}-${width}-${colorScheme}`)
        await page.close()
      }
      await Promise.all([signedOut.close(), signedIn.close()])
    }
  }
}

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch(launchOptions())
const dataDir = mkdtempSync(join(tmpdir(), 'wallet-'))
const server = await startServer({ DATA_DIR: dataDir })
try {
  const visitor = await signUpAt(server.url, { email: 'ada.lovelace@example.com' })
  const context = await browser.newContext()
  await openSession(context, server.url, visitor)
  const page = await context.newPage()
  await buy(page, server.url, '/package-detail/19/preview?token=CPC', { pay: true })
  const completed = await buy(page, server.url, '/package-detail/83/preview?token=PTC&staking=24', { pay: true })
  await buy(page, server.url, '/package-detail/82/preview?token=PTC&staking=12', { pay: false })
  await context.close()
  await shootAll(browser, server.url, visitor, completed)
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
