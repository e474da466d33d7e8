/** Every sentence that a customer can read, by language. The edge chooses: API, mail, page, document, browser. */
import { mails as english, mailFooter } from './en/platform/mails.ts'
import type { Locale } from './locale.ts'
import type { MailContent } from './mail.ts'

type Mails = typeof english
export type MailName = keyof Mails
export type MailParams<Name extends MailName> = Parameters<Mails[Name]>[0]

const MAILS: Record<Locale, { mails: Mails; footer: (brand: string) => string }> = {
  en: { mails: english, footer: mailFooter }
}

/** The text of a mail in a language, with its closing line. */
export function writeMail<Name extends MailName>(locale: Locale, name: Name, params: MailParams<Name>): MailContent {
  const write = MAILS[locale].mails[name] as (params: MailParams<Name>) => MailContent
  return write(params)
}

export function mailFooterOf(locale: Locale, brand: string): string {
  return MAILS[locale].footer(brand)
}
