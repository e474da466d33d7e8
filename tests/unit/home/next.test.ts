import { describe, expect, it } from 'vitest'
import { whatIsNext } from '#lib/domain/home/next.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const order = (status: number, more: object = {}) => ({
  status,
  cancelledAt: null,
  payableUntil: '2026-11-25T10:00:00Z',
  unfitPayment: null,
  ...more
})
const unfit = (status: number) => order(status, { unfitPayment: { reason: 'amount_too_low' } })
const nothing = {
  orders: [],
  withdrawals: [],
  deposits: [],
  questions: [],
  hold: null,
  isVerified: true,
  next: null
}
const payoutOn = (dueAt: string) => ({ dueAt })

describe('what is next', () => {
  it.each<[string, Partial<Parameters<typeof whatIsNext>[0]>, string[]]>([
    ['nothing', {}, []],
    [
      'a payment that does not fit comes before an order to pay, however old',
      { orders: [order(0), order(0), order(0), unfit(1)] },
      ['check', 'pay', 'pay', 'pay']
    ],
    ['a payment that does not fit a completed order is shown too', { orders: [unfit(2)] }, ['check']],
    ['to pay comes before what is waited for', { orders: [order(1), order(0)] }, ['pay', 'order']],
    [
      'an order past its time and a cancelled one ask for nothing',
      { orders: [order(0, { payableUntil: '2026-11-22T09:59:59Z' }), order(0, { cancelledAt: '2026-11-21T00:00:00Z' })] },
      []
    ],
    ['a completed order asks for nothing', { orders: [order(2)] }, []],
    ['a stop of withdrawals comes second', { orders: [order(0), unfit(1)], hold: 'held' }, ['check', 'hold', 'pay']],
    [
      'a link in a mail comes after what is to be paid',
      { orders: [order(0)], withdrawals: [{ state: 'signed' }, { state: 'unconfirmed' }] },
      ['pay', 'confirm', 'withdrawal']
    ],
    [
      'a withdrawal that is over asks for nothing',
      { withdrawals: [{ state: 'confirmed' }, { state: 'cancelled' }, { state: 'rejected' }] },
      []
    ],
    ['who sent a deposit', { questions: [{ id: '1' }], isVerified: false }, ['sender', 'verify']],
    [
      'a deposit on its way',
      {
        deposits: [
          { status: 'PENDING', note: null },
          { status: 'CREDITED', note: null },
          { status: 'PENDING', note: 'small' }
        ]
      },
      ['deposit']
    ],
    ['a payout within a month', { next: payoutOn('2026-12-23T10:00:00Z') }, ['payout']],
    ['no payout further ahead', { next: payoutOn('2026-12-23T10:00:01Z') }, []],
    ['a payout that is late', { next: payoutOn('2026-11-01T00:00:00Z') }, ['payout']]
  ])('%s', (_, facts, kinds) => {
    expect(whatIsNext({ ...nothing, ...facts }, NOW).map(({ kind }) => kind)).toEqual(kinds)
  })
})
