/** The reference letter of the sample account as a PDF, made in the browser. Loaded when its button is pressed. */
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { groupIban } from '#lib/domain/euro/history.ts'
import { OWN_ACCOUNTS_REMARK, SAMPLE_ACCOUNT } from '#lib/domain/euro/sample.ts'
import { formatDay } from '#lib/format/dates.ts'
import { euroListTexts, euroLetterTexts as texts } from '#lib/messages/en/euro/euro.ts'

const A4: [number, number] = [595.28, 841.89]
const MARGIN = 64
const INK = rgb(0.06, 0.1, 0.09)
const GREEN = rgb(0.035, 0.34, 0.25)
const RED = rgb(0.61, 0.12, 0.09)

type Writer = { page: PDFPage; y: number }

function write(writer: Writer, text: string, font: PDFFont, { size = 11, color = INK, gap = 6 } = {}): void {
  const width = A4[0] - 2 * MARGIN
  for (const line of wrapped(text, font, size, width)) {
    writer.y -= size * 1.35
    writer.page.drawText(line, { x: MARGIN, y: writer.y, size, font, color })
  }
  writer.y -= gap
}

function wrapped(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && font.widthOfTextAtSize(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

export async function makeLetter(brand: string, now: Date): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setTitle(texts.title)
  document.setLanguage('en')
  document.setCreator(brand)
  const [regular, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold)
  ]
  const writer: Writer = { page: document.addPage(A4), y: A4[1] - MARGIN }
  write(writer, brand, bold, { color: GREEN, gap: 28 })
  write(writer, texts.title, bold, { size: 22, gap: 10 })
  write(writer, texts.sample, bold, { color: RED, gap: 18 })
  write(writer, texts.date(formatDay(now.toISOString())), regular, { gap: 14 })
  write(writer, texts.intro, regular, { gap: 18 })
  const lines = [
    [euroListTexts.beneficiary, SAMPLE_ACCOUNT.beneficiary],
    [euroListTexts.iban, groupIban(SAMPLE_ACCOUNT.iban)],
    [euroListTexts.bic, SAMPLE_ACCOUNT.bic],
    [euroListTexts.transferType, euroListTexts.onlySepa]
  ] as const
  for (const [label, value] of lines) {
    write(writer, label, regular, { size: 9, gap: 0 })
    write(writer, value, bold, { size: 13, gap: 10 })
  }
  write(writer, texts.rules, bold, { gap: 4 })
  for (const rule of euroListTexts.rules(OWN_ACCOUNTS_REMARK)) write(writer, `• ${rule}`, regular, { gap: 2 })
  return document.save()
}

/** Hands the letter to the browser as a download. */
export async function downloadLetter(brand: string, now: Date): Promise<void> {
  const bytes = await makeLetter(brand, now)
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: texts.file })
  link.click()
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
