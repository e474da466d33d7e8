/**
 * Writes a document as PDF: A4, real text in an embedded font, tagged (PDF/UA), so that screen readers read headings and tables. Rows are
 * written as they come, and a page that is full is no longer kept in memory.
 */
import PDFDocument from 'pdfkit'
import { textsOf } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import { FONT_FILES, type Font, partsOf } from './fonts.ts'

const MARGIN = 48
const FOOT = 64
const [INK, MUTED, LINE, ACCENT] = ['#16201b', '#5b665f', '#d9ddd6', '#0c3b2c'] as const
const SIZES = { title: 22, heading: 13, text: 9.5, small: 8 } as const
const ROW_PADDING = 4
const LINE_GAP = 1.5

/** `share` of the width. A row's cells are texts in the order of the columns. */
type Column = { label: string; share: number; align?: 'right' }
export type Pdf = {
  locale: Locale
  heading: (level: 1 | 2, text: string) => void
  paragraph: (text: string, options?: { muted?: boolean }) => void
  /** Names and values, one pair a line. */
  facts: (rows: [string, string][]) => void
  table: (caption: string, columns: Column[], rows: Iterable<string[]> | AsyncIterable<string[]>) => Promise<number>
  /** A picture that is drawn by the caller within a square, with what it shows in words. */
  drawing: (alt: string, size: number, draw: (doc: PDFKit.PDFDocument, x: number, y: number) => void) => void
  finish: () => Promise<Uint8Array>
}

type About = { title: string; locale: Locale; issuer: { name: string; address: string }; createdAt: Date }

