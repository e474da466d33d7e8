/** What a bank takes in a transfer. Source: EPC132-08 (customer to bank), EPC217-08 (characters). */

const LETTERS: Record<string, string> = {
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  Æ: 'Ae',
  æ: 'ae',
  Œ: 'Oe',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  '&': '+'
}
const MOST_NAME = 70

/** The text in the characters that every bank takes: letters without accents, digits and `/-?:().,'+`; every other character is a space. */
export function sepaText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[ÄÖÜäöüßÆæŒœØøŁłĐđ&]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** A name as it goes into the file; empty where nothing of it can be written, e.g. a name in Greek letters. */
export function sepaName(name: string): string {
  const plain = sepaText(name).slice(0, MOST_NAME).trim()
  return /[A-Za-z]/.test(plain) ? plain : ''
}

export const plainIban = (iban: string) => iban.replace(/\s/g, '').toUpperCase()

/** E.g. `DE ·· 4417`: enough to recognise an account that one knows. */
export const maskedIban = (iban: string) => {
  const plain = plainIban(iban)
  return plain.length < 8 ? '' : `${plain.slice(0, 2)} ·· ${plain.slice(-4)}`
}
