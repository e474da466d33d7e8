import type { APIRoute } from 'astro'
import { isShown, readFilter } from '#layouts/orders/history.ts'
import { askAsCustomer } from '#layouts/platform/page.ts'
import { depositsCsv } from '#lib/format/deposits/csv.ts'
import { withdrawalsCsv } from '#lib/format/withdrawals/csv.ts'

/** Lines per call, and calls per file. */
const LINES = 600
const MOST_PAGES = 100

/** The deposits or the withdrawals as a CSV file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const { timeZone } = context.locals.view
  const tab = context.url.searchParams.get('tab') === 'deposit' ? 'deposit' : 'withdrawal'
  const filter = readFilter(context.url.searchParams, tab)
  async function all<T extends { currency: string; status: string }>(read: (page: number) => Promise<T[]>): Promise<T[]> {
    const lines: T[] = []
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const more = await read(page)
      lines.push(...more.filter((one) => isShown(filter, one)))
      if (more.length < LINES) break
    }
    return lines
  }
  const csv =
    tab === 'deposit'
      ? depositsCsv(await all((page) => ask('listDeposits', { query: { page, size: LINES } })), timeZone)
      : withdrawalsCsv(await all((page) => ask('listWithdrawals', { query: { page, size: LINES } })), timeZone)
  return new Response(csv, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${tab}s.csv"` }
  })
}
