import type { p2pCalls } from '#lib/contract/p2p.ts'
import { bearerExpiry } from '../access/index.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { cancelOrder } from './end.ts'
import { fillOrder } from './fill.ts'
import { listOrder, previewOrder } from './list.ts'
import type { BookFeed } from './live.ts'
import { readMarket } from './market.ts'
import { listBook, listOwnOrders, listTrades } from './read.ts'
import { readRules } from './rules.ts'
import type { P2pSettings } from './settings.ts'
import { previewSweep, sweepBook } from './sweep.ts'

export function p2pHandlers(context: Context, settings: P2pSettings, feed: BookFeed): Handlers<keyof typeof p2pCalls> {
  return {
    getP2pRules: ({ customer }) => readRules(context, settings, customer),
    listP2pOrders: ({ customer, query }) => listBook(context, customer, query),
    streamP2pOrders: ({ customer, http }) => feed.open(customer, earlier(customer.expiresAt, bearerExpiry(http))),
    getP2pMarket: () => readMarket(context),
    previewP2pSweep: ({ customer, query }) => previewSweep(context, settings, customer, query.amount),
    sweepP2pBook: ({ customer, body, idempotencyKey }) => sweepBook(context, settings, customer, { ...body, idempotencyKey }),
    listOwnP2pOrders: ({ customer, query }) => listOwnOrders(context, customer, query),
    listP2pTrades: ({ customer, query }) => listTrades(context, customer, query),
    previewP2pOrder: ({ body }) => previewOrder(settings, body),
    createP2pOrder: ({ customer, body, idempotencyKey }) => listOrder(context, settings, customer, { ...body, idempotencyKey }),
    cancelP2pOrder: ({ customer, params }) => cancelOrder(context, customer, params.id),
    fillP2pOrder: ({ customer, params, body, idempotencyKey }) =>
      fillOrder(context, settings, customer, { id: params.id, amount: body.amount, idempotencyKey })
  }
}

const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one)
