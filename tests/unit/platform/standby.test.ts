/** How old a standby is: what makes it too old, and what is known while no primary answers. */
import { describe, expect, it } from 'vitest'
import { calls } from '#lib/contract/calls.ts'
import type { CallRules } from '#lib/contract/rules.ts'
import { MAY_BE_OLD } from '#lib/server/platform/api/mayBeOld.ts'
import { readPosition, StandbyAge } from '#lib/server/platform/db/standby.ts'

const place = (position: bigint, timeline = 1, cluster = 'ours') => ({ cluster, timeline, position })
const positionAt = (second: number) => BigInt(second * 200)

/** A primary that is asked each half second, and writes 100 bytes between; and a standby that has come to `at`, and is asked before the last time. */
function followed(seconds: number, at: bigint, age = new StandbyAge()): StandbyAge {
  for (let second = 0; second < seconds; second += 0.5) age.primaryAt(second * 1000, place(positionAt(second)))
  age.standbyAt(place(at))
  age.primaryAt(seconds * 1000, place(positionAt(seconds)))
  return age
}

describe('the age of a standby', () => {
  it('is that of the newest moment of the primary whose changes it has all made', () => {
    const age = followed(4, positionAt(3) + 1n)
    expect(age.ageMs(4000)).toBe(1000)
    age.standbyAt(place(positionAt(4)))
    expect(age.ageMs(4100)).toBe(100)
  })

  it('is usable up to two seconds, and not while its age is unknown', () => {
    const age = followed(4, positionAt(2))
    expect([age.isUsable(4000), age.isUsable(4001)]).toEqual([true, false])
    age.standbyLost()
    expect(age.isUsable(4000)).toBe(false)
  })

  it('is unknown where the standby is behind everything that is remembered of the primary', () => {
    expect(followed(60, 0n).ageMs(60_000)).toBeUndefined()
  })

  it('is not usable before the primary was asked after it', () => {
    const age = new StandbyAge()
    age.primaryAt(0, place(100n))
    age.standbyAt(place(100n))
    expect(age.isUsable(100)).toBe(false)
    age.primaryAt(500, place(100n))
    expect(age.isUsable(600)).toBe(true)
  })
})

describe('while no primary answers', () => {
  it('it stands still, for a minute', () => {
    const age = followed(4, positionAt(3.5))
    age.primarySilent(4500)
    expect([age.ageMs(30_000), age.isUsable(64_000), age.isUsable(64_001)]).toEqual([500, true, false])
  })

  it('a standby that was too old stays so', () => {
    const age = followed(4, positionAt(1.5))
    age.primarySilent(4500)
    expect(age.isUsable(4600)).toBe(false)
  })

  it('another standby is known by what is remembered of the primary, also of one that is gone', () => {
    const age = followed(4, positionAt(4))
    age.primarySilent(4500)
    age.standbyLost()
    age.standbyAt(place(positionAt(4)))
    expect(age.isUsable(10_000)).toBe(true)
  })

  it('what it has answered to others since then counts: the standby grows older', () => {
    const age = followed(4, positionAt(4))
    age.primarySilent(4500)
    age.primaryHeard(4400)
    expect([age.isPrimarySilent, age.isUsable(8000)]).toEqual([true, true])
    age.primaryHeard(4600)
    expect([age.isPrimarySilent, age.isUsable(8000)]).toEqual([false, false])
  })
})

describe('a server that does not follow this primary', () => {
  it('is refused if it is of another cluster', () => {
    const age = followed(4, positionAt(4))
    expect(() => age.standbyAt(place(positionAt(4), 1, 'a copy for tests'))).toThrow('another cluster')
  })

  it('is not usable while it is ahead of it', () => {
    const age = followed(4, positionAt(4) + 1n)
    expect(age.isUsable(4000)).toBe(false)
  })

  it('is not usable after the primary has moved, if it stands still', () => {
    const age = followed(4, positionAt(4))
    age.primarySilent(4500)
    // The new primary goes on from before, and passes it.
    for (const [second, position] of [
      [5, 700n],
      [5.5, 750n],
      [6, 900n]
    ] as const) {
      age.primaryAt(second * 1000, place(position, 2))
      age.standbyAt(place(positionAt(4)))
      expect(age.isUsable(second * 1000)).toBe(false)
    }
    // One that follows has moved, or says so.
    age.standbyAt(place(850n))
    age.primaryAt(6500, place(900n, 2))
    expect(age.isUsable(6500)).toBe(true)
    age.standbyLost()
    age.standbyAt(place(900n, 2))
    age.primaryAt(7000, place(900n, 2))
    expect(age.isUsable(7000)).toBe(true)
  })
})

it('reads positions of the log as PostgreSQL writes them', () => {
  expect(readPosition('0/0')).toBe(0n)
  expect(readPosition('16/B374D848')).toBe(0x16b374d848n)
  expect(() => readPosition('')).toThrow(SyntaxError)
})

it('answers calls that only read, and whose uses are not counted, because counting needs the primary', () => {
  for (const name of Object.keys(MAY_BE_OLD) as (keyof typeof MAY_BE_OLD)[]) {
    const { method, limits }: CallRules = calls[name]
    expect([name, method, limits]).toEqual([name, 'GET', {}])
  }
})
