/** The language of the pages that a reader gets. */
import type { IncomingHttpHeaders } from 'node:http'
import { LOCALES, type Locale } from '#lib/messages/locale.ts'

const COOKIE = /(?:^|;\s*)language=([\w-]+)/

/** The language chosen in this browser, else the first language that the browser asks for and we support, else English. */
export function languageOf(
  { cookie = '', 'accept-language': accepted = '' }: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  spoken: readonly string[] = LOCALES
): Locale {
  const asked = accepted
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.trim().split(/\s*;\s*/)
      return { language: tag.toLowerCase().split('-', 1)[0] ?? '', weight: Number(quality.replace('q=', '')) || 0 }
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
  return ([COOKIE.exec(cookie)?.[1], ...asked].find((language) => language && spoken.includes(language)) ?? 'en') as Locale
}
