/**
 * `npm run screenshots`: shoots every route in both themes and widths into `docs/screenshots/`, with a customer who has a year of
 * bookings and orders in every state. Git keeps only the few that README shows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { launchOptions } from '../support/chromium.ts'
import { livePastYear, type Past } from '../support/pastYear.ts'
import { startServer } from '../support/serverProcess.ts'
import { openSession } from '../support/visitor.ts'

const FOLDER = 'docs/screenshots'
const WIDTHS = [390, 1440]
const THEMES = ['light', 'dark'] as const
const SETTLED_MS = 400

type Shot = { name: string; path: string; signedIn: boolean }

const PUBLIC = [
  'welcome',
  'sign-in',
  'sign-up',
  'sign-up-verify',
  'sandbox',
  'legal/terms-of-service',
  'help',
  'sandbox/news',
  'nothing'
]
const PRIVATE = [
  'dashboard',
  'token-list',
  'token-list?all',
  'statement/CPC',
  'token/PTC',
  'activity',
  'notices',
  'profile',
  'referral',
  'p2p',
  'p2p?tab=ongoing',
  'p2p?tab=history',
  'buy-package',
  'package-detail/CPC',
  'package-detail/PTC',
  'package-history',
  'package-history?tab=deposit',
  'news',
  'news/how-statements-work',
  'euro',
  'euro-list',
  'euro-withdraw',
  'euro-history',
  'coming-soon'
]
const nameOf = (path: string) => path.replaceAll(/\W+/g, '-')
const SHOTS: Shot[] = [
  ...PUBLIC.map((path) => ({ name: nameOf(path), path: `/${path}`, signedIn: false })),
  ...PRIVATE.map((path) => ({ name: nameOf(path), path: `/${path}`, signedIn: true })),
  { name: 'preview', path: '/package-detail/82/preview?token=PTC&staking=12', signedIn: true }
]

async function shoot(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLED_MS)
  const png = await page.screenshot({ fullPage: true })
  writeFileSync(join(FOLDER, `${file}.webp`), await sharp(png).webp({ quality: 82 }).toBuffer())
}

async function shootAll(browser: Browser, origin: string, { orders, ...visitor }: Past): Promise<void> {
  const details = Object.entries(orders).map(([state, orderId]) => ({
    name: `order-${state}`,
    path: `/package-history?tab=order&order=${orderId}`,
    signedIn: true
  }))
  const first = await browser.newContext()
  await openSession(first, origin, { ...visitor, browser: 'browser=none' })
  // Carried from context to context, because each refresh token works only once.
  let session = await first.storageState()
  await first.close()
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      const open = (storageState?: typeof session): Promise<BrowserContext> =>
        browser.newContext({
          viewport: { width, height: width < 500 ? 844 : 900 },
          colorScheme,
          ...(storageState && { storageState })
        })
      const [signedOut, signedIn] = await Promise.all([open(), open(session)])
      for (const { name, path, signedIn: mine } of [...SHOTS, ...details]) {
        const page = await (mine ? signedIn : signedOut).newPage()
        await shoot(page, `${origin}${path}`, `${name}-${width}-${colorScheme}`)
        await page.close()
      }
      session = await signedIn.storageState()
      await Promise.all([signedOut.close(), signedIn.close()])
    }
  }
}

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch(launchOptions())
const dataDir = mkdtempSync(join(tmpdir(), 'wallet-'))
const past = await livePastYear({ DATA_DIR: dataDir }, 'ada.lovelace@example.com')
const server = await startServer({ DATA_DIR: dataDir })
try {
  await shootAll(browser, server.url, past)
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
