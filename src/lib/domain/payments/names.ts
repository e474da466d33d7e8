/** Compares the name of a payer with the name of an identity check: banks shorten, reorder and transliterate names. */

/** As passports and banks write letters that their machines do not have. */
const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const TITLES = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'herr', 'frau', 'dipl', 'ing', 'mag'])

/** A word in the spellings that banks make of it: `müller` as `muller` and `mueller`. */
type Word = { plain: string; written: string }

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }
const bare = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** The words of a name. `isPayer`: titles are left out; a verified name has none, and a word that looks like one is a name. */
function wordsOf(name: string, isPayer: boolean): Word[] {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word.length > 0 && !(isPayer && TITLES.has(word)))
    .map((word) => ({ plain: bare(word), written: bare(word.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)) }))
}

const isSame = (one: Word, other: Word) => one.plain === other.plain || one.written === other.plain || one.plain === other.written

/** True if each word of one is one word of the other. */
function areSame(one: Word[], other: Word[]): boolean {
  if (one.length !== other.length) return false
  const left = [...other]
  return one.every((word) => {
    const at = left.findIndex((candidate) => isSame(word, candidate))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** How many letters must be changed, added or removed; at most `most` are counted. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [to, with_] of [...other].entries())
      next.push(Math.min((row[to] ?? 0) + (letter === with_ ? 0 : 1), (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1))
    row = next
  }
  return Math.min(row[other.length] ?? 0, most + 1)
}

/** A word with two letters of another spelling, and an initial for a name, are still similar. */
const isLike = (one: string, other: string) =>
  one === other ||
  (one.length === 1 && other.startsWith(one)) ||
  (other.length === 1 && one.startsWith(other)) ||
  (Math.min(one.length, other.length) > 3 && distance(one, other, 2) <= (Math.min(one.length, other.length) > 6 ? 2 : 1))

/**
 * `same`: the same words in any order. `similar`: at least two words, and every word of the shorter name is like one of the longer. Two
 * names without letters are not the same name.
 */
export function compareNames(payer: string, verified: string): 'same' | 'similar' | 'other' {
  const [one, other] = [wordsOf(payer, true), wordsOf(verified, false)]
  if (one.length === 0 || other.length === 0) return 'other'
  if (areSame(one, other)) return 'same'
  const [shorter, longer] = one.length <= other.length ? [one, [...other]] : [other, [...one]]
  if (shorter.length < 2) return 'other'
  for (const word of shorter) {
    const at = longer.findIndex((candidate) => isSame(word, candidate) || isLike(word.plain, candidate.plain))
    if (at < 0) return 'other'
    longer.splice(at, 1)
  }
  return 'similar'
}

/** E.g. `G. H.`: enough to tell two payers of a list apart. */
export const nameInitials = (name: string) =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => `${[...word][0]?.toUpperCase()}.`)
    .join(' ')
