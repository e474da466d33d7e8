/** Names that are like one of a list, and those that are not. */
import { describe, expect, it } from 'vitest'
import { foldName, isHit, matchBirth, nameScore, namesIn } from '#lib/domain/screening/names.ts'
import { mustWait, screeningStateOf } from '#lib/domain/screening/verdict.ts'

const score = (asked: string, listed: string) => nameScore(foldName(asked), foldName(listed))

describe('a name', () => {
  it.each([
    ['Zebulon Vane', 'Zebulon Quorthax VANE', 'a name left out'],
    ['VANE, Zebulon Quorthax', 'Zebulon Quorthax VANE', 'another order'],
    ['Zebulon Kvortaks', 'Зебулон Квортакс', 'another script'],
    ['Zebullon Vane', 'Zebulon Vane', 'a slip'],
    ['Muhammad Alzarqa', 'Mohammed Alzarqa', 'another transcription'],
    ["O'Brackwater Sloane", 'OBrackwater-Sloane', 'an apostrophe and a hyphen'],
    ['Jürgen Straße', 'JUERGEN STRASSE', 'letters that a machine does not have'],
    ['Dr. Zebulon Quorthax Vane e.U.', 'Zebulon Quorthax VANE', 'a title and a legal form'],
    ['Grimsholt Vexley Trading LLC Dubai', 'Grimsholt Vexley Trading', 'more words'],
    ['Usama bin Ladin', 'Osama bin Laden', 'another first letter'],
    ['Evgeniy Prigozhin', 'Yevgeniy Prigozhin', 'another first letter']
  ])('%s is like %s: %s', (asked, listed) => {
    expect(score(asked, listed)).toBeGreaterThanOrEqual(0.85)
  })

  it.each([
    ['Ivan Putin', 'Ivan Rasputin'],
    ['Zebulon Miller', 'Zebulon Quorthax VANE'],
    ['Ada Lovelace', 'Ottoline Brackwater-Sloane'],
    ['Vane', 'Quorthax Zebulon'],
    ['Li Wei', 'Lu Wen'],
    ['', 'Zebulon Vane'],
    ['Anna Maria Zebulon', 'Zebulon']
  ])('%s is not like %s', (asked, listed) => {
    expect(score(asked, listed)).toBeLessThan(0.85)
  })
})

it('of several people is each of them', () => {
  expect(namesIn('Zebulon Vane und Mary Vane')).toEqual(['Zebulon Vane und Mary Vane', 'Zebulon Vane', 'Mary Vane'])
  expect(namesIn('A B & C D')).toContain('C D')
  expect(namesIn('  ')).toEqual([])
})

describe('a birth date', () => {
  it('agrees, differs, or is not known', () => {
    const year = { from: '1961-01-01', to: '1961-12-31' }
    expect(matchBirth('1961-04-28', [year])).toBe('same')
    expect(matchBirth('1962-04-28', [year])).toBe('other')
    expect(matchBirth('1962-04-28', [year, { from: '1962-04-01', to: '1962-04-31' }])).toBe('same')
    expect(matchBirth(undefined, [year])).toBe('unknown')
    expect(matchBirth('1962-04-28', [])).toBe('unknown')
  })

  it('that is the same makes a part of a name enough', () => {
    const part = score('Zebulon Maximilian Vane', 'Zebulon Quorthax VANE')
    expect([isHit(part, 'same'), isHit(part, 'unknown')]).toEqual([true, false])
  })

  it('that differs lets a name pass that is only similar', () => {
    expect(isHit(0.9, 'unknown')).toBe(true)
    expect(isHit(0.9, 'other')).toBe(false)
    expect(isHit(0.96, 'other')).toBe(true)
  })
})

describe('money', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  const days = (count: number) => new Date(now.getTime() - count * 86_400_000)
  const asked = { state: 'current' as const, hits: 0, screenedAt: days(1), cents: 500n, aboveCents: 1000n, now }

  it('waits for a decision, for the first look, and for an old list above the setting', () => {
    expect(mustWait(asked)).toBe(false)
    expect(mustWait({ ...asked, hits: 1 })).toBe(true)
    expect(mustWait({ ...asked, screenedAt: null })).toBe(true)
    expect(mustWait({ ...asked, screenedAt: days(8) })).toBe(true)
    expect(mustWait({ ...asked, state: 'stale', screenedAt: days(20) })).toBe(false)
    expect(mustWait({ ...asked, state: 'stale', screenedAt: null })).toBe(true)
    expect(mustWait({ ...asked, state: 'stale', cents: 1001n })).toBe(true)
    expect(mustWait({ ...asked, state: 'off', screenedAt: null, cents: 9999n })).toBe(false)
    // Somebody was found before the list was taken away: a person must still decide.
    expect(mustWait({ ...asked, state: 'off', hits: 1 })).toBe(true)
  })

  it('goes by when the list was read completely', () => {
    expect(screeningStateOf(undefined, now)).toBe('off')
    expect(screeningStateOf({ readAt: null, version: null }, now)).toBe('stale')
    expect(screeningStateOf({ readAt: days(6.9), version: null }, now)).toBe('current')
    expect(screeningStateOf({ readAt: days(7.1), version: null }, now)).toBe('stale')
    expect(screeningStateOf({ readAt: days(1), version: days(29).toISOString() }, now)).toBe('current')
    expect(screeningStateOf({ readAt: days(1), version: days(31).toISOString() }, now)).toBe('stale')
  })
})
