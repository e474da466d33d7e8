/**
 * Whether an order still has the terms at which it was sold. Its row alone is not believed: whoever can write it could make tokens and
 * rewards. While no euro rate was ever stored, there is none to compare with, and the order's own is accepted.
 */
import { decimal } from '#lib/domain/money/decimal.ts'
import { packageById } from '#lib/domain/orders/packages.ts'
import { costOf, euroCentsToPay } from '#lib/domain/orders/purchase.ts'
import type { Executor } from '../platform/db/client.ts'
import { euroRateBy, utcDay } from '../rates/index.ts'
import type { OrderRow } from './present.ts'

/** How far the euro rate of an order may be from the stored one of its day, in percent: rates move within a day. */
const MOST_PERCENT = 5

/** True if the order has the terms of its package, and costs in euro what these cost at about the rate of its day. */
export async function isAsSold(db: Executor, order: OrderRow): Promise<boolean> {
  const config = packageById(order.configId)
  if (!config) return false
  const { fiatCents, feeCents, totalCents } = costOf(config)
  const isSame =
    order.fiatCents === fiatCents &&
    order.feeCents === feeCents &&
    order.totalCents === totalCents &&
    order.stakingMonths === config.stakingMonths &&
    order.stakingRateHundredths === config.stakingRateHundredths &&
    order.bonusRateHundredths === config.bonusRateHundredths &&
    order.euroCentsToPay === euroCentsToPay(totalCents, decimal(order.eurPerUsd))
  if (!isSame) return false
  // The rate of its day, or the one before it: a row cannot choose a day without one.
  const kept = await euroRateBy(db, utcDay(order.createdAt))
  return kept === undefined || Math.abs(Number(order.eurPerUsd) / Number(kept) - 1) * 100 <= MOST_PERCENT
}
