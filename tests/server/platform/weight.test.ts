/** The weight of pages that grow with a customer's data: five tokens, a year of values, an order in each state. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { livePastYear, type Past } from '#support/pastYear.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { HTML_BUDGET, weighHtml } from '#support/weight.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wallet-'))
let server: ServerProcess
let past: Past

beforeAll(async () => {
  past = await livePastYear(dataDir, 'grace.hopper@example.com')
  server = await startServer({ DATA_DIR: dataDir })
})

afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it.each([
  ['/dashboard', 'next-now'],
  ['/dashboard?range=1Y', 'since the start, made of'],
  ['/dashboard?range=All', 'Value over time'],
  ['/token-list', '1,209'],
  ['/token-list?all', 'Fetch.ai'],
  ['/token/CPC', 'CP Coin'],
  ['/token/PTC?range=1Y', 'since the start, made of'],
  ['/statement/CPC?account=total', 'CPC'],
  ['/activity', 'CPC'],
  ['/notices', 'Notices'],
  ['/package-history', 'Order'],
  ['/deposit/USDC', 'Choose crypto'],
  ['/withdraw/CPC', 'What arrives'],
  ['/withdraw-history', 'Address book'],
  ['/limits', 'Your withdrawal limit'],
  ['/p2p', 'The best 10 of 11 orders.'],
  ['/p2p?tab=ongoing', 'SELLING'],
  ['/p2p?tab=history', 'BOUGHT'],
  ['/profile', 'grace.hopper@example.com']
])('%s keeps its weight', async (path, text) => {
  const answer = await fetch(server.url + path, { headers: { cookie: past.cookie }, redirect: 'manual' })
  const body = await answer.text()
  expect(answer.status).toBe(200)
  expect(body).toContain(text)
  const { html, htmlBrotli } = weighHtml(body)
  console.log(`${path}: HTML ${html} B (${htmlBrotli} B brotli)`)
  expect.soft(html, 'HTML').toBeLessThanOrEqual(HTML_BUDGET.html)
  expect.soft(htmlBrotli, 'HTML, brotli').toBeLessThanOrEqual(HTML_BUDGET.htmlBrotli)
})
