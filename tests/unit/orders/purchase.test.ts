import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { ORDER_STATUS, payableUntil } from '#lib/domain/orders/order.ts'
import { PACKAGES, packageById } from '#lib/domain/orders/packages.ts'
import { costOf, euroCentsToPay, euroValue, tokensFor, tokensOf } from '#lib/domain/orders/purchase.ts'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { matchPayment } from '#lib/domain/payments/match.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { referralReward } from '#lib/domain/referral/reward.ts'
import { countsAsStaking, quarterlyRewards, rewardOfTerm } from '#lib/domain/staking/terms.ts'
import { kindsOf, movableUnits, portfolioOf } from '#lib/domain/wallet/portfolio.ts'

const anyPackage = fc.constantFrom(...PACKAGES)
/** 0.5 to 2 EUR per USD, 8 decimals. */
const anyRate = fc.bigInt(50_000_000n, 200_000_000n).map((digits) => ({ digits, scale: 8 }))
const anyPrice = fc.bigInt(1n, 10n ** 12n).map((digits) => writeDecimal(toDecimal(digits, 8)))

function requirePackage(id: number) {
  const config = packageById(id)
  if (!config) throw new Error(`no package ${id}`)
  return config
}

describe('what a package costs', () => {
  it('is its price and 4 %', () => {
    expect(costOf({ priceUsd: 1000n })).toEqual({ fiatCents: 100_000n, feeCents: 4000n, totalCents: 104_000n })
    expect(costOf({ priceUsd: 50_000n }).totalCents).toBe(5_200_000n)
  })

  it('in EUR has 6 places for the fiat amount and is rounded up to the cent for the transfer', () => {
    const rate = decimal('0.92345678')
    expect(writeDecimal(euroValue(100_000n, rate))).toBe('923.456780')
    expect(euroCentsToPay(104_000n, rate)).toBe(96_040n)
  })

  it('never asks for less than the exact amount, nor for a whole cent more', () => {
    fc.assert(
      fc.property(anyPackage, anyRate, (config, rate) => {
        const { totalCents } = costOf(config)
        const exact = totalCents * rate.digits
        const asked = euroCentsToPay(totalCents, rate) * 10n ** 8n
        expect(asked >= exact && asked - exact < 10n ** 8n).toBe(true)
      })
    )
  })
})

describe('what a package brings', () => {
  it('is the fiat amount over the price, rounded down', () => {
    expect(tokensOf(requirePackage(82), '0.05')).toEqual({
      token: 'PTC',
      priceUsd: '0.0009',
      cpcAmount: 0n,
      ptcAmount: 111_111_111_111_111n
    })
    expect(tokensOf(requirePackage(28), '0.05').ptcAmount).toBe(166_666_666_666_666n)
    expect(tokensOf(requirePackage(19), '0.05')).toEqual({
      token: 'CPC',
      priceUsd: '0.05',
      cpcAmount: 2_000_000_000_000n,
      ptcAmount: 0n
    })
  })

  it('is never worth more than was paid, and less by under one unit', () => {
    fc.assert(
      fc.property(anyPackage, anyPrice, (config, price) => {
        const { fiatCents } = costOf(config)
        const tokens = tokensFor(fiatCents, decimal(price), 'CPC')
        const { digits, scale } = decimal(price)
        const worth = (units: bigint) => units * digits * 100n
        const paid = fiatCents * 10n ** BigInt(8 + scale)
        expect(worth(tokens) <= paid && worth(tokens + 1n) > paid).toBe(true)
      })
    )
  })

  it('rewards the inviter with 5 % in CPC at the fixed price', () => {
    expect(referralReward(100_000n, '0.05')).toBe(100_000_000_000n)
  })
})

describe('a payment', () => {
  const createdAt = new Date('2026-11-21T12:00:00Z')
  const order = { status: ORDER_STATUS.processing as number, euroCentsToPay: 95_680n, createdAt, isVerified: true }
  const payment = { amountCents: 95_680n, currency: 'EUR', bookedOn: '2026-11-24' }

  it.each([
    ['the exact amount', payment, order, 'matched'],
    ['the exact amount before the customer says so', payment, { ...order, status: ORDER_STATUS.pending }, 'matched'],
    [
      'the exact amount on the last day',
      { ...payment, bookedOn: payableUntil(createdAt).toISOString().slice(0, 10) },
      order,
      'matched'
    ],
    ['a cent less', { ...payment, amountCents: 95_679n }, order, 'amount_too_low'],
    ['a cent more', { ...payment, amountCents: 95_681n }, order, 'amount_too_high'],
    ['a paid order', payment, { ...order, status: ORDER_STATUS.completed }, 'order_already_paid'],
    ['another currency', { ...payment, currency: 'CHF' }, order, 'wrong_currency'],
    ['an order of more than seven days ago', { ...payment, bookedOn: '2026-11-29' }, order, 'quote_expired'],
    ['somebody who is not verified (any more)', payment, { ...order, isVerified: false }, 'not_verified'],
    ['no order', payment, undefined, 'unknown_reference']
  ])('of %s is judged as it should', (_, received, forOrder, outcome) => {
    expect(matchPayment(received, forOrder)).toBe(outcome)
  })

  it('matches nothing but the exact amount', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10_000_000n), (amountCents) => {
        expect(matchPayment({ ...payment, amountCents }, order) === 'matched').toBe(amountCents === order.euroCentsToPay)
      })
    )
  })
})

