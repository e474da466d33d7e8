import countries from 'i18n-iso-countries/index.js'
import type { Locale } from '#lib/messages/locale.ts'

const names = new Map<Locale, Intl.DisplayNames>()

function namesIn(locale: Locale): Intl.DisplayNames {
  const known = names.get(locale) ?? new Intl.DisplayNames([locale], { type: 'region' })
  names.set(locale, known)
  return known
}

/** The name of a country by its ISO 3166 code of three letters (`AUT`) or two; the code itself if it is unknown. */
export function countryName(code: string, locale: Locale = 'en'): string {
  const short = code.length === 3 ? countries.alpha3ToAlpha2(code.toUpperCase()) : code.toUpperCase()
  try {
    return (short && namesIn(locale).of(short)) || code
  } catch {
    return code
  }
}