export function createPdf({ title, locale, issuer, createdAt }: About): Pdf {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    autoFirstPage: false,
    // None of its own: the same file twice would be opened again for each text.
    font: '',
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: locale,
    displayTitle: true,
    info: { Title: title, Author: issuer.name, CreationDate: createdAt, ModDate: createdAt }
  } as unknown as PDFKit.PDFDocumentOptions)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject))
  for (const [name, file] of Object.entries(FONT_FILES)) doc.registerFont(name, file)

  let pages = 0
  let y = MARGIN
  const width = () => doc.page.width - 2 * MARGIN
  const bottom = () => doc.page.height - FOOT

  function newPage(): void {
    doc.addPage()
    pages += 1
    y = MARGIN
    doc.markContent('Artifact', { type: 'Pagination' } as never)
    const foot = doc.page.height - FOOT + 20
    doc
      .save()
      .moveTo(MARGIN, foot - 8)
      .lineTo(doc.page.width - MARGIN, foot - 8)
      .lineWidth(0.5)
      .stroke(LINE)
      .restore()
    put(`${issuer.name} · ${issuer.address}`, MARGIN, foot, { size: SIZES.small, colour: MUTED, width: width() * 0.8 })
    put(textsOf(locale).pdf.page(pages), MARGIN, foot, { size: SIZES.small, colour: MUTED, align: 'right', width: width() })
    doc.endMarkedContent()
  }

  type Put = { size?: number; font?: Font; colour?: string; width: number; align?: 'right' | undefined }

  /** One text at a place. The page never breaks inside. */
  function put(
    text: string,
    x: number,
    top: number,
    { size = SIZES.text, font = 'regular', colour = INK, width: room, align }: Put
  ): void {
    const parts = partsOf(text, font)
    doc.fillColor(colour).fontSize(size)
    const [first] = parts
    if (!first) return
    if (parts.length === 1 && !fits(text, room, size, first.font)) {
      doc.text(first.text, x, top, { width: room, height: doc.page.height - top - 4, align: align ?? 'left', lineGap: LINE_GAP })
      return
    }
    // Words are laid out only where a line has to be broken: that is what takes time.
    let at = align === 'right' ? x + room - widthOf(first.text) : x
    const end = x + room
    for (const part of parts) {
      doc.font(part.font)
      // A name of several alphabets is never broken; what does not fit is left out.
      let shown = part.text
      while (parts.length > 1 && shown && at + widthOf(shown) > end) shown = shown.slice(0, -1)
      doc.text(shown, at, top, { lineBreak: false })
      at += widthOf(shown)
    }
  }
  const widthOf = (text: string) => doc.widthOfString(text)
  const fits = (text: string, room: number, size: number, font: Font) => doc.font(font).fontSize(size).widthOfString(text) <= room

  function heightOf(text: string, room: number, size: number, font: Font): number {
    if (fits(text, room, size, font)) return doc.currentLineHeight(true) + LINE_GAP
    return doc.heightOfString(text, { width: room, lineGap: LINE_GAP })
  }

  function need(height: number): void {
    if (pages === 0 || y + height > bottom()) newPage()
  }

  /** A part of the document with a tag of its own. */
  function tagged(type: string, draw: () => void, options: object = {}): void {
    const structure = doc.struct(type, options, draw)
    doc.addStructure(structure)
    structure.end()
  }

  function heading(level: 1 | 2, text: string): void {
    const [size, above] = level === 1 ? [SIZES.title, 0] : [SIZES.heading, 18]
    need(size + above + 60)
    y += pages > 0 && y > MARGIN ? above : 0
    tagged(`H${level}`, () => put(text, MARGIN, y, { size, font: 'strong', colour: ACCENT, width: width() }))
    y += heightOf(text, width(), size, 'strong') + 6
  }

  function paragraph(text: string, { muted = false } = {}): void {
    const height = heightOf(text, width(), SIZES.text, 'regular')
    need(height)
    tagged('P', () => put(text, MARGIN, y, { colour: muted ? MUTED : INK, width: width() }))
    y += height + 6
  }

  function facts(rows: [string, string][]): void {
    const room = width() * 0.64
    for (const [name, value] of rows) {
      const height = heightOf(value, room, SIZES.text, 'regular') + ROW_PADDING
      need(height)
      const top = y
      const line = doc.struct('P')
      line.add(doc.struct('Span', {}, () => put(name, MARGIN, top, { colour: MUTED, width: width() * 0.34 })))
      line.add(doc.struct('Span', {}, () => put(value, MARGIN + width() * 0.36, top, { width: room })))
      doc.addStructure(line)
      line.end()
      y += height
    }
    y += 6
  }

  /** Answers how many rows it wrote. */
  async function table(caption: string, columns: Column[], rows: Iterable<string[]> | AsyncIterable<string[]>): Promise<number> {
    // A table a page: what is ended is written, and no longer kept in memory.
    let structure = startTable()
    function startTable() {
      const started = doc.struct('Table', { alt: caption } as never)
      doc.addStructure(started)
      return started
    }
    const gap = 8
    const room = width() - gap * (columns.length - 1)
    const sum = columns.reduce((all, { share }) => all + share, 0)
    const widths = columns.map(({ share }) => (room * share) / sum)
    const lefts = widths.map((_, index) => MARGIN + widths.slice(0, index).reduce((all, one) => all + one + gap, 0))

    function row(cells: string[], isHead: boolean): void {
      const [size, font, colour] = isHead ? [SIZES.small, 'strong' as const, MUTED] : [SIZES.small, 'regular' as const, INK]
      const top = y + ROW_PADDING
      const element = doc.struct('TR')
      structure.add(element)
      cells.forEach((text, index) => {
        const options = isHead ? ({ scope: 'Column' } as object) : {}
        const draw = () =>
          put(text, lefts[index] ?? 0, top, { size, font, colour, width: widths[index] ?? 0, align: columns[index]?.align })
        element.add(doc.struct(isHead ? 'TH' : 'TD', options, draw))
      })
      element.end()
      y += heightOfRow(cells, size, font)
      rule()
    }
    const heightOfRow = (cells: string[], size: number, font: Font) =>
      Math.max(...cells.map((text, index) => heightOf(text, widths[index] ?? 0, size, font))) + 2 * ROW_PADDING
    function rule(): void {
      doc.markContent('Artifact', { type: 'Layout' } as never)
      doc
        .save()
        .moveTo(MARGIN, y)
        .lineTo(doc.page.width - MARGIN, y)
        .lineWidth(0.5)
        .stroke(LINE)
        .restore()
      doc.endMarkedContent()
    }
    const labels = columns.map(({ label }) => label)
    const headHeight = heightOfRow(labels, SIZES.small, 'strong')
    let count = 0
    need(headHeight + 40)
    row(labels, true)
    for await (const cells of rows) {
      if (y + heightOfRow(cells, SIZES.small, 'regular') > bottom()) {
        structure.end()
        newPage()
        structure = startTable()
        row(labels, true)
      }
      row(cells, false)
      count += 1
    }
    structure.end()
    y += 8
    return count
  }

  function drawing(alt: string, size: number, draw: (on: PDFKit.PDFDocument, x: number, top: number) => void): void {
    need(size)
    const top = y
    tagged('Figure', () => draw(doc.fillColor(INK), MARGIN, top), {
      alt,
      bbox: [MARGIN, top, MARGIN + size, top + size],
      placement: 'Block'
    })
    y += size + 10
  }

  async function finish(): Promise<Uint8Array> {
    doc.end()
    await ended
    return Buffer.concat(chunks)
  }

  return {
    locale,
    heading,
    paragraph,
    facts,
    table,
    drawing,
    finish
  }
}
