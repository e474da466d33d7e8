/** Reads that are counted while they read, and several at a time. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { countedWith } from '#lib/server/platform/limitedReads.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1' } })
})
afterAll(() => test.close())

describe('a read that begins before its use is counted', () => {
  const limitsOf = (key: string) => [{ key, max: 3, windowSeconds: 60, isForgettable: true }]
  /** What `count` reads at one moment come to, and how many of them began. */
  async function readAll(key: string, count: number, read: () => Promise<string> = async () => 'read') {
    let begun = 0
    const one = () =>
      countedWith(test.app.context, limitsOf(key), () => {
        begun += 1
        return read()
      }).catch(({ code, message }) => code ?? message)
    const answers = await Promise.all(Array.from({ length: count }, one))
    return { answers: answers.sort(), begun }
  }
  const refused = (count: number) => Array<string>(count).fill('too_many_requests')

  it('is answered as often as the limit allows, and begins no more often than that', async () => {
    test.pass(61)
    expect(await readAll('ahead', 10)).toEqual({ answers: ['read', 'read', 'read', ...refused(7)], begun: 3 })
    expect(await readAll('ahead', 5)).toEqual({ answers: refused(5), begun: 0 })
    test.pass(61)
    expect(await readAll('ahead', 2)).toEqual({ answers: ['read', 'read'], begun: 2 })
  })

  it('is refused where another process has used the limit up, and none begins after it', async () => {
    test.pass(61)
    const elsewhere = { ...test.app.context, clock: () => test.app.context.clock() }
    for (let use = 0; use < 3; use += 1) await countedWith(elsewhere, limitsOf('elsewhere'), async () => 'read')
    expect(await readAll('elsewhere', 1)).toEqual({ answers: refused(1), begun: 1 })
    expect(await readAll('elsewhere', 4)).toEqual({ answers: refused(4), begun: 0 })
  })

  it('fails as it does otherwise, but is refused first', async () => {
    test.pass(61)
    const fail = async () => {
      throw new Error('a fault')
    }
    expect((await readAll('fault', 5, fail)).answers).toEqual(['a fault', 'a fault', 'a fault', ...refused(2)])
  })

  it('waits for a limit that lasts longer, or that must last', async () => {
    test.pass(61)
    const order: string[] = []
    const { db } = test.app.context
    for (const limit of [
      { key: 'hourly', max: 3, windowSeconds: 3600, isForgettable: true },
      { key: 'lasting', max: 3, windowSeconds: 60 }
    ]) {
      await countedWith(test.app.context, [limit], async () => {
        const counted = await db.execute(sql`select count from rate_limits where key = ${limit.key}`)
        order.push(`${limit.key} ${rowsOf<{ count: number }>(counted)[0]?.count}`)
      })
    }
    expect(order).toEqual(['hourly 1', 'lasting 1'])
  })
})

