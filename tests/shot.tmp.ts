import { mkdirSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { launchOptions } from './support/chromium.ts'
import { startServer } from './support/serverProcess.ts'
import { openSession } from './support/visitor.ts'

const past = JSON.parse(readFileSync('/tmp/past.json', 'utf8'))
mkdirSync('/tmp/shots', { recursive: true })
const paths = process.argv[2]?.split(',') ?? ['/dashboard']
const looks = (process.argv[3] ?? '1440-light,390-light').split(',')
const server = await startServer({ DATA_DIR: '/tmp/past' })
const browser = await chromium.launch(launchOptions())
for (const look of looks) {
  const [width, colorScheme] = look.split('-')
  const context = await browser.newContext({
    viewport: { width: Number(width), height: 900 },
    colorScheme: colorScheme as 'light'
  })
  await openSession(context, server.url, { ...past, browser: 'browser=x' })
  for (const path of paths) {
    const page = await context.newPage()
    page.on('console', (m) => m.type() === 'error' && console.log(path, m.text()))
    page.on('pageerror', (e) => console.log(path, e.message))
    await page.goto(server.url + path)
    await page.waitForTimeout(900)
    await page.screenshot({ path: `/tmp/shots/${path.replace(/[/?=&]/g, '-')}-${look}.png`, fullPage: true })
    await page.close()
  }
  await context.close()
}
await browser.close()
await server.stop()
