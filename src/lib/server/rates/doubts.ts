/**
 * Keeps a wrong price from deciding about money. A price that moved too far, or that a second source contradicts, is not used until an
 * operator confirms it; until then the last one is. The doubt is about one token: all others go on.
 */
import { and, desc, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { type Doubt, doubtOf, isAsLookedAt, medianOf } from '#lib/domain/rates/doubt.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { databaseError } from '../platform/db/faults.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { outsideRequests } from '../platform/outsideRequests.ts'
import { transact } from '../platform/transaction.ts'
import { utcDay } from './daily.ts'
import type { PricesSource, Rates, RatesSource } from './port.ts'
import { acceptedPrices, dailyPrices, priceDoubts } from './schema.ts'

type Judging = Pick<Context, 'db' | 'clock' | 'log'>

const READ_ONLY = '25006'
const DAY_MS = 86_400_000
const MEDIAN_DAYS = 7
const FRESH_MS = 60_000

/**
 * The source with its prices judged before they are used, at most once a minute in each process. Who asks meanwhile waits for the same judgement. `isKeeper`: this process stores what it finds;
 * the others only read, so that a stolen password of a web process changes no price.
 */
export function judgedRates(
  context: Judging,
  source: RatesSource,
  { second, isKeeper }: { second?: PricesSource | undefined; isKeeper: boolean }
): RatesSource {
  let last: { from: Rates; judged: Rates; at: number } | undefined
  let judging: { from: Rates; judged: Promise<Rates> } | undefined
  // It keeps what it finds, also where a page asks, and others may wait for it.
  const judgeNow = (rates: Rates) =>
    outsideRequests(async () => judge(context, rates, { second: await secondOf(context, second), isKeeper }))
  return {
    current: async () => {
      const rates = await source.current()
      const now = context.clock().getTime()
      if (last && last.from === rates && now - last.at < FRESH_MS) return last.judged
      if (judging?.from !== rates) {
        const mine = { from: rates, judged: judgeNow(rates) }
        judging = mine
        mine.judged
          .then((judged) => {
            last = { from: rates, judged, at: now }
          })
          .catch(() => undefined)
          .finally(() => {
            if (judging === mine) judging = undefined
          })
      }
      return judging.judged
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

async function judge(
  context: Judging,
  rates: Rates,
  { second, isKeeper }: { second: Record<string, string>; isKeeper: boolean }
): Promise<Rates> {
  const values = { ...rates.pricesUsd.values }
  const doubted: Record<string, string> = {}
  for (const currency of DEPOSITABLE) {
    const price = values[currency]
    if (price === undefined) continue
    const used = await judgeOne(context, { ...rates.pricesUsd, currency, price, second: second[currency], isKeeper })
    if (used !== price) {
      values[currency] = used
      doubted[currency] = price
    }
  }
  return { ...rates, pricesUsd: { ...rates.pricesUsd, values }, doubted }
}

type Quote = { currency: string; price: string; second: string | undefined; isKeeper: boolean; source: string; at: Date }

/** The price to use: the quoted one, or the last accepted one while the quoted one is in doubt. */
async function judgeOne(context: Judging, quote: Quote): Promise<string> {
  const { db, clock } = context
  const { currency, price, second, isKeeper } = quote
  const [accepted] = await db.select().from(acceptedPrices).where(eq(acceptedPrices.currency, currency))
  const last = accepted?.priceUsd
  const confirmedAt = await lastConfirmed(db, currency)
  // An operator has looked: what the second source and the days before say is known.
  const isLookedAt = confirmedAt !== undefined && clock().getTime() - confirmedAt.getTime() < DAY_MS
  const median = await medianPrice(db, currency, { now: clock(), confirmedAt })
  const doubt = doubtOf(price, { last, median, second: isLookedAt ? undefined : second })
  if (isKeeper)
    await keepJudgement(context, quote, { last, doubt }).catch((error: unknown) => {
      // While the database takes no writes, what was found is found again later.
      if (databaseError(error).code !== READ_ONLY) throw error
      context.log.warn({ currency, err: error }, 'a price was judged, and not kept')
    })
  // The first price ever has nothing to fall back to.
  return doubt && last !== undefined ? last : price
}

async function keepJudgement(
  { db, log, clock }: Judging,
  { currency, price, source, at }: Quote,
  { last, doubt }: { last: string | undefined; doubt: Doubt | undefined }
): Promise<void> {
  if (!doubt || last === undefined) {
    if (last !== price) {
      const row = { currency, priceUsd: price, source, quotedAt: at }
      await db.insert(acceptedPrices).values(row).onConflictDoUpdate({ target: acceptedPrices.currency, set: row })
    }
    const isOpen = and(eq(priceDoubts.currency, currency), isNull(priceDoubts.endedAt))
    await db.update(priceDoubts).set({ endedAt: clock() }).where(isOpen)
    return
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
}

/** When an operator last confirmed a price of the token. */
async function lastConfirmed(db: Executor, currency: string): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: priceDoubts.endedAt })
    .from(priceDoubts)
    .where(and(eq(priceDoubts.currency, currency), isNotNull(priceDoubts.actor)))
    .orderBy(desc(priceDoubts.id))
    .limit(1)
  return row?.at ?? undefined
}

/** Of the last seven days; after a confirmation only of the days after it: those before had another price. */
async function medianPrice(
  db: Executor,
  currency: string,
  { now, confirmedAt }: { now: Date; confirmedAt: Date | undefined }
): Promise<string | undefined> {
  const week = utcDay(new Date(now.getTime() - MEDIAN_DAYS * DAY_MS))
  const next = confirmedAt && utcDay(new Date(confirmedAt.getTime() + DAY_MS))
  const first = next && next > week ? next : week

  const days = await db
    .select({ priceUsd: dailyPrices.priceUsd })
    .from(dailyPrices)
    .where(and(eq(dailyPrices.currency, currency), gte(dailyPrices.day, first)))
  return medianOf(days.map(({ priceUsd }) => priceUsd))
}

/** The doubts that wait for an operator, oldest first. */
export function openDoubts(db: Executor) {
  return db.select().from(priceDoubts).where(isNull(priceDoubts.endedAt)).orderBy(priceDoubts.foundAt)
}

/**
 * Uses the price that is in doubt from now on, also for the days that have no price because of it. False if it is more than two percent
 * from what the operator has looked at.
 */
export function confirmPrice(
  context: Context,
  { currency, price, actor, why }: { currency: string; price: string; actor: Actor; why: string }
): Promise<boolean> {
  return transact(context, async ({ tx, now }) => {
    const isOpen = and(eq(priceDoubts.currency, currency), isNull(priceDoubts.endedAt))
    const [doubt] = await tx.select().from(priceDoubts).where(isOpen).for('update')
    if (!doubt || !isAsLookedAt(doubt.priceUsd, price)) return false
    await tx
      .update(priceDoubts)
      .set({ endedAt: now, actor: actorText(actor), why })
      .where(eq(priceDoubts.id, doubt.id))
    const row = { priceUsd: doubt.priceUsd, source: 'confirmed by an operator', quotedAt: now }
    await tx.update(acceptedPrices).set(row).where(eq(acceptedPrices.currency, currency))
    const days: string[] = []
    for (let at = doubt.foundAt.getTime(); utcDay(new Date(at)) <= utcDay(now); at += DAY_MS) days.push(utcDay(new Date(at)))
    if (!days.includes(utcDay(now))) days.push(utcDay(now))
    await tx
      .insert(dailyPrices)
      .values(days.map((day) => ({ currency, day, ...row })))
      .onConflictDoNothing()
    return true
  })
}

/** A doubt by its number, open or over. */
export async function findDoubt(db: Executor, id: bigint) {
  const [row] = await db.select().from(priceDoubts).where(eq(priceDoubts.id, id))
  return row
}

/** When each token's price was accepted last. */
export async function acceptedAt(db: Executor): Promise<{ currency: string; at: Date }[]> {
  const rows = await db.select({ currency: acceptedPrices.currency, at: acceptedPrices.quotedAt }).from(acceptedPrices)
  return rows
}

/** Looks at the prices every minute, so that a slow change is not taken for a jump. Runs in the process that keeps them. */
export function pricesJob(rates: RatesSource): JobKind {
  return {
    name: 'prices',
    role: 'worker',
    everySeconds: 60,
    run: async () => {
      await rates.current()
    }
  }
}
