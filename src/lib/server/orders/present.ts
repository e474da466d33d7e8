import type { Order } from '#lib/contract/types.ts'
import { decimal, rescale, toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { arrivesBy, payableUntil } from '#lib/domain/orders/order.ts'
import { packageById, packageName } from '#lib/domain/orders/packages.ts'
import { EUR_DECIMALS, EUR_VALUE_DECIMALS, USD_DECIMALS } from '#lib/domain/orders/purchase.ts'
import { BONUS_MONTHS, maturesAt } from '#lib/domain/orders/term.ts'
import type { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

export type OrderRow = typeof orders.$inferSelect

export function usd(cents: bigint): string {
  return writeDecimal(toDecimal(cents, USD_DECIMALS))
}

/** An order as the API shows it. */
export function presentOrder(row: OrderRow, email: string, bank: BankDetails): Order {
  const config = packageById(row.configId)
  if (!config) throw new Error(`Order ${row.id} is of a package that does not exist: ${row.configId}`)
  const stakingEndsAt =
    row.stakeStartsAt && row.stakingMonths > 0 && !row.payoutsEndedAt ? maturesAt(row.stakeStartsAt, row.stakingMonths) : null
  return {
    id: row.id,
    orderComboId: row.id,
    comboConfigId: row.configId,
    name: packageName(config),
    type: config.type,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    announcedAt: row.announcedAt?.toISOString() ?? null,
    arrivesBy: row.announcedAt ? arrivesBy(row.announcedAt).toISOString() : null,
    acceptedTerms: row.acceptedTerms,
    termsAcceptedAt: row.termsAcceptedAt?.toISOString() ?? null,
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    unfitPayment: row.unfitPayment,
    payableUntil: payableUntil(row.createdAt).toISOString(),
    fiatAmount: usd(row.fiatCents),
    fiatCurrency: 'USD',
    feeAmount: usd(row.feeCents),
    totalAmount: usd(row.totalCents),
    euroAmount: writeDecimal(rescale(decimal(row.euroValue), EUR_VALUE_DECIMALS, 'halfUp')),
    euroToPay: writeDecimal(toDecimal(row.euroCentsToPay, EUR_DECIMALS)),
    euroRate: row.eurPerUsd,
    euroRateSource: row.eurPerUsdSource,
    euroRateAt: row.eurPerUsdAt.toISOString(),
    ptcAmount: row.ptcUnits.toString(),
    ptcPrice: row.ptcPriceUsd,
    cpcAmount: row.cpcUnits.toString(),
    cpcAverageWeightPrice: row.cpcPriceUsd,
    priceSource: row.priceSource,
    priceFixedAt: row.priceFixedAt?.toISOString() ?? null,
    stakingMonth: row.stakingMonths,
    stakingRateDefault: row.stakingRateHundredths,
    stakingRateBonus: row.bonusRateHundredths,
    stakingEndsAt: stakingEndsAt?.toISOString() ?? null,
    ptcBonusAmount: row.bonusUnits.toString(),
    bonusReleases: releasesOf(row),
    payoutsEndedAt: row.payoutsEndedAt?.toISOString() ?? null,
    paymentMethod: 'Bank Transfer',
    email,
    bank
  }
}

/** The days of the first and the last release of the bonus. Null without a bonus, before the payment has arrived, and after an operator ended it. */
export function releasesOf({ stakeStartsAt, bonusUnits, payoutsEndedAt }: OrderRow): Order['bonusReleases'] {
  if (!stakeStartsAt || bonusUnits === 0n || payoutsEndedAt) return null
  const [first, last] = [BONUS_MONTHS.first, BONUS_MONTHS.last].map((months) => maturesAt(stakeStartsAt, months).toISOString())
  return first && last ? { first, last } : null
}
