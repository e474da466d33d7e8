/** The paper of a document: pages with their foot, and texts at a place in an embedded font. Lengths are points of 1/72 inch. */
import PDFDocument from 'pdfkit'
import { textsOf } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import { FONT_FILES, type Font, partsOf } from './fonts.ts'

export const MARGIN = 48
const FOOT = 64
const [INK, MUTED, LINE, ACCENT] = ['#16201b', '#5b665f', '#d9ddd6', '#0c3b2c'] as const
export const COLOURS = { ink: INK, muted: MUTED, accent: ACCENT } as const
export const SIZES = { title: 22, heading: 13, text: 9.5, small: 8 } as const
const LINE_GAP = 1.5

export type About = { title: string; locale: Locale; issuer: { name: string; address: string }; createdAt: Date }
type Put = { size?: number; font?: Font; colour?: string; width: number; align?: 'right' | undefined }

export class Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly about: About
  /** Where the next part begins. */
  y = MARGIN
  private pages = 0
  private readonly chunks: Uint8Array[] = []
  private readonly ended: Promise<void>

  constructor(about: About) {
    const { title, locale, issuer, createdAt } = about
    this.about = about
    this.doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      autoFirstPage: false,
      // No font by default: pdfkit would open the same file again for each text.
      font: '',
      pdfVersion: '1.7',
      subset: 'PDF/UA',
      tagged: true,
      lang: locale,
      displayTitle: true,
      info: { Title: title, Author: issuer.name, CreationDate: createdAt, ModDate: createdAt }
    } as unknown as PDFKit.PDFDocumentOptions)
    this.doc.on('data', (chunk: Uint8Array) => this.chunks.push(chunk))
    this.ended = new Promise((resolve, reject) => this.doc.once('end', resolve).once('error', reject))
    for (const [name, file] of Object.entries(FONT_FILES)) this.doc.registerFont(name, file)
  }

  get width(): number {
    return this.doc.page.width - 2 * MARGIN
  }

  get bottom(): number {
    return this.doc.page.height - FOOT
  }

  get isAtTop(): boolean {
    return this.pages === 0 || this.y === MARGIN
  }

  /** Begins a page where less than `height` is left on this one. */
  need(height: number): void {
    if (this.pages === 0 || this.y + height > this.bottom) this.newPage()
  }

  newPage(): void {
    const { doc, about } = this
    doc.addPage()
    this.pages += 1
    this.y = MARGIN
    doc.markContent('Artifact', { type: 'Pagination' } as never)
    const foot = this.bottom + 20
    this.lineAt(foot - 8)
    const { name, address } = about.issuer
    this.put(`${name} · ${address}`, MARGIN, foot, { size: SIZES.small, colour: MUTED, width: this.width * 0.8 })
    const page = textsOf(about.locale).pdf.page(this.pages)
    this.put(page, MARGIN, foot, { size: SIZES.small, colour: MUTED, align: 'right', width: this.width })
    doc.endMarkedContent()
  }

  /** A line across the page, which screen readers skip. */
  rule(): void {
    this.doc.markContent('Artifact', { type: 'Layout' } as never)
    this.lineAt(this.y)
    this.doc.endMarkedContent()
  }

  private lineAt(y: number): void {
    this.doc
      .save()
      .moveTo(MARGIN, y)
      .lineTo(this.doc.page.width - MARGIN, y)
      .lineWidth(0.5)
      .stroke(LINE)
      .restore()
  }

  /** One text at a place. The page never breaks inside. */
  put(
    text: string,
    x: number,
    top: number,
    { size = SIZES.text, font = 'regular', colour = INK, width: room, align }: Put
  ): void {
    const { doc } = this
    const parts = partsOf(text, font)
    doc.fillColor(colour).fontSize(size)
    const [first] = parts
    if (!first) return
    if (parts.length === 1 && !this.fits(text, room, size, first.font)) {
      doc.text(first.text, x, top, { width: room, height: doc.page.height - top - 4, align: align ?? 'left', lineGap: LINE_GAP })
      return
    }
    const widthOf = (part: string) => doc.widthOfString(part)
    // pdfkit lays out words only where a line has to be broken: that is the slow part.
    let at = align === 'right' ? x + room - widthOf(first.text) : x
    const end = x + room
    for (const part of parts) {
      doc.font(part.font)
      // A name in several alphabets is never broken; the end that does not fit is left out.
      let shown = part.text
      while (parts.length > 1 && shown && at + widthOf(shown) > end) shown = shown.slice(0, -1)
      doc.text(shown, at, top, { lineBreak: false })
      at += widthOf(shown)
    }
  }

  heightOf(text: string, room: number, size: number, font: Font): number {
    if (this.fits(text, room, size, font)) return this.doc.currentLineHeight(true) + LINE_GAP
    return this.doc.heightOfString(text, { width: room, lineGap: LINE_GAP })
  }

  private fits(text: string, room: number, size: number, font: Font): boolean {
    return this.doc.font(font).fontSize(size).widthOfString(text) <= room
  }

  /** A part of the document with a tag of its own. */
  tagged(type: string, draw: () => void, options: object = {}): void {
    const structure = this.doc.struct(type, options, draw)
    this.doc.addStructure(structure)
    structure.end()
  }

  async finish(): Promise<Uint8Array> {
    this.doc.end()
    await this.ended
    return Buffer.concat(this.chunks)
  }
}
