import { expect, it } from 'vitest'
import { sampleLetters } from '#lib/server/documents/index.ts'

it('the sample letter is drawn once a day, whoever asks, and dated with that day', async () => {
  let now = new Date('2026-11-27T10:00:00Z')
  const letter = sampleLetters({ name: 'Example GmbH', address: 'Street 1' }, () => now, 'en')
  const [one, two] = await Promise.all([letter(), letter()])
  expect(Buffer.from(one).subarray(0, 5).toString()).toBe('%PDF-')
  expect(two).toBe(one)
  now = new Date('2026-11-28T00:00:01Z')
  const next = await letter()
  expect(next).not.toBe(one)
  expect(await letter()).toBe(next)
})
