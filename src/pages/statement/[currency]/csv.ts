import type { APIRoute } from 'astro'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import { readStatementFilter } from '#layouts/wallet/statement.ts'
import { decimalsOf, findToken } from '#lib/domain/money/currencies.ts'
import { statementCsv } from '#lib/format/wallet/csv.ts'
import { pagesTexts } from '#messages/platform/pages.ts'

/** The most lines that one call returns. */
const LINES = 10_000

/** The statement as a CSV file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const currency = context.params.currency ?? ''
  if (!findToken(currency)) return new Response(pagesTexts.notFound, { status: 404 })
  const filter = readStatementFilter(context.url.searchParams)
  const ask = askAsCustomer(context)
  const read = (before?: string) =>
    ask('getStatement', { query: { currency, ...filter, limit: LINES, ...(before && { before }) } })
  const { data } = await orCode(read())
  // The page shows the error.
  if (!data) return context.redirect(`/statement/${currency}?${new URLSearchParams(filter)}`)
  for (let { next } = data; next !== null; ) {
    const more = await read(next)
    data.lines.push(...more.lines)
    next = more.next
  }
  return new Response(statementCsv(data, decimalsOf(currency)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${currency}-${filter.account}-statement.csv"`
    }
  })
}
