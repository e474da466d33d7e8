import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLivePart, type LivePart } from '#lib/server/p2p/livePart.ts'

let part: LivePart
let wanted: boolean
let failing: boolean
let value: number
/** The reads that have begun and not ended. */
let reads: PromiseWithResolvers<void>[]
let begun: number
let most: number
const sent: string[] = []
const failures: unknown[] = []

function open(everyMs: number): void {
  part = createLivePart({
    name: 'news',
    everyMs,
    read: async () => {
      const at = value
      begun += 1
      const turn = Promise.withResolvers<void>()
      reads.push(turn)
      most = Math.max(most, reads.length)
      await turn.promise
      if (failing) throw new Error('no answer')
      return at
    },
    isWanted: () => wanted,
    send: (message) => void sent.push(String(message)),
    failed: (error) => void failures.push(error)
  })
}
async function answer(): Promise<void> {
  reads.shift()?.resolve()
  await vi.advanceTimersByTimeAsync(0)
}
const message = (data: number) => `event: news\ndata: ${data}\n\n`

beforeEach(() => {
  vi.useFakeTimers()
  wanted = true
  failing = false
  value = 1
  reads = []
  begun = 0
  most = 0
  sent.length = 0
  failures.length = 0
})
afterEach(() => {
  part.close()
  vi.useRealTimers()
})

describe('a part of the live book', () => {
  it('is read once for all that ask, and the same data are the same message', async () => {
    open(0)
    const [one, other] = [part.current(), part.current()]
    await vi.advanceTimersByTimeAsync(0)
    await answer()
    expect([begun, String(await one)]).toEqual([1, message(1)])
    expect(await other).toBe(await one)
    expect(part.known()).toBe(await one)
    part.changed()
    expect(part.known()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(200)
    await answer()
    expect(begun).toBe(2)
    expect(part.known()).toBe(await one)
  })

  it('is read one after the other: a change while it is read is read next, once for all that ask then', async () => {
    open(0)
    const first = part.current()
    await vi.advanceTimersByTimeAsync(0)
    value = 2
    part.changed()
    const later = [part.current(), part.current()]
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toBe(1)
    await answer()
    expect(String(await first)).toBe(message(1))
    await answer()
    expect((await Promise.all(later)).map(String)).toEqual([message(2), message(2)])
    expect([begun, most]).toEqual([2, 1])
    // The timer of the change found it read.
    expect(sent).toEqual([message(2)])
  })

  it('is sent after a change, at most once in its time', async () => {
    open(5000)
    part.changed()
    await vi.advanceTimersByTimeAsync(200)
    await answer()
    expect(sent).toEqual([message(1)])
    for (let change = 2; change <= 20; change += 1) {
      value = change
      part.changed()
      await vi.advanceTimersByTimeAsync(200)
    }
    expect(begun).toBe(1)
    await vi.advanceTimersByTimeAsync(1200)
    await answer()
    expect(sent).toEqual([message(1), message(20)])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(begun).toBe(2)
  })

  it('is not read where nobody is there, nor after the last one has gone', async () => {
    open(5000)
    wanted = false
    part.changed()
    await vi.advanceTimersByTimeAsync(10_000)
    wanted = true
    part.changed()
    wanted = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(begun).toBe(0)
  })

  it('says that it could not be read, and is read again after the next change, or when it is old', async () => {
    open(0)
    failing = true
    part.changed()
    await vi.advanceTimersByTimeAsync(200)
    await answer()
    expect([failures.length, part.known()]).toEqual([1, undefined])
    part.tend()
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toBe(1)
    failing = false
    await vi.advanceTimersByTimeAsync(30_000)
    part.tend()
    await vi.advanceTimersByTimeAsync(200)
    await answer()
    expect(sent).toEqual([message(1)])
  })
})
