/**
 * Writes a document as PDF: A4, real text in an embedded font, tagged (PDF/UA), so that screen readers read headings and tables. Rows are
 * written as they come, and a full page is no longer kept in memory.
 */
import type { Locale } from '#lib/messages/locale.ts'
import { type Column, ROW_PADDING, type Rows, writeTable } from './pdfTable.ts'
import { type About, COLOURS, MARGIN, Sheet, SIZES } from './sheet.ts'

export type Pdf = {
  locale: Locale
  heading: (level: 1 | 2, text: string) => void
  paragraph: (text: string, options?: { muted?: boolean }) => void
  /** Names and values, one pair per line. */
  facts: (rows: [string, string][]) => void
  /** Resolves to the number of rows. */
  table: (caption: string, columns: Column[], rows: Rows) => Promise<number>
  /** A picture that the caller draws within a square; `alt` says what it shows. */
  drawing: (alt: string, size: number, draw: (doc: PDFKit.PDFDocument, x: number, y: number) => void) => void
  finish: () => Promise<Uint8Array>
}

export function createPdf(about: About): Pdf {
  const sheet = new Sheet(about)
  return {
    locale: about.locale,
    heading: (level, text) => writeHeading(sheet, level, text),
    paragraph: (text, { muted = false } = {}) => writeParagraph(sheet, text, muted),
    facts: (rows) => writeFacts(sheet, rows),
    table: (caption, columns, rows) => writeTable(sheet, caption, columns, rows),
    drawing: (alt, size, draw) => {
      sheet.need(size)
      const top = sheet.y
      const bbox = [MARGIN, top, MARGIN + size, top + size]
      sheet.tagged('Figure', () => draw(sheet.doc.fillColor(COLOURS.ink), MARGIN, top), { alt, bbox, placement: 'Block' })
      sheet.y += size + 10
    },
    finish: () => sheet.finish()
  }
}

function writeHeading(sheet: Sheet, level: 1 | 2, text: string): void {
  const [size, above] = level === 1 ? [SIZES.title, 0] : [SIZES.heading, 18]
  sheet.need(size + above + 60)
  if (!sheet.isAtTop) sheet.y += above
  const { y, width } = sheet
  sheet.tagged(`H${level}`, () => sheet.put(text, MARGIN, y, { size, font: 'strong', colour: COLOURS.accent, width }))
  sheet.y += sheet.heightOf(text, width, size, 'strong') + 6
}

function writeParagraph(sheet: Sheet, text: string, muted: boolean): void {
  sheet.need(0)
  const height = sheet.heightOf(text, sheet.width, SIZES.text, 'regular')
  sheet.need(height)
  const { y, width } = sheet
  sheet.tagged('P', () => sheet.put(text, MARGIN, y, { colour: muted ? COLOURS.muted : COLOURS.ink, width }))
  sheet.y += height + 6
}

function writeFacts(sheet: Sheet, rows: [string, string][]): void {
  const { doc } = sheet
  sheet.need(0)
  const [nameRoom, left, room] = [sheet.width * 0.34, MARGIN + sheet.width * 0.36, sheet.width * 0.64]
  for (const [name, value] of rows) {
    const height = sheet.heightOf(value, room, SIZES.text, 'regular') + ROW_PADDING
    sheet.need(height)
    const top = sheet.y
    const line = doc.struct('P')
    line.add(doc.struct('Span', {}, () => sheet.put(name, MARGIN, top, { colour: COLOURS.muted, width: nameRoom })))
    line.add(doc.struct('Span', {}, () => sheet.put(value, left, top, { width: room })))
    doc.addStructure(line)
    line.end()
    sheet.y += height
  }
  sheet.y += 6
}
