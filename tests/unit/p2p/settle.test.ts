import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { nicknameFrom } from '#lib/domain/p2p/nickname.ts'
import { fillFault, p2pLabel } from '#lib/domain/p2p/order.ts'
import {
  averagePrice,
  checkPrice,
  differenceOf,
  distanceOf,
  grossOf,
  netOf,
  readPrice,
  referencePrice,
  settle
} from '#lib/domain/p2p/settle.ts'

const pair = { assetCurrency: 'CPC', settlementCurrency: 'USDC' }
const COIN = 10n ** 8n

describe('a settlement', () => {
  it('is gross rounded up, net rounded down, and the fee is what is between', () => {
    const order = { ...pair, pricePerCoin: '0.0495', feeBasisPoints: 100, grossBefore: 0n }
    expect(settle(order, 10_000n * COIN)).toEqual({ gross: 495_000_000n, net: 490_050_000n, fee: 4_950_000n })
    // 1.0000001 coins: 0.04950000495 USDC, rounded up.
    expect(settle(order, COIN + 10n)).toEqual({ gross: 49_501n, net: 49_005n, fee: 496n })
  })

  const orders = fc.record({
    price: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    feeBasisPoints: fc.integer({ min: 0, max: 2000 }),
    parts: fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
  })

  it('in parts never costs the house or the seller a unit, and no part has a negative side', () => {
    fc.assert(
      fc.property(orders, ({ price, feeBasisPoints, parts }) => {
        const pricePerCoin = writeDecimal({ digits: price, scale: 8 })
        const order = { ...pair, pricePerCoin, feeBasisPoints }
        const [all, sums] = [parts.reduce((sum, part) => sum + part, 0n), { gross: 0n, net: 0n, fee: 0n }]
        for (const part of parts) {
          const { gross, net, fee } = settle({ ...order, grossBefore: sums.gross }, part)
          expect(gross).toBe(grossOf(order, part))
          expect(net >= 0n && fee >= 0n && gross === net + fee).toBe(true)
          sums.gross += gross
          sums.net += net
          sums.fee += fee
        }
        const whole = settle({ ...order, grossBefore: 0n }, all)
        expect(sums.net >= whole.net && sums.fee >= whole.fee).toBe(true)
        expect(sums.net).toBe(netOf(sums.gross, feeBasisPoints))
      })
    )
  })
})

describe('the average price of trades', () => {
  const average = (trades: { amount: bigint; gross: bigint }[]) => {
    const found = averagePrice(trades)
    return found && writeDecimal(found)
  }

  it('weighs by amount, and has the digits of a shown price', () => {
    expect(average([{ amount: 100n * COIN, gross: 5_000_000n }])).toBe('0.05000')
    // 100 coins at 0.04 and 300 at 0.06.
    expect(
      average([
        { amount: 100n * COIN, gross: 4_000_000n },
        { amount: 300n * COIN, gross: 18_000_000n }
      ])
    ).toBe('0.05500')
    expect(average([{ amount: 3n * COIN, gross: 100_000n }])).toBe('0.03333')
  })

  it('is nothing without trades', () => {
    expect(average([])).toBeUndefined()
  })

  it('lies between the cheapest and the dearest trade, but for rounding', () => {
    const trades = fc.array(
      fc.record({ amount: fc.bigInt({ min: COIN, max: 1000n * COIN }), price: fc.integer({ min: 1000, max: 9000 }) }),
      { minLength: 1, maxLength: 10 }
    )
    fc.assert(
      fc.property(trades, (made) => {
        // `price` is in hundred-thousandths: as many decimals as a shown price.
        const found = averagePrice(
          made.map(({ amount, price }) => ({ amount, gross: (amount * BigInt(price)) / 100_000n / 100n }))
        )
        const prices = made.map(({ price }) => price)
        const digits = Number(found?.digits)
        expect(found?.scale).toBe(5)
        expect(digits >= Math.min(...prices) - 1 && digits <= Math.max(...prices) + 1).toBe(true)
      })
    )
  })
})

