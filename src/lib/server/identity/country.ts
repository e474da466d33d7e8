import countries from 'i18n-iso-countries/index.js'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name of a country by its ISO 3166 code of three letters (`AUT`) or two; the code itself if it is unknown. */
export function countryName(code: string): string {
  const short = code.length === 3 ? countries.alpha3ToAlpha2(code.toUpperCase()) : code.toUpperCase()
  try {
    return (short && names.of(short)) || code
  } catch {
    return code
  }
}
