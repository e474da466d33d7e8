/** Which of its connections a pipeline sends a question to. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type Piped, Pipeline } from '#lib/server/platform/db/pipeline.ts'

/** A connection that answers when it is told to. */
type Fake = Piped & { asked: { text: unknown; answer: () => void }[] }

const made: Fake[] = []
afterEach(() => made.splice(0))

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

/** As another moment of the process: what is asked at the same moment goes together. */
const ask = async (pipeline: Pipeline, text: string) => {
  const answer = pipeline.query(text)
  await sleep(1)
  return answer
}
const texts = () => made.map(({ asked }) => asked.map(({ text }) => text))

it('asks one connection while it answers promptly, although others could be opened', async () => {
  const pipeline = pipelineOf(4)
  const answers = [ask(pipeline, 'a')]
  await sleep(2)
  made[0]?.asked[0]?.answer()
  await answers[0]
  for (const text of ['b', 'c']) answers.push(ask(pipeline, text))
  await sleep(2)
  expect(texts()).toEqual([['a', 'b', 'c']])
})

it('does not let the next questions wait behind a slow one', async () => {
  const pipeline = pipelineOf(2)
  void ask(pipeline, 'slow')
  await sleep(30)
  const next = ask(pipeline, 'next')
  await sleep(2)
  expect(texts()).toEqual([['slow'], ['next']])
  made[1]?.asked[0]?.answer()
  await next
  // All others are slow too: the one with the fewest questions.
  void ask(pipeline, 'also slow')
  await sleep(30)
  void ask(pipeline, 'behind')
  void ask(pipeline, 'and this')
  await sleep(2)
  expect(texts()).toEqual([
    ['slow', 'behind', 'and this'],
    ['next', 'also slow']
  ])
})

it('takes another connection where one answers all the time, but late', async () => {
  const pipeline = pipelineOf(2)
  const answerNext = (at: number) => made[0]?.asked[at]?.answer()
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) void ask(pipeline, text)
  await sleep(2)
  for (const at of [0, 1, 2, 3]) {
    await sleep(5)
    answerNext(at)
  }
  await sleep(1)
  void ask(pipeline, 'g')
  await sleep(2)
  expect(texts()).toEqual([['a', 'b', 'c', 'd', 'e', 'f'], ['g']])
})
