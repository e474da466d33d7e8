/** A price in doubt that two persons call right. The worker, which alone keeps prices, carries it out. */
import { confirmPrice, findDoubt, openDoubts } from '../rates/index.ts'
import { DeskError } from '../staff/index.ts'
import type { CarriedAct } from './carried.ts'

/** `doubt`: its number, so that an approval is about this doubt and no later one with the same price. */
type Price = { currency: string; priceUsd: string; doubt: string }

export const confirmsPrice: CarriedAct<Price> = {
  right: 'confirm_price',
  subjectOf: ({ currency }) => `price:${currency}`,
  facts: async ({ tx }, { doubt: id }) => {
    const doubt = (await openDoubts(tx)).find((one) => String(one.id) === id)
    if (!doubt) throw new DeskError('price_not_doubted')
    return { 'price in doubt': `$${doubt.priceUsd}`, used: `$${doubt.usedUsd}`, why: doubt.reason.replaceAll('_', ' ') }
  },
  plan: async ({ tx }, { currency, priceUsd, doubt: id }) => {
    const doubt = (await openDoubts(tx)).find((one) => String(one.id) === id)
    if (doubt?.priceUsd !== priceUsd || doubt.currency !== currency) throw new DeskError('price_not_doubted')
    return [{ what: `${currency} is used at`, value: `$${priceUsd}` }]
  },
  isDone: async (db, { doubt }, { why }) => (await findDoubt(db, BigInt(doubt)))?.why === why,
  carryOut: async ({ context }, { currency, priceUsd: price }, { actor, why }) => {
    if (await confirmPrice(context, { currency, price, actor, why })) return
    throw new Error(`$${price} is not the price of ${currency} that is in doubt any more`)
  }
}
