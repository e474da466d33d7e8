/** The legal texts, written in Markdown under `src/content/legal`; earlier versions are in its folder `earlier`. */
import type { MarkdownInstance } from 'astro'
import { ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import type { Company } from '#lib/server/platform/config.ts'
import { legalTexts } from '#messages/legal/legal.ts'
import owner from './owner.json'

type Head = { title: string; version: string; effective: string | Date; changes: string }
type Page = MarkdownInstance<Head>
type LegalVersion = { version: string; day: string; changes: string; isCurrent: boolean }
export type LegalPage = { title: string; html: string; shown: LegalVersion; versions: LegalVersion[] }

const current = import.meta.glob<Page>('./*.md', { eager: true })
const earlier = import.meta.glob<Page>('./earlier/*.md', { eager: true })

/** A legal text in the given version, by default the current one. Undefined for an unknown text or version. */
export async function legalPage(slug: string, company: Company, version?: string): Promise<LegalPage | undefined> {
  const now = current[`./${slug}.md`]
  if (!now) return undefined
  const before = Object.entries(earlier).filter(([path]) => path.startsWith(`./earlier/${slug}-`))
  const pages = [now, ...before.map(([, page]) => page).toReversed()]
  const page = version === undefined ? now : pages.find(({ frontmatter }) => frontmatter.version === version)
  if (!page) return undefined
  const versions = pages.map((one) => versionOf(one, one === now))
  return {
    title: page.frontmatter.title,
    html: fillIn(await page.compiledContent(), company),
    shown: versionOf(page, page === now),
    versions
  }
}

/** The versions of the terms that a purchase shows. */
export const orderTermVersions = Object.fromEntries(
  ORDER_TERMS.map((name) => [name, current[`./${name}.md`]?.frontmatter.version ?? ''])
) as Record<(typeof ORDER_TERMS)[number], string>

function versionOf({ frontmatter: { version, effective, changes } }: Page, isCurrent: boolean): LegalVersion {
  return { version, day: new Date(effective).toISOString().slice(0, 10), changes, isCurrent }
}

/** Replaces `{{NAME}}` with the owner's facts. Missing facts are marked, so that nobody takes the placeholder for the text. */
function fillIn(html: string, { name, address }: Company): string {
  const known: Record<string, string> = { COMPANY_NAME: name, COMPANY_ADDRESS: address }
  for (const fact of owner) known[fact.name] = fact.value
  return html.replace(/\{\{([A-Z_]+)\}\}/g, (_, fact: string) =>
    known[fact] ? escapeHtml(known[fact]) : `<mark>${legalTexts.toFillIn(wordsOf(fact))}</mark>`
  )
}

/** The same for plain text, without HTML. */
export function fillInText(text: string, company: string): string {
  const known: Record<string, string> = { COMPANY_NAME: company }
  for (const fact of owner) known[fact.name] = fact.value
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (_, fact: string) => known[fact] || legalTexts.toFillIn(wordsOf(fact)))
}

const wordsOf = (name: string) => name.toLowerCase().replaceAll('_', ' ')

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
