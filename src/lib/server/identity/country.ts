import countries from 'i18n-iso-countries/index.js'
import type { Locale } from '#lib/messages/locale.ts'

/** The language's list, and the names that were looked up in it: a lookup takes 10 µs, and many pages ask for the country of their customer. */
type Names = { list: Intl.DisplayNames; known: Map<string, string> }
const names = new Map<Locale, Names>()

function namesIn(locale: Locale): Names {
  const found = names.get(locale) ?? { list: new Intl.DisplayNames([locale], { type: 'region' }), known: new Map() }
  names.set(locale, found)
  return found
}

/** The name of a country by its ISO 3166 code of three letters (`AUT`) or two; the code itself if it is unknown. */
export function countryName(code: string, locale: Locale = 'en'): string {
  const { list, known } = namesIn(locale)
  const found = known.get(code)
  if (found !== undefined) return found
  const short = code.length === 3 ? countries.alpha3ToAlpha2(code.toUpperCase()) : code.toUpperCase()
  try {
    const name = (short && list.of(short)) || code
    // Only codes of the list are kept: there are few of them.
    if (name !== code) known.set(code, name)
    return name
  } catch {
    return code
  }
}
