/**
 * Keeps a wrong price from deciding about money. A price that moved too far, or that a second source contradicts, is not used until an
 * operator confirms it; until then the last one is. The doubt is about one token: all others go on.
 */
import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import { DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { doubtOf, medianOf } from '#lib/domain/rates/doubt.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact } from '../platform/transaction.ts'
import { utcDay } from './daily.ts'
import type { PricesSource, Rates, RatesSource } from './port.ts'
import { acceptedPrices, dailyPrices, priceDoubts } from './schema.ts'

type Judging = Pick<Context, 'db' | 'clock' | 'log'>

const DAY_MS = 86_400_000
const MEDIAN_DAYS = 7
const FRESH_MS = 60_000

/** The source with its prices judged before they are used. Judged at most once a minute and process. */
export function judgedRates(context: Judging, source: RatesSource, second?: PricesSource): RatesSource {
  let last: { from: Rates; judged: Rates; at: number } | undefined
  return {
    current: async () => {
      const rates = await source.current()
      const now = context.clock().getTime()
      if (last && last.from === rates && now - last.at < FRESH_MS) return last.judged
      const judged = await judge(context, rates, await secondOf(context, second))
      last = { from: rates, judged, at: now }
      return judged
    }
  }
}

/** A second source that does not respond contradicts nothing. */
async function secondOf({ log }: Judging, second: PricesSource | undefined): Promise<Record<string, string>> {
  if (!second) return {}
  return second.prices().catch((error: unknown) => {
    log.warn({ err: error }, 'the second source of prices does not respond')
    return {}
  })
}

async function judge(context: Judging, rates: Rates, second: Record<string, string>): Promise<Rates> {
  const values = { ...rates.pricesUsd.values }
  const doubted: Record<string, string> = {}
  for (const currency of DEPOSITABLE) {
    const price = values[currency]
    if (price === undefined) continue
    const used = await judgeOne(context, { ...rates.pricesUsd, currency, price, second: second[currency] })
    if (used !== price) {
      values[currency] = used
      doubted[currency] = price
    }
  }
  return { ...rates, pricesUsd: { ...rates.pricesUsd, values }, doubted }
}

type Quote = { currency: string; price: string; second: string | undefined; source: string; at: Date }

/** The price to use: the quoted one, or the last accepted one while the quoted one is in doubt. */
async function judgeOne(context: Judging, { currency, price, second, source, at }: Quote): Promise<string> {
  const { db, log, clock } = context
  const [accepted] = await db.select().from(acceptedPrices).where(eq(acceptedPrices.currency, currency))
  const last = accepted?.priceUsd
  const doubt = doubtOf(price, { last, median: await medianPrice(db, currency, clock()), second })
  const isOpen = and(eq(priceDoubts.currency, currency), isNull(priceDoubts.endedAt))
  // The first price ever has nothing to fall back to.
  if (!doubt || last === undefined) {
    if (last !== price) {
      const row = { currency, priceUsd: price, source, quotedAt: at }
      await db.insert(acceptedPrices).values(row).onConflictDoUpdate({ target: acceptedPrices.currency, set: row })
    }
    await db.update(priceDoubts).set({ endedAt: clock() }).where(isOpen)
    return price
  }
  const [opened] = await db
    .insert(priceDoubts)
    .values({ currency, reason: doubt, priceUsd: price, usedUsd: last, foundAt: clock() })
    .onConflictDoUpdate({
      target: priceDoubts.currency,
      targetWhere: sql`ended_at is null`,
      set: { priceUsd: price, reason: doubt }
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  if (opened?.isNew)
    log.error({ currency, price, used: last, reason: doubt }, 'a price is in doubt: confirm it, or wait until it comes back')
  return last
}

async function medianPrice(db: Executor, currency: string, now: Date): Promise<string | undefined> {
  const days = await db
    .select({ priceUsd: dailyPrices.priceUsd })
    .from(dailyPrices)
    .where(and(eq(dailyPrices.currency, currency), gte(dailyPrices.day, utcDay(new Date(now.getTime() - MEDIAN_DAYS * DAY_MS)))))
  return medianOf(days.map(({ priceUsd }) => priceUsd))
}

/** The doubts that wait for an operator, oldest first. */
export function openDoubts(db: Executor) {
  return db.select().from(priceDoubts).where(isNull(priceDoubts.endedAt)).orderBy(priceDoubts.foundAt)
}

/**
 * Uses the price that is in doubt from now on, also for the days that have no price because of it. Returns it; undefined if the token's
 * price is in no doubt.
 */
export function confirmPrice(
  context: Context,
  { currency, actor, why }: { currency: string; actor: Actor; why: string }
): Promise<string | undefined> {
  return transact(context, async ({ tx, now }) => {
    const [doubt] = await tx
      .update(priceDoubts)
      .set({ endedAt: now, actor: actorText(actor), why })
      .where(and(eq(priceDoubts.currency, currency), isNull(priceDoubts.endedAt)))
      .returning()
    if (!doubt) return undefined
    const row = { priceUsd: doubt.priceUsd, source: 'confirmed by an operator', quotedAt: now }
    await tx.update(acceptedPrices).set(row).where(eq(acceptedPrices.currency, currency))
    const days: string[] = []
    for (let at = doubt.foundAt.getTime(); utcDay(new Date(at)) <= utcDay(now); at += DAY_MS) days.push(utcDay(new Date(at)))
    if (!days.includes(utcDay(now))) days.push(utcDay(now))
    await tx
      .insert(dailyPrices)
      .values(days.map((day) => ({ currency, day, ...row })))
      .onConflictDoNothing()
    return doubt.priceUsd
  })
}
