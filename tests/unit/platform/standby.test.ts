/** How old a standby is: what makes it too old, and what is known while no primary answers. */
import { describe, expect, it } from 'vitest'
import { readPosition, StandbyAge } from '#lib/server/platform/db/standby.ts'

/** A primary that is asked each half second, and writes 100 bytes between. */
function followed(seconds: number): { age: StandbyAge; positionAt: (second: number) => bigint } {
  const age = new StandbyAge()
  const positionAt = (second: number) => BigInt(second * 200)
  for (let second = 0; second <= seconds; second += 0.5) age.primaryAt(second * 1000, positionAt(second))
  return { age, positionAt }
}

describe('the age of a standby', () => {
  it('is that of the newest moment of the primary whose changes it has all made', () => {
    const { age, positionAt } = followed(4)
    age.standbyAt(positionAt(3) + 1n)
    expect(age.ageMs(4000)).toBe(1000)
    age.standbyAt(positionAt(4))
    expect(age.ageMs(4100)).toBe(100)
  })

  it('is usable up to two seconds, and not while its age is unknown', () => {
    const { age, positionAt } = followed(4)
    expect(age.isUsable(4000)).toBe(false)
    age.standbyAt(positionAt(2))
    expect([age.isUsable(4000), age.isUsable(4001)]).toEqual([true, false])
    age.standbyAt(positionAt(4))
    age.standbyLost()
    expect(age.isUsable(4000)).toBe(false)
  })

  it('is unknown where the standby is behind everything that is remembered of the primary', () => {
    const { age } = followed(60)
    age.standbyAt(0n)
    expect(age.ageMs(60_000)).toBeUndefined()
  })

  it('stands still while no primary answers, for a minute', () => {
    const { age, positionAt } = followed(4)
    age.standbyAt(positionAt(3.5))
    age.primarySilent()
    expect([age.ageMs(30_000), age.isUsable(64_000), age.isUsable(64_001)]).toEqual([500, true, false])
  })

  it('is not excused by a silent primary', () => {
    const { age, positionAt } = followed(4)
    age.standbyAt(positionAt(1.5))
    age.primarySilent()
    expect(age.isUsable(4000)).toBe(false)
  })

  it('of another standby is known by what is remembered of the primary, also of one that is gone', () => {
    const { age, positionAt } = followed(4)
    age.standbyAt(positionAt(4))
    age.primarySilent()
    age.standbyLost()
    age.standbyAt(positionAt(4))
    expect(age.isUsable(10_000)).toBe(true)
  })
})

it('reads positions of the log as PostgreSQL writes them', () => {
  expect(readPosition('0/0')).toBe(0n)
  expect(readPosition('16/B374D848')).toBe(0x16b374d848n)
  expect(() => readPosition('')).toThrow(SyntaxError)
})
