import { mkdtempSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { launchOptions } from './support/chromium.ts'
import { startServer } from './support/serverProcess.ts'
import { openSession, postJson, signUpAt } from './support/visitor.ts'

const server = await startServer({ DATA_DIR: mkdtempSync('/tmp/shot-') })
const fresh = await signUpAt(server.url, { unverified: true })
const verified = await signUpAt(server.url)
const rich = await signUpAt(server.url)
for (const comboConfigId of [19, 83]) {
  const { data } = await (await postJson(server.url, '/orders/combo', { comboConfigId, bankAccountId: 1 }, rich.token)).json()
  await fetch(`${server.url}/sandbox`, {
    method: 'POST',
    body: new URLSearchParams({ order: data.id, arrival: 'exact' }),
    redirect: 'manual',
    headers: { origin: server.url }
  })
}
const ordered = await signUpAt(server.url)
await postJson(server.url, '/orders/combo', { comboConfigId: 83, bankAccountId: 1 }, ordered.token)
const browser = await chromium.launch(launchOptions())
for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
  [390, 'light']
] as const) {
  for (const [who, visitor, paths] of [
    ['fresh', fresh, ['/dashboard']],
    ['verified', verified, ['/dashboard']],
    ['ordered', ordered, ['/dashboard']],
    ['rich', rich, ['/dashboard', '/token/PTC', '/token/ETH', '/token-list', '/token-list?move=CPC']]
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    await openSession(context, server.url, visitor)
    for (const path of paths) {
      const page = await context.newPage()
      await page.goto(server.url + path)
      await page.waitForTimeout(1200)
      await page.screenshot({
        path: `/tmp/shots/${who}${path.replace(/[/?=]/g, '-')}-${width}-${colorScheme}.png`,
        fullPage: true
      })
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
await server.stop()
