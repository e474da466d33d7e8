/** A list that we keep ourselves: read into the database by the worker, and compared in memory. */
import { createHash } from 'node:crypto'
import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import { firstSound, foldName, isHit, matchBirth, nameScore, namesIn, wordScore } from '#lib/domain/screening/names.ts'
import type { Context } from '../../platform/context.ts'
import { transact } from '../../platform/transaction.ts'
import { type AskedName, type Listed, type NameScreen, ScreeningError } from '../port.ts'
import { screeningEntries, screeningLists } from '../schema.ts'
import { readEuList } from './euList.ts'

type Entry = typeof screeningEntries.$inferSelect
type Spelling = { entry: Entry; name: string; words: string[] }
/** `words`: each different word, by its first sound, with the spellings that it stands in. */
type Index = { version: string; words: Map<string, Map<string, Spelling[]>> }

const ROWS_AT_ONCE = 500
/** A list that has lost so many of its entries is more likely broken than shorter. */
const LEAST_SHARE = 0.5

/** `read`: gives the XML of the list, from its address, a file, or the sandbox. Throws ScreeningError. */
export function keptList(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  source: string,
  read: () => Promise<string>
): NameScreen {
  const context = { db, clock, log } as Context
  let index: Index | undefined

  async function indexNow(): Promise<Index> {
    const [kept] = await db.select().from(screeningLists).where(eq(screeningLists.source, source))
    if (!kept?.version) throw new ScreeningError('The list was never read')
    if (index?.version !== kept.version) index = await indexOf(context, source, kept.version)
    return index
  }

  return {
    source,
    refresh: async () => {
      const { version, entries } = readEuList(await read())
      const [kept] = await db.select().from(screeningLists).where(eq(screeningLists.source, source))
      if (kept?.version === version) return { version, entries: kept.entries }
      if (kept && entries.length < kept.entries * LEAST_SHARE)
        throw new ScreeningError(`The list has only ${entries.length} entries instead of ${kept.entries}`)
      await transact(context, async ({ tx }) => {
        for (let from = 0; from < entries.length; from += ROWS_AT_ONCE)
          await tx
            .insert(screeningEntries)
            .values(entries.slice(from, from + ROWS_AT_ONCE).map((entry) => ({ source, ...entry })))
            .onConflictDoUpdate({
              target: [screeningEntries.source, screeningEntries.id],
              set: {
                kind: sql`excluded.kind`,
                names: sql`excluded.names`,
                births: sql`excluded.births`,
                about: sql`excluded.about`
              }
            })
        const ids = entries.map(({ id }) => id)
        await tx.delete(screeningEntries).where(and(eq(screeningEntries.source, source), notInArray(screeningEntries.id, ids)))
      })
      return { version, entries: entries.length }
    },
    search: async (asked) => searchIn(await indexNow(), source, asked)
  }
}

async function indexOf({ db }: Context, source: string, version: string): Promise<Index> {
  const words: Index['words'] = new Map()
  const entries = await db
    .select()
    .from(screeningEntries)
    .where(eq(screeningEntries.source, source))
    .orderBy(asc(screeningEntries.id))
  for (const entry of entries)
    for (const name of entry.names) {
      const spelling = { entry, name, words: foldName(name) }
      for (const word of new Set(spelling.words)) {
        const sound = firstSound(word)
        const ofSound = words.get(sound) ?? new Map<string, Spelling[]>()
        words.set(sound, ofSound)
        const spellings = ofSound.get(word)
        if (spellings) spellings.push(spelling)
        else ofSound.set(word, [spelling])
      }
    }
  return { version, words }
}

/** The best spelling of each entry that is like the name, or like one of several in it; the most alike first. */
function searchIn(index: Index, source: string, { name, birthDate, isPerson }: AskedName): Listed[] {
  const best = new Map<string, Listed>()
  for (const one of namesIn(name)) {
    const asked = foldName(one)
    for (const { entry, name: listed, words } of candidatesIn(index, asked)) {
      if (isPerson && entry.kind !== 'person') continue
      const score = nameScore(asked, words)
      const birth = matchBirth(birthDate, entry.births)
      if (!isHit(score, birth) || score <= (best.get(entry.id)?.score ?? 0)) continue
      best.set(entry.id, { source, entryId: versionOf(entry), listed, about: entry.about, births: entry.births, score, birth })
    }
  }
  return [...best.values()].toSorted((one, other) => other.score - one.score).slice(0, MOST)
}
const MOST = 50

function candidatesIn({ words }: Index, asked: string[]): Set<Spelling> {
  const found = new Set<Spelling>()
  for (const word of asked)
    for (const [listed, spellings] of words.get(firstSound(word)) ?? [])
      if (wordScore(word, listed) > 0) for (const spelling of spellings) found.add(spelling)
  return found
}

/** An entry that has changed is another one: what was decided about it before does not count any more. */
const versionOf = ({ id, names, births }: Entry) =>
  `${id}@${createHash('sha256')
    .update(JSON.stringify([names, births]))
    .digest('hex')
    .slice(0, 8)}`
