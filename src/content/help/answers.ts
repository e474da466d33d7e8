/** The answers of the help, written in Markdown under `src/content/help`, and their search. */
import type { MarkdownInstance } from 'astro'
import MiniSearch from 'minisearch'

type Head = { question: string; topic: string; order: number }
export type HelpAnswer = {
  slug: string
  question: string
  topic: string
  order: number
  words: string
  html: () => Promise<string>
}

const TOPICS = [
  'Buying and paying',
  'Identity check',
  'Staking and rewards',
  'Deposits and withdrawals',
  'Peer to peer',
  'Account and security',
  'Documents',
  'Euro IBAN'
]
const MOST_RESULTS = 8
const SNIPPET_LENGTH = 150

const pages = import.meta.glob<MarkdownInstance<Head>>('./*.md', { eager: true })

export const answers: HelpAnswer[] = Object.entries(pages)
  .map(([path, { frontmatter, rawContent, compiledContent }]) => ({
    slug: path.replace(/^.*\/|\.md$/g, ''),
    question: frontmatter.question,
    topic: frontmatter.topic,
    order: Number(frontmatter.order),
    words: plainWords(rawContent()),
    html: compiledContent
  }))
  .toSorted((a, b) => TOPICS.indexOf(a.topic) - TOPICS.indexOf(b.topic) || a.order - b.order)

/** The answers by topic, in the order of `TOPICS`. */
export const topics = TOPICS.map((name) => ({ name, answers: answers.filter(({ topic }) => topic === name) }))

export function findAnswer(slug: string): HelpAnswer | undefined {
  return answers.find((one) => one.slug === slug)
}

/** A text without its Markdown syntax. */
function plainWords(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-#>]+|\d+\.)\s+/gm, '')
    .replace(/\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const index = new MiniSearch<HelpAnswer>({
  idField: 'slug',
  fields: ['question', 'words', 'topic'],
  searchOptions: { boost: { question: 3 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' }
})
index.addAll(answers)

export type HelpResult = { slug: string; question: string; snippet: string }

/** The best answers that contain all of these words; if there are none, those that contain some. */
export function searchAnswers(words: string): HelpResult[] {
  const strict = index.search(words)
  const found = strict.length > 0 ? strict : index.search(words, { combineWith: 'OR' })
  return found.slice(0, MOST_RESULTS).flatMap(({ id }) => {
    const answer = findAnswer(String(id))
    return answer ? [{ slug: answer.slug, question: answer.question, snippet: snippetOf(answer.words) }] : []
  })
}

function snippetOf(words: string): string {
  if (words.length <= SNIPPET_LENGTH) return words
  return `${words.slice(0, words.lastIndexOf(' ', SNIPPET_LENGTH))}…`
}
