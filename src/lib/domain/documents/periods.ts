/** The periods of documents: quarters and years in UTC, `2026-Q4` and `2026`. */

export const DOCUMENT_KINDS = ['statement', 'tax'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

const MONTHS_A_QUARTER = 3
/** A quarter closes this long after its end, when all its bookings have been written. */
const CLOSED_AFTER_MS = 3_600_000

const QUARTER = /^(\d{4})-Q([1-4])$/

/** The quarter of a moment, e.g. `2026-Q4`. */
export function quarterOf(at: Date): string {
  return `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / MONTHS_A_QUARTER) + 1}`
}

export type Span = { start: Date; end: Date }

/** Start (inclusive) and end (exclusive) of a quarter or a year. Throws for any other text. */
export function spanOf(period: string): Span {
  const [, year, quarter] = QUARTER.exec(period) ?? /^(\d{4})$/.exec(period) ?? []
  if (!year) throw new Error(`"${period}" is neither a quarter nor a year`)
  const months = quarter ? MONTHS_A_QUARTER : 12
  const first = quarter ? (Number(quarter) - 1) * MONTHS_A_QUARTER : 0
  return { start: new Date(Date.UTC(Number(year), first, 1)), end: new Date(Date.UTC(Number(year), first + months, 1)) }
}

export const quarterBefore = (quarter: string): string => quarterOf(new Date(spanOf(quarter).start.getTime() - 1))

export const nextQuarter = (quarter: string): string => quarterOf(spanOf(quarter).end)

/** The quarters closed by `now`, from the quarter of `first` on, oldest first. */
export function closedQuarters(first: Date, now: Date): string[] {
  const quarters: string[] = []
  for (
    let quarter = quarterOf(first);
    spanOf(quarter).end.getTime() + CLOSED_AFTER_MS <= now.getTime();
    quarter = nextQuarter(quarter)
  )
    quarters.push(quarter)
  return quarters
}

/** The year that ends with this quarter; undefined for the first three quarters. */
export function yearEndedBy(quarter: string): string | undefined {
  return quarter.endsWith('-Q4') ? quarter.slice(0, 4) : undefined
}

export function firstQuarterOf(year: string): string {
  return `${year}-Q1`
}
