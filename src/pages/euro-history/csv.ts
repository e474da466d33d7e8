import type { APIRoute } from 'astro'
import { readEuroFilter } from '#layouts/euro/euro.ts'
import { lineFile } from '#layouts/platform/lineFile.ts'
import { filterEuroLines } from '#lib/domain/euro/history.ts'
import { SAMPLE_HISTORY } from '#lib/domain/euro/sample.ts'
import { euroRows } from '#lib/format/euro/csv.ts'
import { euroHistoryTexts as texts } from '#messages/euro/euro.ts'

/** The sample payments as a CSV file, with the same filter as the page. */
export const GET: APIRoute = ({ url }) =>
  lineFile(texts.file, euroRows(filterEuroLines(SAMPLE_HISTORY, readEuroFilter(url.searchParams))))
