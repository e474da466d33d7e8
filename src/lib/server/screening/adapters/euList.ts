/**
 * Reads the consolidated list of financial sanctions of the EU (XML 1.1). Source: https://data.europa.eu, "Consolidated list of persons, groups
 * and entities subject to EU financial sanctions"; its licence asks to name it. Almost everything in it is an attribute; text that is not known
 * is `""`, a date that is not known is left out.
 */
import type { Birth } from '#lib/domain/screening/names.ts'
import { at, list, text, UnreadableError, xmlReader } from '../../platform/xml.ts'
import { ScreeningError } from '../port.ts'

type ListEntry = { id: string; kind: 'person' | 'other'; names: string[]; births: Birth[]; about: string }
type EuList = { version: string; entries: ListEntry[] }

const NAMESPACE = 'http://eu.europa.ec/fpi/fsd/export'
const parse = xmlReader(new Set(['nameAlias', 'birthdate', 'citizenship', 'regulation']))
const YEARS_AROUND = 1

const of = (node: unknown, name: string) => text(at(node, `@${name}`)).replace(/\s+/g, ' ')

/** Throws ScreeningError for a file that is something else, or was cut off. */
export function readEuList(xml: string): EuList {
  const head = /<(?:\w+:)?export\b[^>]*>/.exec(xml)?.[0] ?? ''
  const version = /\bgenerationDate="([^"]+)"/.exec(head)?.[1] ?? ''
  if (!head.includes(NAMESPACE) || version === '') throw new ScreeningError('The file is no list of EU sanctions')
  if (!/<\/(?:\w+:)?export>\s*$/.test(xml)) throw new ScreeningError('The file was cut off')
  const entries = new Map<string, ListEntry>()
  for (const entity of entitiesOf(xml)) {
    const entry = entryOf(entity)
    if (entry.id !== '' && entry.names.length > 0) entries.set(entry.id, entry)
  }
  const all = [...entries.values()]
  if (!all.some(({ kind }) => kind === 'person')) throw new ScreeningError('The list has no person')
  return { version, entries: all }
}

/** One entity a time: the whole list is 25 MB, and as a tree ten times that. */
function* entitiesOf(xml: string): Generator<string> {
  const plain = xml.includes('<!--') ? xml.replace(/<!--[\s\S]*?-->/g, '') : xml
  const prefix = /<((?:\w+:)?)sanctionEntity[\s>]/.exec(plain)?.[1] ?? ''
  const [open, close] = [`<${prefix}sanctionEntity`, `</${prefix}sanctionEntity>`]
  for (let from = plain.indexOf(open); from >= 0; ) {
    const end = plain.indexOf(close, from)
    if (end < 0) throw new ScreeningError('The file was cut off')
    const next = plain.indexOf(open, from + open.length)
    if (next >= 0 && next < end) throw new ScreeningError('An entry stands within another one')
    yield plain.slice(from, end + close.length)
    from = next
  }
}

function entryOf(xml: string): ListEntry {
  try {
    const entity = at(parse(xml), 'sanctionEntity')
    const names = list(entity, 'nameAlias').map(
      (alias) =>
        of(alias, 'wholeName') ||
        ['firstName', 'middleName', 'lastName']
          .map((part) => of(alias, part))
          .filter(Boolean)
          .join(' ')
    )
    const programmes = list(entity, 'regulation').map((regulation) => of(regulation, 'programme'))
    const countries = list(entity, 'citizenship').map((citizenship) => of(citizenship, 'countryDescription'))
    const known = (values: string[]) => [...new Set(values)].filter((value) => value !== '' && value !== 'UNKNOWN')
    return {
      id: of(entity, 'logicalId'),
      kind: of(at(entity, 'subjectType'), 'code') === 'person' ? 'person' : 'other',
      names: known(names),
      births: list(entity, 'birthdate').flatMap(birthOf),
      about: [of(entity, 'euReferenceNumber'), ...known(programmes), ...known(countries)].filter(Boolean).join(', ')
    }
  } catch (error) {
    if (error instanceof UnreadableError) throw new ScreeningError(`An entry cannot be read: ${error.message}`)
    throw error
  }
}

const two = (part: string) => part.padStart(2, '0')
const isYear = (year: string) => /^\d{4}$/.test(year)
const yearsOf = (from: number, to: number): Birth => ({ from: `${from}-01-01`, to: `${to}-12-31` })

/** A day, a month, a year or a range of years; nothing for a place alone, or a year of another calendar. */
function birthOf(node: unknown): Birth[] {
  const isAbout = of(node, 'circa') === 'true'
  const day = of(node, 'birthdate')
  const [year, month, dayOfMonth] = [of(node, 'year'), of(node, 'monthOfYear'), of(node, 'dayOfMonth')]
  const around = isAbout ? YEARS_AROUND : 0
  if (/^\d{4}-\d{2}-\d{2}$/.test(day))
    return isAbout ? [yearsOf(Number(day.slice(0, 4)) - around, Number(day.slice(0, 4)) + around)] : [{ from: day, to: day }]
  if (of(node, 'calendarType') !== 'GREGORIAN') return []
  const [from, to] = [of(node, 'yearRangeFrom'), of(node, 'yearRangeTo')]
  if (isYear(from) || isYear(to))
    return [{ from: isYear(from) ? `${from}-01-01` : '0000-01-01', to: isYear(to) ? `${to}-12-31` : '9999-12-31' }]
  if (!isYear(year)) return []
  if (isAbout || !/^\d{1,2}$/.test(month)) return [yearsOf(Number(year) - around, Number(year) + around)]
  const start = `${year}-${two(month)}`
  return /^\d{1,2}$/.test(dayOfMonth)
    ? [{ from: `${start}-${two(dayOfMonth)}`, to: `${start}-${two(dayOfMonth)}` }]
    : [{ from: `${start}-01`, to: `${start}-31` }]
}
