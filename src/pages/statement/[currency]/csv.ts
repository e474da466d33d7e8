import type { APIRoute } from 'astro'
import { byCursor, lineFile, readLines } from '#layouts/platform/lineFile.ts'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import { readStatementFilter } from '#layouts/wallet/statement.ts'
import { findToken } from '#lib/domain/money/currencies.ts'
import { statementRows } from '#lib/format/wallet/csv.ts'
import { pagesTexts } from '#messages/platform/pages.ts'

/** The most lines that one call returns. */
const LIMIT = 10_000

/** The statement as a CSV file, with the same filter as the page. */
export const GET: APIRoute = async (context) => {
  const currency = context.params.currency ?? ''
  const token = findToken(currency)
  if (!token) return new Response(pagesTexts.notFound, { status: 404 })
  const filter = readStatementFilter(context.url.searchParams)
  const ask = askAsCustomer(context)
  const query = { currency, ...filter, limit: LIMIT }
  const { data } = await orCode(readLines(byCursor((cursor) => ask('getStatement', { query: { ...query, ...cursor } }))))
  // The page shows the error.
  if (!data) return context.redirect(`/statement/${currency}?${new URLSearchParams(filter)}`)
  return lineFile(`${currency}-${filter.account}-statement`, statementRows(data.lines, token), data.isWhole)
}
