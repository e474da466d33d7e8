/** The weight of pages that grow with a customer's data: five tokens, a year of values, an order in each state. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { livePastYear, type Past } from '#support/pastYear.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { HTML_BUDGET, weighHtml } from '#support/weight.ts'

let server: ServerProcess
let past: Past

beforeAll(async () => {
  const DATABASE_URL = await freshDatabase(inject('postgresUrl'))
  past = await livePastYear({ DATABASE_URL }, 'grace.hopper@example.com')
  server = await startServer({ DATABASE_URL })
})

afterAll(async () => {
  await server?.stop()
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
