import type { APIRoute } from 'astro'
import { byPage, lineFile, readLines } from '#layouts/platform/lineFile.ts'
import { askAsCustomer } from '#layouts/platform/page.ts'
import { tradeRows } from '#lib/format/p2p/csv.ts'

/** The customer's trades as a CSV file. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const { lines, isWhole } = await readLines(byPage((query) => ask('listP2pTrades', { query })))
  return lineFile('trades', tradeRows(lines, context.locals.view.timeZone), isWhole)
}
