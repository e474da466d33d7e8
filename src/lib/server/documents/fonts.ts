/** The fonts of documents, and which letters they have. Apart from the code that draws, so that a check of letters does not load it. */
import { filePath } from '../platform/files.ts'

const file = (name: string) => filePath(`src/lib/server/documents/fonts/${name}.ttf`)
export const FONT_FILES = {
  regular: file('geist-400'),
  strong: file('geist-600'),
  extended: file('geist-400-extended'),
  cyrillic: file('geist-400-cyrillic')
} as const
export type Font = keyof typeof FONT_FILES

const OWN_FONTS: { font: Font; from: number; to: number }[] = [
  { font: 'extended', from: 0x100, to: 0x24f },
  { font: 'extended', from: 0x1e00, to: 0x1eff },
  { font: 'cyrillic', from: 0x400, to: 0x45f }
]

const ownFontOf = (code: number) => OWN_FONTS.find(({ from, to }) => code >= from && code <= to)?.font

/** True if our fonts have every letter of the text. */
export function isWritable(text: string): boolean {
  return partsOf(text, 'regular').every((part) => !part.isUnknown)
}

type Part = { font: Font; text: string; isUnknown: boolean }

/** Splits the text into parts, each with a font that has its letters. A letter that no font has becomes a question mark. */
export function partsOf(text: string, font: Font): Part[] {
  const parts: Part[] = []
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    const own = ownFontOf(code)
    const isUnknown = code > 0xff && !own && !'–—‘’“”…€≈−×•→↗✓'.includes(character)
    const part = { font: own ?? font, text: isUnknown ? '?' : character, isUnknown }
    const last = parts.at(-1)
    if (last?.font === part.font && last.isUnknown === isUnknown) last.text += part.text
    else parts.push(part)
  }
  return parts
}
