import type { APIRoute } from 'astro'
import { askAsCustomer, orCode } from '#layouts/page.ts'
import { readStatementFilter } from '#layouts/statement.ts'
import { decimalsOf, tokenOf } from '#lib/domain/tokens.ts'
import { statementCsv } from '#lib/format/csv.ts'

const MOST_LINES = 10_000

/** The statement as a file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const currency = context.params.currency ?? ''
  if (!tokenOf(currency)) return new Response('Not found', { status: 404 })
  const filter = readStatementFilter(context.url.searchParams)
  const query = { currency, ...filter, limit: MOST_LINES }
  const { data } = await orCode(askAsCustomer(context)('getStatement', { query }))
  if (!data) return new Response('Bad request', { status: 400 })
  return new Response(statementCsv(data, decimalsOf(currency)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${currency}-${filter.account}-statement.csv"`
    }
  })
}
