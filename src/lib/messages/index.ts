/**
 * The server's texts in the reader's language: mails, documents and the API's answers. Pages and islands import
 * `#messages/<feature>/…` instead, which the build resolves to one language.
 */
import type { CallName } from '#lib/contract/calls.ts'
import type { ErrorCode, ErrorParams } from '#lib/contract/errors.ts'
import { english } from './en/index.ts'
import type { Locale } from './locale.ts'
import type { MailContent } from './mail.ts'

export type LanguageTexts = typeof english
type Mails = LanguageTexts['mails']
export type MailName = keyof Mails
export type MailParams<Name extends MailName> = Parameters<Mails[Name]>[0]

/** A language without server texts uses the English ones. */
const LANGUAGES: Partial<Record<Locale, LanguageTexts>> = { en: english }

export function textsOf(locale: Locale): LanguageTexts {
  return LANGUAGES[locale] ?? english
}

/** The text of a mail in a language. */
export function writeMail<Name extends MailName>(locale: Locale, name: Name, params: MailParams<Name>): MailContent {
  const write = textsOf(locale).mails[name] as (params: MailParams<Name>) => MailContent
  return write(params)
}

/** The sentence of an error; `params` replace the names in braces. */
export function errorSentence(locale: Locale, code: ErrorCode, params: ErrorParams = {}): string {
  return textsOf(locale).errors[code].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}

/** The sentence that a call without data returns; undefined for a call with data. */
export function answerSentence(locale: Locale, name: CallName): string | undefined {
  return textsOf(locale).answers[name]
}
