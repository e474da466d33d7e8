import type { APIRoute } from 'astro'
import { readActivityFilter } from '#layouts/activity/activity.ts'
import { byCursor, lineFile, readLines } from '#layouts/platform/lineFile.ts'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import { activityRows } from '#lib/format/activity/csv.ts'

/** The most lines that one call returns. */
const LIMIT = 500

/** The activity as a CSV file, with the same filter as the page and the value of each line at its time. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const { view } = context.locals
  const query = { ...readActivityFilter(context.url.searchParams), in: view.currency, limit: LIMIT }
  const { data } = await orCode(readLines(byCursor((cursor) => ask('listActivity', { query: { ...query, ...cursor } }))))
  // The page shows the error.
  return data ? lineFile('activity', activityRows(data.lines, view), data.isWhole) : context.redirect('/activity')
}
