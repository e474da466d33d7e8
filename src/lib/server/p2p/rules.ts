/** The rules that a customer must know before they trade, and whether they may trade. */
import { and, count, eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { holdingsOf } from '../ledger/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { UnavailableError } from '../platform/errors.ts'
import { currentReference } from './price.ts'
import { isOpenOrder, p2pOrders, p2pTraders } from './schema.ts'
import type { P2pSettings } from './settings.ts'

/** True if this customer may use P2P: their funding account has CPC, frozen or not (spec section 2). */
export async function canTrade({ db }: Context, { userId }: Customer): Promise<boolean> {
  const holding = (await holdingsOf(db, userId)).get(P2P_ASSET)
  return holding !== undefined && holding.funding + holding.frozen > 0n
}

async function referenceOf({ rates }: P2pSettings): Promise<{ reference: string; pricedAt: string } | undefined> {
  try {
    const current = await rates.current()
    return { reference: writeDecimal(currentReference(current)), pricedAt: current.pricesUsd.at.toISOString() }
  } catch (error) {
    if (error instanceof UnavailableError) return undefined
    throw error
  }
}

export async function readRules({ db }: Context, settings: P2pSettings, { userId }: Customer): Promise<Answer<'getP2pRules'>> {
  const [priced, [trader], [open]] = await Promise.all([
    referenceOf(settings),
    db.select({ nickname: p2pTraders.nickname }).from(p2pTraders).where(eq(p2pTraders.userId, userId)),
    db
      .select({ count: count() })
      .from(p2pOrders)
      .where(and(eq(p2pOrders.makerId, userId), isOpenOrder))
  ])
  return {
    feeBasisPoints: settings.feeBasisPoints,
    smallestAmount: settings.smallestAmount.toString(),
    reference: priced?.reference ?? null,
    pricedAt: priced?.pricedAt ?? null,
    nickname: trader?.nickname ?? null,
    openOrders: open?.count ?? 0
  }
}
