/** A price in doubt that two persons call right. The worker, which alone keeps prices, carries it out. */
import { isAsLookedAt, MOST_SINCE_LOOKED_PERCENT } from '#lib/domain/rates/doubt.ts'
import { confirmPrice, findDoubt, openDoubts } from '../rates/index.ts'
import { DeskError } from '../staff/index.ts'
import type { CarriedAct } from './carried.ts'

/** `priceUsd`: what was looked at. `doubt`: its number, so that an approval is about this doubt and no later one with the same price. */
type Price = { currency: string; priceUsd: string; doubt: string }

const aboutOf = (price: string) => `$${price}, or up to ${MOST_SINCE_LOOKED_PERCENT}% from it`

export const confirmsPrice: CarriedAct<Price> = {
  right: 'confirm_price',
  subjectOf: ({ currency }) => `price:${currency}`,
  facts: async ({ tx }, { doubt: id, priceUsd: lookedAt }) => {
    const doubt = (await openDoubts(tx)).find((one) => String(one.id) === id)
    if (!doubt) throw new DeskError('price_not_doubted')
    // A price moves each minute. The fact stays the same text while the price is within two percent of what was looked at.
    const price = isAsLookedAt(doubt.priceUsd, lookedAt) ? aboutOf(lookedAt) : `$${doubt.priceUsd}`
    return { 'price in doubt': price, used: `$${doubt.usedUsd}`, why: doubt.reason.replaceAll('_', ' ') }
  },
  plan: async ({ tx }, { currency, priceUsd, doubt: id }) => {
    const doubt = (await openDoubts(tx)).find((one) => String(one.id) === id)
    if (doubt?.currency !== currency || !isAsLookedAt(doubt.priceUsd, priceUsd)) throw new DeskError('price_not_doubted')
    return [{ what: `${currency} is used at the price that is in doubt when this is carried out`, value: aboutOf(priceUsd) }]
  },
  isDone: async (db, { doubt }, { why }) => (await findDoubt(db, BigInt(doubt)))?.why === why,
  carryOut: async ({ context }, { currency, priceUsd: price }, { actor, why }) => {
    if (await confirmPrice(context, { currency, price, actor, why })) return
    throw new Error(`$${price} is not the price of ${currency} that is in doubt any more`)
  }
}
