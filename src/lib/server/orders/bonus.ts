import type { Answer } from '#lib/contract/types.ts'
import { bonusPackagesOnSale, PROMOTION_WINDOWS } from '#lib/domain/orders/packages.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { presentConfig } from './configs.ts'
import type { OrderPorts } from './create.ts'
import { requirePromoCode } from './promo.ts'
import { cpcPrice } from './quote.ts'

/** The windows of the promotion, and the packages of the current window. Throws `promo_needed`. */
export async function readBonusOffer(
  context: Context,
  { rates, promoCode }: OrderPorts,
  customer: Customer
): Promise<Answer<'getBonusOffer'>> {
  await requirePromoCode(context, context.db, promoCode, customer)
  const price = cpcPrice(await rates.current())
  const now = context.clock()
  const startOf = (day: string) => new Date(`${day}T00:00:00Z`).toISOString()
  return {
    asOf: now.toISOString(),
    windows: PROMOTION_WINDOWS.map(({ startsOn, rateHundredths }, index) => {
      const next = PROMOTION_WINDOWS[index + 1]
      return { startsAt: startOf(startsOn), endsAt: next ? startOf(next.startsOn) : null, rate: rateHundredths }
    }),
    packages: bonusPackagesOnSale(now).map((config) => presentConfig(config, price, now))
  }
}
