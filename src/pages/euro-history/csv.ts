import type { APIRoute } from 'astro'
import { readEuroFilter } from '#layouts/euro/euro.ts'
import { filterEuroLines } from '#lib/domain/euro/history.ts'
import { SAMPLE_HISTORY } from '#lib/domain/euro/sample.ts'
import { euroCsv } from '#lib/format/euro/csv.ts'
import { euroHistoryTexts as texts } from '#messages/euro/euro.ts'

/** The sample payments as a CSV file, with the same filter as the page. */
export const GET: APIRoute = ({ url }) =>
  new Response(euroCsv(filterEuroLines(SAMPLE_HISTORY, readEuroFilter(url.searchParams))), {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${texts.file}"` }
  })