describe('how far an amount is from the reference', () => {
  const reference = referencePrice('0.05', '1')

  it('is the difference of the gross amounts, above and below it', () => {
    expect(distanceOf({ ...pair, pricePerCoin: '0.04' }, 100n * COIN, reference)).toBe(1_000_000n)
    expect(distanceOf({ ...pair, pricePerCoin: '0.06' }, 100n * COIN, reference)).toBe(1_000_000n)
    expect(distanceOf({ ...pair, pricePerCoin: '0.05' }, 100n * COIN, reference)).toBe(0n)
  })

  it('in parts is at least that of the whole, but for a unit a part', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2_500_000n, max: 7_500_000n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 11n }), { minLength: 1, maxLength: 10 }),
        (price, parts) => {
          const order = { ...pair, pricePerCoin: writeDecimal({ digits: price, scale: 8 }) }
          const sum = parts.reduce((all, part) => all + distanceOf(order, part, reference), 0n)
          const whole = distanceOf(
            order,
            parts.reduce((all, part) => all + part, 0n),
            reference
          )
          expect(sum >= whole - BigInt(parts.length)).toBe(true)
        }
      )
    )
  })
})

describe('a price', () => {
  it('has at most 8 places and is above zero', () => {
    expect(readPrice('0.00000001')).toEqual({ digits: 1n, scale: 8 })
    for (const bad of ['0', '0.0', '0.000000001', '-1', '1e3', '', ' 1', '1,5', '.5']) expect(readPrice(bad), bad).toBeUndefined()
  })

  it('is compared with the reference: 50 % away is allowed, a hair more is not; from 10 % on it is far', () => {
    const reference = referencePrice('0.05', '1')
    expect(writeDecimal(reference)).toBe('0.05000000')
    const judged = (price: string) => checkPrice(decimal(price), reference)
    expect(['0.025', '0.075', '0.055', '0.045'].map(judged)).toEqual(['far', 'far', 'far', 'far'])
    expect(['0.02499999', '0.07500001'].map(judged)).toEqual(['refused', 'refused'])
    expect(['0.0549', '0.0451', '0.05'].map(judged)).toEqual(['near', 'near', 'near'])
    expect(differenceOf(decimal('0.0495'), reference)).toBe(-100)
    expect(differenceOf(decimal('0.05600000'), reference)).toBe(1200)
  })
})

describe('a fill', () => {
  it('takes all that is left, or a part that leaves enough for the next buyer', () => {
    const order = { rest: 100n, smallestFill: 30n }
    expect(fillFault(order, 101n)).toBe('too_much')
    expect(fillFault(order, 29n)).toBe('too_little')
    expect(fillFault(order, 71n)).toBe('leaves_too_little')
    for (const amount of [30n, 70n, 100n]) expect(fillFault(order, amount)).toBeUndefined()
    expect(fillFault({ rest: 20n, smallestFill: 30n }, 20n)).toBeUndefined()
  })
})

it('labels say what an order is to whom', () => {
  expect(p2pLabel('PENDING', 'maker')).toBe('SELLING')
  expect(p2pLabel('CANCELLED', 'maker')).toBe('CANCELLED')
  expect((['maker', 'taker', 'neither'] as const).map((viewer) => p2pLabel('COMPLETED', viewer))).toEqual([
    'SOLD',
    'BOUGHT',
    'COMPLETED'
  ])
})

it('nicknames are a word and digits, of which there are more after some tries', () => {
  fc.assert(fc.property(fc.nat(2 ** 32 - 1), (random) => /^[A-Z][a-z]+ \d{2}$/.test(nicknameFrom(random, 0))))
  expect(nicknameFrom(2 ** 32 - 1, 8)).toMatch(/ \d{4}$/)
})