describe('uses that are counted together', () => {
  const limitOf = (key: string, max = 120) => ({ key, max, windowSeconds: 60, isForgettable: true })
  type Reader = TestApp['app']['context']
  /** Each has a clock of its own, by which a process is known. */
  const process = (): Reader => ({ ...test.app.context, clock: () => test.app.context.clock() })
  const read = (by: Reader, key: string, max?: number) =>
    countedWith(by, [limitOf(key, max)], async () => 'read').catch(({ code, details }) => `${code} ${details?.retryAfterSeconds}`)
  async function countOf(key: string): Promise<number> {
    const counted = await test.app.context.db.execute(sql`select count from rate_limits where key = ${key}`)
    return rowsOf<{ count: number }>(counted)[0]?.count ?? 0
  }
  /** The same process, whose statements of limits are answered when `then` is. */
  function afterStatements(by: Reader, then: () => Promise<void>): Reader {
    const { session } = by.quickDb._
    const prepareQuery = (...args: Parameters<typeof session.prepareQuery>) => {
      const prepared = session.prepareQuery(...args)
      const execute = async (values: Record<string, unknown>) => {
        const answer = await prepared.execute(values)
        await then()
        return answer
      }
      return { execute }
    }
    return { ...by, quickDb: { _: { session: { prepareQuery } } } as unknown as Reader['quickDb'] }
  }
  const sum = (answers: string[]) => answers.filter((answer) => answer === 'read').length
  beforeEach(() => test.pass(61))

  it('are one for the first read, then eight, and one by one from half of the limit on', async () => {
    const one = process()
    const counts: number[] = []
    for (let reads = 0; reads < 70; reads += 1) {
      expect(await read(one, 'together')).toBe('read')
      counts.push(await countOf('together'))
    }
    expect(counts.slice(0, 11)).toEqual([1, 9, 9, 9, 9, 9, 9, 9, 9, 17, 17])
    expect(counts.slice(-8)).toEqual([65, 65, 65, 66, 67, 68, 69, 70])
  })

  it('come to the limit exactly, one after the other or all at one moment', async () => {
    const one = process()
    const answers: string[] = []
    for (let reads = 0; reads < 121; reads += 1) answers.push(await read(one, 'exactly'))
    expect(sum(answers)).toBe(120)
    expect(answers.at(-1)).toBe('too_many_requests 60')
    const another = process()
    await read(another, 'burst')
    expect(sum(await Promise.all(Array.from({ length: 200 }, () => read(another, 'burst'))))).toBe(119)
  })

  it('are never more than the limit, whatever two processes count at one moment', async () => {
    const [one, other] = [process(), process()]
    for (const by of [one, other]) await read(by, 'two')
    const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => read(index % 3 ? one : other, 'two')))
    expect(sum(answers)).toBe(118)
    const [slow, quick] = [process(), process()]
    for (let reads = 0; reads < 2; reads += 1) await read(slow, 'left')
    const rest: string[] = []
    for (let reads = 0; reads < 130; reads += 1) rest.push(await read(quick, 'left'))
    // The seven that the slow one has left are its own.
    expect(sum(rest)).toBe(111)
    expect(sum(await Promise.all(Array.from({ length: 10 }, () => read(slow, 'left'))))).toBe(7)
  })

  it('are counted anew when the window is over: what was left is forgotten', async () => {
    const one = process()
    for (let reads = 0; reads < 3; reads += 1) await read(one, 'window')
    test.pass(61)
    await read(one, 'window')
    expect(await countOf('window')).toBe(1)
  })

  it('are refused without the database once the limit is spent, until its window is over', async () => {
    const one = process()
    for (let reads = 0; reads < 4; reads += 1) await read(one, 'spent', 3)
    const before = await countOf('spent')
    test.pass(20)
    expect(await read(one, 'spent', 3)).toBe('too_many_requests 40')
    expect(await countOf('spent')).toBe(before)
    test.pass(41)
    expect(await read(one, 'spent', 3)).toBe('read')
  })

  it('are those of their own window, also where a read that began in it is counted in the next', async () => {
    const one = process()
    await read(one, 'turn')
    const isCounted = Promise.withResolvers<void>()
    const isHeard = Promise.withResolvers<void>()
    const late = afterStatements(one, () => {
      isCounted.resolve()
      return isHeard.promise
    })
    const first = read(late, 'turn')
    await isCounted.promise
    const second = read(one, 'turn')
    test.pass(61)
    isHeard.resolve()
    await Promise.all([first, second])
    const rest: string[] = []
    for (let reads = 0; reads < 130; reads += 1) rest.push(await read(one, 'turn'))
    expect(sum(rest)).toBe(119)
  })

  it('are whole, also where LIMIT_SCALE makes the limit a fraction', async () => {
    const one = { ...process(), limitScale: 0.5 }
    const answers: string[] = []
    for (let reads = 0; reads < 20; reads += 1) answers.push(await read(one, 'fraction', 15))
    expect(sum(answers)).toBe(7)
  })

  it('are counted again after the database has failed', async () => {
    const one = process()
    await read(one, 'failing')
    const lost = () => {
      throw new Error('lost')
    }
    const quickDb = new Proxy(one.quickDb, { get: lost })
    await expect(countedWith({ ...one, quickDb }, [limitOf('failing')], async () => 'read')).rejects.toThrow('lost')
    expect(await read(one, 'failing')).toBe('read')
    expect(await countOf('failing')).toBe(2)
    expect(await read(one, 'failing')).toBe('read')
    expect(await countOf('failing')).toBe(10)
  })

  it('are lost once, not with each answer that is lost', async () => {
    const one = process()
    for (let reads = 0; reads < 9; reads += 1) await read(one, 'unheard')
    const deaf = afterStatements(one, () => Promise.reject(new Error('no answer')))
    for (let reads = 0; reads < 5; reads += 1) expect(await read(deaf, 'unheard')).toBe('undefined undefined')
    expect(await countOf('unheard')).toBe(9 + 8 + 4)
  })
})
