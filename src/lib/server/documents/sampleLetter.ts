/** The reference letter of the sample account of the euro screens: it confirms nothing, and says so. */
import { BRAND } from '#lib/domain/brand.ts'
import { groupIban } from '#lib/domain/euro/history.ts'
import { OWN_ACCOUNTS_REMARK, SAMPLE_ACCOUNT } from '#lib/domain/euro/sample.ts'
import { formatDay } from '#lib/format/dates.ts'
import { textsOf } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { Company } from '../platform/config.ts'

/** Returns the letter as PDF, dated with the day of `now`. */
export async function makeSampleLetter(issuer: Company, now: Date, locale: Locale): Promise<Uint8Array> {
  const { list, letter } = textsOf(locale).euro
  // Loaded with the first document.
  const { createPdf } = await import('./pdf.ts')
  const pdf = createPdf({ title: letter.title, locale, issuer: { ...issuer, name: BRAND.name }, createdAt: now })
  pdf.paragraph(letter.sample)
  pdf.heading(1, letter.title)
  pdf.paragraph(letter.date(formatDay(now.toISOString())), { muted: true })
  pdf.paragraph(letter.intro)
  pdf.facts([
    [list.beneficiary, SAMPLE_ACCOUNT.beneficiary],
    [list.iban, groupIban(SAMPLE_ACCOUNT.iban)],
    [list.bic, SAMPLE_ACCOUNT.bic],
    [list.transferType, list.onlySepa]
  ])
  pdf.heading(2, letter.rules)
  for (const rule of list.rules(OWN_ACCOUNTS_REMARK)) pdf.paragraph(`• ${rule}`)
  return pdf.finish()
}
