import { expect, it } from 'vitest'
import { languageOf } from '#lib/server/platform/web/language.ts'

it.each([
  [{}, 'en'],
  [{ 'accept-language': 'xx' }, 'xx'],
  [{ 'accept-language': 'fr-CH, xx-AT;q=0.9, en;q=0.8' }, 'xx'],
  [{ 'accept-language': 'en;q=0.8, xx;q=0.9' }, 'xx'],
  [{ 'accept-language': 'fr, *;q=0.5' }, 'en'],
  [{ cookie: 'theme=dark; language=xx', 'accept-language': 'en' }, 'xx'],
  [{ cookie: 'language=../xx' }, 'en']
])('a browser that sends %o reads %s', (headers, language) => {
  expect(languageOf(headers, ['en', 'xx'])).toBe(language)
})
