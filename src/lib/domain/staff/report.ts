/** A part of the daily report: a table of texts, as it was when the report was made. */
export type ReportSection = {
  title: string
  columns: string[]
  /** `href`: the page of the desk that has the lines of the figures. */
  rows: { cells: string[]; href?: string; isBad?: boolean }[]
  foot?: string
}
