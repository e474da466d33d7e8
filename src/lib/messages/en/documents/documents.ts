/** The customer's documents on the profile. */
import type { DocumentKind } from '#lib/domain/documents/periods.ts'

export const documentsTexts = {
  title: 'Documents',
  about:
    'A statement of each quarter, an hour after its end, and a tax report of each year. The receipt of an order is at the order.',
  none: 'Your first statement comes after the end of the quarter (UTC) in which something was booked for you.',
  names: { statement: 'Statement', tax: 'Tax report' } satisfies Record<DocumentKind, string>,
  lines: (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`,
  made: (day: string) => `made ${day}`,
  pdfOf: (name: string) => `${name} as PDF`,
  csvOf: (name: string) => `${name} as CSV`
} as const
