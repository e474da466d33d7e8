/** The geometry of the depth chart: the amount for sale up to each price. The numbers are only for drawing; the book has the exact ones. */

import type { BookOrder } from '#lib/client/p2p/book.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { checkPrice } from '#lib/domain/p2p/settle.ts'
import { niceStep } from '#lib/format/chart.ts'
import { language } from '#messages/language.ts'

export const WIDTH = 800
export const HEIGHT = 200
const PRICE_UNITS = 1e8
const STEPS = 3

export type Drawn = ReturnType<typeof drawDepth>

/** Undefined if there is nothing to draw. Orders far from the reference are left out, because they would squeeze the others. */
export function drawDepth(orders: BookOrder[], reference: string | undefined) {
  const isDrawn = ({ price_per_coin: price }: BookOrder) =>
    !reference || checkPrice(decimal(price), decimal(reference)) === 'near'
  const drawn = orders.filter(isDrawn)
  const [first, last] = [drawn[0], drawn.at(-1)]
  if (!first || !last) return undefined
  const units = (price: string) => Number(price) * PRICE_UNITS
  const middle = reference ? [units(reference)] : []
  const low = Math.min(units(first.price_per_coin), ...middle)
  const high = Math.max(units(last.price_per_coin), ...middle)
  const step = niceStep(Math.max((high - low) / STEPS, low / 1000))
  const start = Math.floor((low - step / 10) / step) * step
  // An even number of steps: a phone shows every second price, from the first to the last.
  const fewest = Math.floor((high - start) / step) + 1
  const steps = fewest + (fewest % 2)
  const end = start + steps * step
  const x = (price: string) => Math.round(((units(price) - start) / (end - start)) * WIDTH)
  const coins = ({ remaining_asset_amount: rest }: BookOrder) => Number(rest) / 10 ** decimalsOf('CPC')
  const total = drawn.reduce((sum, order) => sum + coins(order), 0)
  const tick = niceStep(total / STEPS)
  const top = Math.ceil(total / tick) * tick
  const y = (amount: number) => Math.round(HEIGHT - (amount / top) * HEIGHT)
  let [sum, line] = [0, `M0 ${HEIGHT}`]
  const own: string[] = []
  for (const order of drawn) {
    sum += coins(order)
    line += `H${x(order.price_per_coin)}V${y(sum)}`
    if (order.is_own) own.push(`M${x(order.price_per_coin)} ${y(sum)}h0`)
  }
  const upTo = (price: number) =>
    drawn.filter((order) => units(order.price_per_coin) <= price).reduce((all, order) => all + coins(order), 0)
  const prices = Array.from({ length: steps + 1 }, (_, index) => start + index * step)
  return {
    line: `${line}H${WIDTH}`,
    area: `${line}H${WIDTH}V${HEIGHT}z`,
    reference: reference && `M${x(reference)} 0V${HEIGHT}`,
    own: own.join(''),
    beyond: orders.length - drawn.length,
    ticks: Array.from({ length: Math.round(top / tick) }, (_, index) => (index + 1) * tick).map((amount) => ({
      y: y(amount),
      share: `${((y(amount) / HEIGHT) * 100).toFixed(1)}%`,
      label: amount.toLocaleString(language)
    })),
    prices: prices.map((price) => (price / PRICE_UNITS).toFixed(5)),
    upTo: prices
      .slice(1)
      .map((price) => ({ price: (price / PRICE_UNITS).toFixed(5), amount: upTo(price).toLocaleString(language) }))
  }
}
