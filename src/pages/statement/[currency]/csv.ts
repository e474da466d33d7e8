import type { APIRoute } from 'astro'
import { askAsCustomer, orCode } from '#layouts/page.ts'
import { readStatementFilter } from '#layouts/statement.ts'
import { decimalsOf, tokenOf } from '#lib/domain/money/tokens.ts'
import { statementCsv } from '#lib/format/csv.ts'

/** As many as one call gives. */
const LINES = 10_000

/** The statement as a file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const currency = context.params.currency ?? ''
  if (!tokenOf(currency)) return new Response('Not found', { status: 404 })
  const filter = readStatementFilter(context.url.searchParams)
  const ask = askAsCustomer(context)
  const read = (offset: number) => ask('getStatement', { query: { currency, ...filter, limit: LINES, offset } })
  const { data } = await orCode(read(0))
  // The page says what cannot be read.
  if (!data) return context.redirect(`/statement/${currency}?${new URLSearchParams(filter)}`)
  while (data.lines.length < data.total) data.lines.push(...(await read(data.lines.length)).lines)
  return new Response(statementCsv(data, decimalsOf(currency)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${currency}-${filter.account}-statement.csv"`
    }
  })
}
