/** Compares a name with the names of a sanctions list. Such lists repeat a person in many spellings, and leave out parts of names. */
import { jaroWinkler } from '@skyra/jaro-winkler'
import anyAscii from 'any-ascii'

/** Alike enough for two words to be one. */
const LEAST_WORD = 0.85
/** What each listed word without a partner costs, as a share of its length in the name. */
const UNMATCHED = 0.15

/** The words of a name in plain letters, whatever script it is written in. */
export function foldName(name: string): string[] {
  return anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** How alike two words are, from 0 to 1. Words that begin differently, or of very different length, are not: `putin` is no `rasputin`. */
export function wordScore(one: string, other: string): number {
  if (one === other) return 1
  if (one[0] !== other[0]) return 0
  const [short, long] = one.length < other.length ? [one.length, other.length] : [other.length, one.length]
  if (short < 3 || short / long < 0.6) return 0
  const score = jaroWinkler(one, other)
  return score >= LEAST_WORD ? score : 0
}

const lengthOf = (words: string[]) => words.reduce((sum, word) => sum + word.length, 0)

/**
 * How alike two names are, from 0 to 1, in any order of their words. Every word of the asked name counts by its length; one without a partner
 * counts nothing. Words that only the list has cost little.
 */
export function nameScore(asked: string[], listed: string[]): number {
  const pairs = asked
    .flatMap((one, at) => listed.map((other, to) => ({ at, to, score: wordScore(one, other) })))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const [usedAsked, usedListed] = [new Set<number>(), new Set<number>()]
  let matched = 0
  for (const { at, to, score } of pairs) {
    if (usedAsked.has(at) || usedListed.has(to)) continue
    usedAsked.add(at)
    usedListed.add(to)
    matched += score * (asked[at]?.length ?? 0)
  }
  const total = lengthOf(asked)
  if (total === 0 || listed.length === 0) return 0
  const rest = lengthOf(listed.filter((_, to) => !usedListed.has(to))) / lengthOf(listed)
  return (matched / total) * (1 - UNMATCHED * rest)
}

/** Days from and to, e.g. `1961-08-01` to `1961-08-31` for a month; both included. */
export type Birth = { from: string; to: string }

export type BirthMatch = 'same' | 'other' | 'unknown'

/** `other`: it agrees with none of those that the list knows. A date that one of the two does not know is no difference. */
export function matchBirth(birthDate: string | undefined, listed: Birth[]): BirthMatch {
  if (!birthDate || listed.length === 0) return 'unknown'
  return listed.some(({ from, to }) => from <= birthDate && birthDate <= to) ? 'same' : 'other'
}

/** From this score on a person looks at it. With another birth date, only from the second one on: lists and papers have slips. */
const HIT = 0.85
const HIT_DESPITE_BIRTH = 0.95

export const isHit = (score: number, birth: BirthMatch) => score >= (birth === 'other' ? HIT_DESPITE_BIRTH : HIT)
