import { expect, it } from 'vitest'
import { isAnnounced, nextStep, orderOfSteps } from '#lib/domain/home/firstSteps.ts'

it.each([
  [false, undefined, 'verify'],
  // The order is older than the lapse of the identity check: it can't be paid until the check is renewed.
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

it('speaks of an announced order before an open one, and of none whose time is over', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const order = (id: string, status: number, payableUntil = '2026-11-29T12:00:00Z') => ({
    id,
    status,
    payableUntil,
    cancelledAt: null,
    unfitPayment: null
  })
  expect(orderOfSteps([order('new', 0), order('announced', 1)], now)?.id).toBe('announced')
  expect(orderOfSteps([order('late', 0, '2026-11-22T11:00:00Z'), order('open', 0)], now)?.id).toBe('open')
  expect(orderOfSteps([order('late', 0, '2026-11-22T11:00:00Z')], now)).toBeUndefined()
  expect(orderOfSteps([{ ...order('cancelled', 0), cancelledAt: '2026-11-22T11:00:00Z' }], now)).toBeUndefined()
  expect(orderOfSteps([{ ...order('checked', 0), unfitPayment: {} }], now)).toBeUndefined()
})
