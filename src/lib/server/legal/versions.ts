/** The legal texts as far as the server needs them: their names, versions and what changed. The pages render the texts themselves. */
import { readFileSync } from 'node:fs'
import { ACCOUNT_TERMS, ORDER_TERMS, type TermsName, type TermsVersions } from '#lib/domain/legal/terms.ts'
import { fileUrl } from '../platform/files.ts'

export type LegalText = { name: TermsName; title: string; version: string; effective: string; changes: string }

const folder = fileUrl('src/content/legal/')

/** Reads the head of a text: the lines `name: value` between dashes. */
function readHead(name: TermsName): LegalText {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(new URL(`${name}.md`, folder), 'utf8')) ?? []
  const of = (key: string) => {
    const value = new RegExp(`^${key}: "?(.*?)"?$`, 'm').exec(head)?.[1]
    if (!value) throw new Error(`src/content/legal/${name}.md has no ${key}`)
    return value
  }
  return { name, title: of('title'), version: of('version'), effective: of('effective'), changes: of('changes') }
}

const shelf = new Map([...ACCOUNT_TERMS, ...ORDER_TERMS].map((name) => [name, readHead(name)]))

export function legalText(name: TermsName): LegalText {
  const text = shelf.get(name)
  if (!text) throw new Error(`No legal text has the name ${name}`)
  return text
}

/** The current versions of these texts. */
export function currentTerms(names: readonly TermsName[]): TermsVersions {
  return Object.fromEntries(names.map((name) => [name, legalText(name).version]))
}

/** Names of the facts in `src/content/legal/owner.json` that only the owner can fill in and that are still empty. */
export function missingFacts(): string[] {
  const facts: { name: string; value: string }[] = JSON.parse(readFileSync(new URL('owner.json', folder), 'utf8'))
  return facts.filter(({ value }) => value.trim() === '').map(({ name }) => name)
}
