import { expect, it } from 'vitest'
import { isAnnounced, nextStep } from '#lib/domain/home/firstSteps.ts'

it.each([
  [false, undefined, 'verify'],
  // An order from before the check lapsed: without the check it can't be paid.
  [false, { status: 0 }, 'verify'],
  [true, undefined, 'choose'],
  [true, { status: 0 }, 'pay'],
  [true, { status: 1 }, 'pay']
] as const)('verified %s with the open order %o: the next step is to %s', (isVerified, open, step) => {
  expect(nextStep(isVerified, open)).toBe(step)
})

it('waits for us once the payment is announced', () => {
  expect(isAnnounced({ status: 1 })).toBe(true)
  expect(isAnnounced({ status: 0 })).toBe(false)
})
