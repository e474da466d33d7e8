/** The customer's documents on the profile. */
import type { DocumentKind } from '#lib/domain/documents/periods.ts'

export const documentsTexts = {
  title: 'Documents',
  about:
    'A statement for each quarter, an hour after it ends, and a tax report for each year. The receipt for an order is with the order.',
  none: 'Your first statement comes after the end of the first quarter (UTC) with a booking for you.',
  names: { statement: 'Statement', tax: 'Tax report' } satisfies Record<DocumentKind, string>,
  lines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  made: (day: string) => `created ${day}`,
  pdfOf: (name: string) => `${name} as PDF`,
  csvOf: (name: string) => `${name} as CSV`
} as const
