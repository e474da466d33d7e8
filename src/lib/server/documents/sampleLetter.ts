/** The reference letter of the sample account of the euro screens: it confirms nothing, and says so. */
import { BRAND } from '#lib/domain/brand.ts'
import { groupIban } from '#lib/domain/euro/history.ts'
import { OWN_ACCOUNTS_REMARK, SAMPLE_ACCOUNT } from '#lib/domain/euro/sample.ts'
import { formatDay } from '#lib/format/dates.ts'
import { textsOf } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { Company } from '../platform/config.ts'

/** The letter as PDF, dated with the day of `clock`. It is drawn once a day, not for each who asks. */
export function sampleLetters(issuer: Company, clock: () => Date, locale: Locale): () => Promise<Uint8Array> {
  let [day, drawn]: [string, Promise<Uint8Array> | undefined] = ['', undefined]
  return () => {
    const now = clock()
    const today = now.toISOString().slice(0, 10)
    if (drawn === undefined || day !== today) {
      const letter = draw(issuer, now, locale)
      // One that could not be drawn is not kept.
      letter.catch(() => {
        if (drawn === letter) drawn = undefined
      })
      ;[day, drawn] = [today, letter]
    }
    return drawn
  }
}

async function draw(issuer: Company, now: Date, locale: Locale): Promise<Uint8Array> {
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
