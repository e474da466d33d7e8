import type { APIRoute } from 'astro'
import { isShown, readFilter } from '#layouts/orders/history.ts'
import { byPage, lineFile, readLines } from '#layouts/platform/lineFile.ts'
import { askAsCustomer } from '#layouts/platform/page.ts'
import { depositRows } from '#lib/format/deposits/csv.ts'
import { withdrawalRows } from '#lib/format/withdrawals/csv.ts'

/** The deposits or the withdrawals as a CSV file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const { timeZone } = context.locals.view
  const tab = context.url.searchParams.get('tab') === 'deposit' ? 'deposit' : 'withdrawal'
  const filter = readFilter(context.url.searchParams, tab)
  if (tab === 'deposit') {
    const { lines, isWhole } = await readLines(byPage((query) => ask('listDeposits', { query })))
    const shown = lines.filter((line) => isShown(filter, line))
    return lineFile('deposits', depositRows(shown, timeZone), isWhole)
  }
  const { lines, isWhole } = await readLines(byPage((query) => ask('listWithdrawals', { query })))
  const shown = lines.filter((line) => isShown(filter, line))
  return lineFile('withdrawals', withdrawalRows(shown, timeZone), isWhole)
}
