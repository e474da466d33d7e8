import type { APIRoute } from 'astro'
import { readActivityFilter } from '#layouts/activity/activity.ts'
import { askAsCustomer, orCode } from '#layouts/platform/page.ts'
import type { ActivityLine } from '#lib/format/activity/activity.ts'
import { activityCsv } from '#lib/format/activity/csv.ts'

/** The most lines that one call returns. */
const LINES = 500
/** Nobody reads a larger file, and it would keep the server busy for minutes. */
const MOST_PAGES = 100

/** The activity as a CSV file, with the same filter as the page and the value of each line at its time. */
export const GET: APIRoute = async (context) => {
  const ask = askAsCustomer(context)
  const filter = readActivityFilter(context.url.searchParams)
  const { view } = context.locals
  const lines: ActivityLine[] = []
  let before: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data } = await orCode(
      ask('listActivity', { query: { ...filter, in: view.currency, limit: LINES, ...(before && { before }) } })
    )
    // The page shows the error.
    if (!data) return context.redirect('/activity')
    lines.push(...data.lines)
    if (!data.next) break
    before = data.next
  }
  return new Response(activityCsv(lines, view), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="activity.csv"'
    }
  })
}
