import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { Batch } from '#lib/server/platform/batch.ts'

/** Statements that end when the test says so. */
function statements(lanes: number, most = 64, areStrict?: true) {
  const sent: { items: string[]; end: () => void; fail: (error: Error) => void }[] = []
  const batch = new Batch<string, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        sent.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject })
      }),
    ownerOf: (item) => item[0] ?? '',
    lanes,
    ...(areStrict && { areStrict }),
    most
  })
  return { batch, sent }
}

const turn = () => new Promise((resume) => setImmediate(resume))

describe('a batch', () => {
  it('sends a request that comes alone at once, and gives each its own answer', async () => {
    const { batch, sent } = statements(1)
    const one = batch.add('a')
    await turn()
    expect(sent.map(({ items }) => items)).toEqual([['a']])
    sent[0]?.end()
    expect(await one).toBe('a!')
  })

  it('runs a request that goes alone within itself, and those that share a statement within none of them', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const batch = new Batch<string, string>({
      run: async (items) => {
        seen.push(storage.getStore())
        return items
      },
      lanes: 1,
      most: 2
    })
    const answers = ['a', 'b', 'c'].map((item) => storage.run(item, () => batch.add(item).then(() => storage.getStore())))
    // Each goes on in its own afterwards.
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual([undefined, 'c'])
  })

  it('sends together what came while another was under way, at most so many', async () => {
    const { batch, sent } = statements(1, 2)
    void batch.add('a')
    await turn()
    const others = [batch.add('b'), batch.add('c'), batch.add('d')]
    await turn()
    expect(sent).toHaveLength(1)
    sent[0]?.end()
    await turn()
    await turn()
    expect(sent[1]?.items).toEqual(['b', 'c'])
    sent[1]?.end()
    expect(await others[0]).toBe('b!')
    await turn()
    await turn()
    expect(sent[2]?.items).toEqual(['d'])
  })

  it('sends what one statement does not take in the next one, while a lane is free', async () => {
    const { batch, sent } = statements(2, 2)
    for (const item of ['a', 'b', 'c']) void batch.add(item)
    await turn()
    await turn()
    expect(sent.map(({ items }) => items)).toEqual([['a', 'b'], ['c']])
  })

  it('keeps an owner whose own result is late, and nobody else', async () => {
    const late = Promise.withResolvers<string>()
    const sent: string[][] = []
    const batch = new Batch<string, string>({
      run: async (items) => {
        sent.push(items)
        return items.map((item) => (item === 'a1' ? late.promise : `${item}!`))
      },
      ownerOf: (item) => item[0] ?? '',
      lanes: 2,
      most: 64
    })
    const first = batch.add('a1')
    expect(await batch.add('b1')).toBe('b1!')
    void batch.add('a2')
    expect(await batch.add('b2')).toBe('b2!')
    expect(sent).toEqual([['a1', 'b1'], ['b2']])
    late.resolve('a1!')
    expect(await first).toBe('a1!')
    await expect.poll(() => sent[2], { timeout: 1000 }).toEqual(['a2'])
  })

  it('waits no longer than its window, although every lane is taken', async () => {
    const { batch, sent } = statements(1)
    void batch.add('a')
    await turn()
    void batch.add('b')
    await expect.poll(() => sent.length, { timeout: 1000 }).toBe(2)
  })

  it('of strict lanes waits until one is free', async () => {
    const { batch, sent } = statements(1, 64, true)
    batch.add('a').catch(() => undefined)
    await turn()
    void batch.add('b')
    await new Promise((resume) => setTimeout(resume, 30))
    expect(sent).toHaveLength(1)
    void batch.add('c')
    sent[0]?.fail(new Error('test'))
    await expect.poll(() => sent[1]?.items, { timeout: 1000 }).toEqual(['b', 'c'])
  })

  it('never has two of one owner under way, and keeps their order', async () => {
    const { batch, sent } = statements(2)
    void batch.add('a1')
    void batch.add('a2')
    void batch.add('b1')
    await turn()
    expect(sent.map(({ items }) => items)).toEqual([['a1', 'b1']])
    sent[0]?.end()
    await expect.poll(() => sent[1]?.items, { timeout: 1000 }).toEqual(['a2'])
  })

  it('does not know the outcome of a request that waited too long for the same one, sent before; another one was not made', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const sent: PromiseWithResolvers<void>[] = []
      const batch = new Batch<string, string>({
        run: (items) => {
          const end = Promise.withResolvers<void>()
          sent.push(end)
          return end.promise.then(() => items)
        },
        ownerOf: () => 'one',
        isRepeatOf: (item, earlier) => item === earlier,
        lanes: 1,
        most: 64
      })
      const outcomeOf = (item: string) => batch.add(item).then(String, (error: Error) => error.name)
      const first = outcomeOf('a')
      await turn()
      const others = ['a', 'b'].map(outcomeOf)
      vi.advanceTimersByTime(4500)
      sent[0]?.reject(new Error('no answer'))
      expect(await first).toBe('Error')
      expect(await Promise.all(others)).toEqual(['OutcomeUnknownError', 'UnavailableError'])
      // Also while the first is still under way.
      const second = outcomeOf('a')
      await turn()
      const behind = outcomeOf('a')
      vi.advanceTimersByTime(4500)
      void outcomeOf('c')
      expect(await behind).toBe('OutcomeUnknownError')
      sent[1]?.resolve()
      expect(await second).toBe('a')
    } finally {
      vi.useRealTimers()
    }
  })

  it('fails all of a statement that fails, and goes on', async () => {
    const { batch, sent } = statements(1)
    const failed = [batch.add('a'), batch.add('b')].map((one) => one.catch((error: Error) => error.message))
    await turn()
    sent[0]?.fail(new Error('no answer'))
    expect(await Promise.all(failed)).toEqual(['no answer', 'no answer'])
    void batch.add('a')
    await turn()
    expect(sent[1]?.items).toEqual(['a'])
  })
})
