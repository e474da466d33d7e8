/**
 * `npm run beside -- FOLDER [name…]`: puts drawings of screens and the pages side by side, one picture each, into `test-results/beside/`.
 * FOLDER has the drawings as `name-390-light.webp` (or -1440-, -dark); without names, all that this tool knows. The pages are those of a
 * customer with a year of bookings, on a new database, from the last build.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { launchOptions } from '../support/chromium.ts'
import { livePastYear } from '../support/pastYear.ts'
import { startServer } from '../support/serverProcess.ts'
import { openSession } from '../support/visitor.ts'

const PATHS: Record<string, string> = {
  'dashboard-3': '/dashboard',
  'wallet-3': '/token-list',
  'token-3': '/token/PTC',
  'buy-3': '/package-detail/PTC',
  'withdraw-3': '/withdraw/BTC',
  'deposit-3': '/deposit/BTC',
  'rewards-3': '/rewards',
  'staking-3': '/staking',
  'notices-3': '/notices',
  'profile-3': '/profile',
  'activity-3': '/activity',
  'p2p-3': '/p2p'
}
const WIDTHS = [390, 1440]
const THEMES = ['light', 'dark'] as const
const SETTLED_MS = 1200
const GAP = 40
const FOLDER = 'test-results/beside'

const [drawings = '', ...asked] = process.argv.slice(2)
if (!drawings) throw new Error('Name the folder with the drawings: npm run beside -- FOLDER [name…]')
const names = asked.length > 0 ? asked : Object.keys(PATHS)

/** The page at the right of its drawing; alone where there is none. */
async function pair(page: Buffer, drawing: string, file: string): Promise<void> {
  const parts = [...(existsSync(drawing) ? [await sharp(drawing).png().toBuffer()] : []), page]
  const sizes = await Promise.all(parts.map((part) => sharp(part).metadata()))
  const width = sizes.reduce((sum, size) => sum + size.width + GAP, -GAP)
  const height = Math.max(...sizes.map((size) => size.height))
  const layers = parts.map((input, index) => {
    return { input, top: 0, left: sizes.slice(0, index).reduce((sum, size) => sum + size.width + GAP, 0) }
  })
  await sharp({ create: { width, height, channels: 3, background: '#888' } })
    .composite(layers)
    .png()
    .toFile(file)
}

mkdirSync(FOLDER, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'beside-'))
const { orders: _, ...visitor } = await livePastYear({ DATA_DIR: dataDir }, 'grace.hopper@example.com')
const server = await startServer({ DATA_DIR: dataDir })
const browser = await chromium.launch(launchOptions())
try {
  const first = await browser.newContext()
  await openSession(first, server.url, { ...visitor, browser: 'browser=none' })
  let storageState = await first.storageState()
  await first.close()
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, storageState })
      const page = await context.newPage()
      for (const name of names) {
        const drawing = join(drawings, `${name}-${width}-${colorScheme}.webp`)
        if (colorScheme === 'dark' && !existsSync(drawing)) continue
        await page.goto(`${server.url}${PATHS[name] ?? name}`)
        // /p2p never becomes idle: its stream stays open.
        await page.waitForLoadState('load')
        await page.waitForTimeout(SETTLED_MS)
        const png = await page.screenshot({ fullPage: true })
        const height = (await sharp(png).metadata()).height
        console.log(`${name} ${width} ${colorScheme}: ${height} px high`)
        await pair(png, drawing, join(FOLDER, `${name.replaceAll('/', '')}-${width}-${colorScheme}.png`))
      }
      storageState = await context.storageState()
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