describe('staking', () => {
  it('pays 12 % and 18 % a year, not compounding', () => {
    expect(rewardOfTerm(1_000_000n, 1200, 12)).toBe(120_000n)
    expect(rewardOfTerm(1_000_000n, 1800, 24)).toBe(360_000n)
  })

  it('pays quarterly amounts that add up to the reward of the term', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.constantFrom(1200, 1800), fc.constantFrom(12, 24), (amount, rate, months) => {
        const quarters = quarterlyRewards(amount, rate, months)
        expect(quarters).toHaveLength(months / 3)
        expect(quarters.reduce((sum, part) => sum + part, 0n)).toBe(rewardOfTerm(amount, rate, months))
      })
    )
    expect(quarterlyRewards(1000n, 0, 0)).toEqual([])
  })

  it('ends on the same day of the month, or on its last', () => {
    expect(maturesAt(new Date('2026-11-21T10:00:00Z'), 12).toISOString()).toBe('2027-11-21T10:00:00.000Z')
    expect(maturesAt(new Date('2028-02-29T10:00:00Z'), 12).toISOString()).toBe('2029-02-28T10:00:00.000Z')
    expect(maturesAt(new Date('2026-01-31T10:00:00Z'), 1).toISOString()).toBe('2026-02-28T10:00:00.000Z')
  })

  it('counts completed, staked orders outside the promotion alone', () => {
    const staked = { status: ORDER_STATUS.completed, stakingMonth: 12, comboConfigId: 83 }
    expect(countsAsStaking(staked)).toBe(true)
    expect(countsAsStaking({ ...staked, status: ORDER_STATUS.processing })).toBe(false)
    expect(countsAsStaking({ ...staked, stakingMonth: 0 })).toBe(false)
    expect([120, 121, 150, 151].map((comboConfigId) => countsAsStaking({ ...staked, comboConfigId }))).toEqual([
      true,
      false,
      false,
      true
    ])
  })
})

describe('the portfolio', () => {
  const balance = (totalBalance: string, stakedBalance = '0', rewardBalance = '0') => ({
    totalBalance,
    stakedBalance,
    lockedBalance: '0',
    rewardBalance,
    outgoingBalance: '0',
    wallet: { fundingBalance: { frozen_balance: '0' } }
  })

  it('values each token once, and its parts add up to the total', () => {
    const balances = {
      CPC: balance('2000100000000', '0', '100000000'),
      PTC: balance('111111111111111', '111111111111111'),
      ETH: balance('1')
    }
    const portfolio = portfolioOf(balances, { CPC: '0.05', PTC: '0.0009', ETH: '3400' })
    expect(portfolio).toMatchObject({ parts: { available: 100_000n, staked: 99_999n, reward: 5n }, totalCents: 200_004n })
    expect(portfolio.lines.map(({ currency }) => currency)).toEqual(['CPC', 'PTC'])
  })

  it('counts what is locked apart from what is staked', () => {
    const holding = {
      ...balance('1250000000000000', '1111111111111111'),
      lockedBalance: '11111111111111',
      outgoingBalance: '1111111111111',
      wallet: { fundingBalance: { frozen_balance: '10000000000000' } }
    }
    expect(portfolioOf({ PTC: holding }, { PTC: '0.0009' })).toMatchObject({
      parts: { available: 105_003n, frozen: 9000n, outgoing: 999n, staked: 999_999n, locked: 9999n, reward: 0n },
      totalCents: 1_125_000n,
      all: [{ stakedUnits: '1111111111111111', lockedUnits: '11111111111111' }]
    })
  })

  it('gives the cents of rounding to a part that holds something', () => {
    // 10.1 CPC staked and 10.1 CPC as a reward at $0.05: 50.5 cents each, 101 together.
    const { parts, totalCents } = portfolioOf({ CPC: balance('2020000000', '1010000000', '1010000000') }, { CPC: '0.05' })
    expect([parts.available, parts.staked, parts.reward, totalCents]).toEqual([0n, 51n, 50n, 101n])
  })

  it('lets be moved what is in spot, free in funding, or a reward', () => {
    const wallet = { spotBalance: '1', fundingBalance: { total: '50', frozen_balance: '20' } }
    expect(movableUnits({ rewardBalance: '400', wallet })).toBe(431n)
  })

  it('shows a balance by kind of account, and the kinds add up to the total', () => {
    const kinds = kindsOf({
      rewardBalance: '1',
      stakedBalance: '20',
      lockedBalance: '300',
      outgoingBalance: '4000',
      wallet: { spotBalance: '50000', fundingBalance: { total: '700000', frozen_balance: '100000' } }
    })
    expect(kinds.map(({ kind, units }) => `${kind} ${units}`)).toEqual([
      'spot 50000',
      'funding 600000',
      'frozen 100000',
      'outgoing 4000',
      'staked 20',
      'locked 300',
      'reward 1'
    ])
  })

  it('values a token without a price at nothing instead of guessing', () => {
    expect(portfolioOf({ CPC: balance('5') }, {}).totalCents).toBe(0n)
    expect(valueInCents(1n, 'CPC', '0.05')).toBe(0n)
  })
})
