/** The EU's list, read in every form of its dates and names. */
import { expect, it } from 'vitest'
import { readEuList } from '#lib/server/screening/adapters/euList.ts'
import { sandboxList } from '#lib/server/screening/adapters/sandboxList.ts'

const listOf = (
  inner: string,
  head = 'xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-08-05T16:47:04.449+02:00"'
) => `<?xml version="1.0"?><export ${head}>${inner}</export>\n`
const person = (inner: string, id = '7300') =>
  `<sanctionEntity euReferenceNumber="EU.1.1" logicalId="${id}"><subjectType code="person" classificationCode="P"/>${inner}</sanctionEntity>`
const alias = (name: string) => `<nameAlias firstName="" middleName="" lastName="" wholeName="${name}" strong="true"/>`
const born = (attributes: string) => `<birthdate circa="false" calendarType="GREGORIAN" ${attributes}/>`
const birthsOf = (inner: string) => readEuList(listOf(person(alias('A B') + inner))).entries[0]?.births

it('reads names in all spellings, with their spaces put right', () => {
  const { version, entries } = readEuList(
    listOf(
      person(
        `${alias('Anna &amp;  B\nC')}${alias('Анна')}${alias('')}<nameAlias firstName="D" middleName="" lastName="E" wholeName=""/>`
      )
    )
  )
  expect(version).toBe('2026-08-05T16:47:04.449+02:00')
  expect(entries).toEqual([{ id: '7300', kind: 'person', names: ['Anna & B C', 'Анна', 'D E'], births: [], about: 'EU.1.1' }])
})

it.each([
  [
    'a day',
    born('birthdate="1958-07-02" dayOfMonth="2" monthOfYear="7" year="1958"'),
    [{ from: '1958-07-02', to: '1958-07-02' }]
  ],
  ['a day in parts', born('dayOfMonth="2" monthOfYear="7" year="1958"'), [{ from: '1958-07-02', to: '1958-07-02' }]],
  ['a month', born('monthOfYear="8" year="1961"'), [{ from: '1961-08-01', to: '1961-08-31' }]],
  ['a year', born('year="1966"'), [{ from: '1966-01-01', to: '1966-12-31' }]],
  ['a range', born('yearRangeFrom="1960" yearRangeTo="1979"'), [{ from: '1960-01-01', to: '1979-12-31' }]],
  ['a range without a beginning', born('yearRangeTo="1980"'), [{ from: '0000-01-01', to: '1980-12-31' }]],
  ['about a year', '<birthdate circa="true" calendarType="GREGORIAN" year="1974"/>', [{ from: '1973-01-01', to: '1975-12-31' }]],
  ['a place alone', born('city="Siva"'), []],
  ['a year of another calendar', '<birthdate circa="false" calendarType="ISLAMIC" year="1343"/>', []]
])('reads a birth date that is %s', (_, inner, births) => {
  expect(birthsOf(inner)).toEqual(births)
})

it.each([
  ['another document', '<Document xmlns="urn:x"></Document>', 'no list'],
  ['a list without a date', listOf(person(alias('A')), 'xmlns="http://eu.europa.ec/fpi/fsd/export"'), 'no list'],
  ['one that was cut off', listOf(person(alias('A'))).slice(0, -12), 'cut off'],
  ['an empty one', listOf(''), 'no person'],
  ['a page of an error', '<html><body>503</body></html>', 'no list']
])('refuses %s', (_, xml, says) => {
  expect(() => readEuList(xml)).toThrow(says)
})

it('reads the sandbox’s own, whose people are made up', async () => {
  const { entries } = readEuList(await sandboxList(() => new Date())())
  expect(entries.map(({ names }) => names[0])).toEqual([
    'Zebulon Quorthax VANE',
    'Ottoline Brackwater-Sloane',
    'Grimsholt Vexley Trading'
  ])
  expect(entries.map(({ kind }) => kind)).toEqual(['person', 'person', 'other'])
})
