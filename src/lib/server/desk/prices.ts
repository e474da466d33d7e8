/** A price in doubt that two persons call right. The worker, which alone keeps prices, carries it out. */

import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { confirmPrice, openDoubts } from '../rates/index.ts'
import { type AnyAct, type DeskActs, DeskError, mayStill, type TwoPersonAct } from '../staff/index.ts'

const KIND = 'confirm_price'
type Price = { currency: string; priceUsd: string }
type Payload = Price & { proposer: string; by: string; why: string }

const confirm: TwoPersonAct<Price> = {
  right: 'confirm_price',
  subjectOf: ({ currency }) => `price:${currency}`,
  facts: async ({ tx }, { currency }) => {
    const doubt = (await openDoubts(tx)).find((one) => one.currency === currency)
    if (!doubt) throw new DeskError('price_not_doubted')
    return { 'price in doubt': `$${doubt.priceUsd}`, used: `$${doubt.usedUsd}`, why: doubt.reason.replaceAll('_', ' ') }
  },
  run: async ({ tx, enqueue }, { currency, priceUsd }, { by, proposer, why }) => {
    const doubt = (await openDoubts(tx)).find((one) => one.currency === currency)
    if (doubt?.priceUsd !== priceUsd) throw new DeskError('price_not_doubted')
    await enqueue({ kind: KIND, payload: { currency, priceUsd, proposer, by: by.id, why } satisfies Payload })
    return [{ what: `${currency} is used at`, value: `$${priceUsd}` }]
  }
}

export const priceActs: DeskActs = { confirm_price: confirm as AnyAct }

/** Both persons must have the right when it is carried out. A price that has changed since is left in doubt. */
export function confirmPriceJob(context: Context): JobKind {
  return {
    name: KIND,
    role: 'worker',
    run: async (payload) => {
      const { currency, priceUsd: price, proposer, by, why } = payload as Payload
      const may = await Promise.all([proposer, by].map((id) => mayStill(context.db, id, 'confirm_price')))
      const isByTwo = proposer !== by && may.every(Boolean)
      const actor = { kind: 'staff', id: by } as const
      const isDone = isByTwo && (await confirmPrice(context, { currency, price, actor, why: `${why} (with ${proposer})` }))
      if (!isDone) context.log.warn({ currency, isByTwo }, 'a price was not confirmed: it changed, or its two persons may not')
    }
  }
}
