/** A price in doubt that two persons call right. The worker, which alone keeps prices, carries it out. */
import { acceptedPrice, confirmPrice, openDoubts } from '../rates/index.ts'
import { DeskError } from '../staff/index.ts'
import type { CarriedAct } from './carried.ts'

type Price = { currency: string; priceUsd: string }

export const confirmsPrice: CarriedAct<Price> = {
  right: 'confirm_price',
  subjectOf: ({ currency }) => `price:${currency}`,
  facts: async ({ tx }, { currency }) => {
    const doubt = (await openDoubts(tx)).find((one) => one.currency === currency)
    if (!doubt) throw new DeskError('price_not_doubted')
    return { 'price in doubt': `$${doubt.priceUsd}`, used: `$${doubt.usedUsd}`, why: doubt.reason.replaceAll('_', ' ') }
  },
  plan: async ({ tx }, { currency, priceUsd }) => {
    const doubt = (await openDoubts(tx)).find((one) => one.currency === currency)
    if (doubt?.priceUsd !== priceUsd) throw new DeskError('price_not_doubted')
    return [{ what: `${currency} is used at`, value: `$${priceUsd}` }]
  },
  carryOut: async ({ context }, { currency, priceUsd: price }, { actor, why }) => {
    if (await confirmPrice(context, { currency, price, actor, why })) return
    // A try before this one may have done it.
    if ((await acceptedPrice(context.db, currency)) === price) return
    throw new Error(`$${price} is not the price of ${currency} that is in doubt any more`)
  }
}
