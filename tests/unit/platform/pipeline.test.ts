/** Which of its connections a pipeline sends a question to. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Piped, Pipeline } from '#lib/server/platform/db/pipeline.ts'

/** A connection of the driver. The test calls `answer` where the database would have answered. */
type Fake = Piped & { asked: { text: unknown; answer: () => void }[] }

const made: Fake[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  made.splice(0)
})

function pipelineOf(most: number): Pipeline {
  const make = () => {
    const asked: Fake['asked'] = []
    const fake = {
      asked,
      query: (text: unknown) => new Promise<void>((answer) => asked.push({ text, answer })),
      connect: async () => undefined,
      end: async () => undefined,
      on: () => undefined,
      once: () => undefined,
      connection: { stream: { cork: () => undefined, uncork: () => undefined } }
    }
    made.push(fake)
    return fake
  }
  return new Pipeline(most, { make, check: async () => undefined, onFailed: () => undefined })
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** What is asked at one moment goes together: the next question comes a millisecond later. */
async function ask(pipeline: Pipeline, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    void pipeline.query(text)
    await pass(1)
  }
}
const answer = (lane: number, at: number) => made[lane]?.asked[at]?.answer()
const texts = () => made.map(({ asked }) => asked.map(({ text }) => text))

it('asks one connection while it answers promptly, although others could be opened', async () => {
  const pipeline = pipelineOf(4)
  await ask(pipeline, 'a', 'b', 'c')
  answer(0, 0)
  await pass(5)
  answer(0, 1)
  await ask(pipeline, 'd')
  expect(texts()).toEqual([['a', 'b', 'c', 'd']])
})

it('does not let the next questions wait behind a slow one', async () => {
  const pipeline = pipelineOf(2)
  await ask(pipeline, 'slow')
  await pass(10)
  await ask(pipeline, 'next')
  expect(texts()).toEqual([['slow'], ['next']])
  // Both are slow: the one with the fewest questions.
  await ask(pipeline, 'also next')
  await pass(10)
  await ask(pipeline, 'behind')
  expect(texts()).toEqual([
    ['slow', 'behind'],
    ['next', 'also next']
  ])
})

it('takes another connection where one answers all the time, but late', async () => {
  const pipeline = pipelineOf(2)
  await ask(pipeline, 'a', 'b', 'c', 'd')
  for (const at of [0, 1]) {
    await pass(5)
    answer(0, at)
  }
  await ask(pipeline, 'e')
  expect(texts()).toEqual([['a', 'b', 'c', 'd'], ['e']])
})
