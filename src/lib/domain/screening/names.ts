/** Compares a name with the names of a sanctions list. Such lists repeat a person in many spellings, and leave out parts of names. */
import { jaroWinkler } from '@skyra/jaro-winkler'
import anyAscii from 'any-ascii'

/** Alike enough for two words to be one. */
const LEAST_WORD = 0.85
/** What a word without a partner costs, as a share of its length: names are shortened by those who write them, and lengthened by those who hide. */
const UNMATCHED = { asked: 0.25, listed: 0.15 }

/** Words that are no part of a name. */
const TITLES = new Set('mr mrs ms dr prof herr frau dipl ing mag sir madame monsieur'.split(' '))
const FORMS = new Set(
  'gmbh ag kg og ohg eu ek ltd llc limited inc corp co company sa sarl srl spa bv nv ab as oy plc jsc ooo pjsc'.split(' ')
)
const isName = (word: string) => !TITLES.has(word) && !FORMS.has(word)

/** The words of a name in plain letters, whatever script it is written in. Titles and legal forms are left out, where something stays. */
export function foldName(name: string): string[] {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/\be\. ?u\./g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const rest = words.filter(isName)
  return rest.length > 0 ? rest : words
}

/** An account may belong to several: each of them, and the whole. */
export function namesIn(text: string): string[] {
  const parts = text.split(/\s(?:und|and|u\.|oder|or|et|e)\s|[&/;+]|,\s*(?=\S+\s+\S+\s*,)/i).map((part) => part.trim())
  return [...new Set([text.trim(), ...parts])].filter((part) => foldName(part).length > 0)
}

/** First letters that are written for each other: Yevgeniy and Evgeniy, Osama and Usama, Gaddafi and Kadhafi. */
const SOUNDS: Record<string, string> = { e: 'y', j: 'y', i: 'y', u: 'o', g: 'k', q: 'k', c: 'k', w: 'v', f: 'v' }
export const firstSound = (word: string): string => SOUNDS[word[0] ?? ''] ?? word[0] ?? ''

/** How alike two words are, from 0 to 1. Words that begin differently, or of very different length, are not: `putin` is no `rasputin`. */
export function wordScore(one: string, other: string): number {
  if (one === other) return 1
  if (firstSound(one) !== firstSound(other)) return 0
  const [short, long] = one.length < other.length ? [one.length, other.length] : [other.length, one.length]
  if (short < 3 || short / long < 0.6) return 0
  const score = jaroWinkler(one, other)
  return score >= LEAST_WORD ? score : 0
}

const lengthOf = (words: string[]) => words.reduce((sum, word) => sum + word.length, 0)

/**
 * How alike two names are, from 0 to 1, in any order of their words. With one word in common, the other words of the asked name count in full;
 * with two or more, words that only one of the two has cost a part of their length.
 */
export function nameScore(asked: string[], listed: string[]): number {
  const candidates = asked
    .flatMap((one, at) => listed.map((other, to) => ({ at, to, score: wordScore(one, other) })))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const [usedAsked, usedListed] = [new Set<number>(), new Set<number>()]
  let matched = 0
  for (const { at, to, score } of candidates) {
    if (usedAsked.has(at) || usedListed.has(to)) continue
    usedAsked.add(at)
    usedListed.add(to)
    matched += score * (asked[at]?.length ?? 0)
  }
  const total = lengthOf(asked)
  if (total === 0 || listed.length === 0) return 0
  const onlyListed = lengthOf(listed.filter((_, to) => !usedListed.has(to)))
  const covered = (matched / total) * (1 - (UNMATCHED.listed * onlyListed) / lengthOf(listed))
  if (usedAsked.size < 2) return covered
  const common = lengthOf(asked.filter((_, at) => usedAsked.has(at)))
  const rest = UNMATCHED.asked * (total - common) + UNMATCHED.listed * onlyListed
  return Math.max(covered, matched / (common + rest))
}

/** Days from and to, e.g. `1961-08-01` to `1961-08-31` for a month; both included. */
export type Birth = { from: string; to: string }

export type BirthMatch = 'same' | 'other' | 'unknown'

/** `other`: it agrees with none of those that the list knows. A date that one of the two does not know is no difference. */
export function matchBirth(birthDate: string | undefined, listed: Birth[]): BirthMatch {
  if (!birthDate || listed.length === 0) return 'unknown'
  return listed.some(({ from, to }) => from <= birthDate && birthDate <= to) ? 'same' : 'other'
}

/** From this score on a person looks at it. With the same birth date, a part of the name is enough; with another one, it must be the whole. */
const HITS: Record<BirthMatch, number> = { same: 0.7, unknown: 0.85, other: 0.95 }

export const isHit = (score: number, birth: BirthMatch) => score >= HITS[birth]
