import type { APIRoute } from 'astro'
import { askAsCustomer } from '#layouts/platform/page.ts'
import type { Answer } from '#lib/contract/types.ts'
import { tradesCsv } from '#lib/format/p2p/csv.ts'

/** Lines per call, and calls per file. */
const LINES = 600
const MOST_PAGES = 100

/** The customer's trades as a CSV file. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const trades: Answer<'listP2pTrades'> = []
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const more = await ask('listP2pTrades', { query: { page, size: LINES } })
    trades.push(...more)
    if (more.length < LINES) break
  }
  return new Response(tradesCsv(trades, context.locals.view.timeZone), {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="trades.csv"' }
  })
}
