/** The legal pages and the policies of the purchase, written in Markdown under `src/content/legal`. */
import type { MarkdownInstance } from 'astro'

type LegalPage = MarkdownInstance<{ title: string }>

const pages = import.meta.glob<LegalPage>('../content/legal/*.md', { eager: true })

export function legalPage(slug: string): LegalPage | undefined {
  return pages[`../content/legal/${slug}.md`]
}
