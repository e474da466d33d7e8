/** One price per token and one euro rate per UTC day, kept for ever. The first figure of a day is final. */
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { currencyOf } from '#lib/domain/money/currencies.ts'
import { ptcPriceOn } from '#lib/domain/rates/prices.ts'
import type { Context } from '../platform/context.ts'
import { statementOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Rates, RatesSource } from './port.ts'
import { dailyPrices, dailyRates } from './schema.ts'

const EVERY_SECONDS = 1800

export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Stores today's figures if none are stored yet; later ones change nothing. */
export async function keepDailyRates({ db, clock }: Context, { eurPerUsd, pricesUsd, doubted = {} }: Rates): Promise<void> {
  const day = utcDay(clock())
  const prices = { ...pricesUsd.values, PTC: ptcPriceOn(day) }
  const rows = Object.entries(prices)
    // A price in doubt is no day's price: it is kept once an operator has confirmed it, or it has come back.
    .filter(([currency]) => isKnown(currency) && doubted[currency] === undefined)
    .map(([currency, priceUsd]) => ({ currency, day, priceUsd, source: pricesUsd.source, quotedAt: pricesUsd.at }))
  await db.insert(dailyPrices).values(rows).onConflictDoNothing()
  await db
    .insert(dailyRates)
    .values({ day, eurPerUsd: eurPerUsd.value, source: eurPerUsd.source, quotedAt: eurPerUsd.at })
    .onConflictDoNothing()
}

/** A price service may list more currencies than we hold. */
function isKnown(currency: string): boolean {
  try {
    return currencyOf(currency).kind === 'token'
  } catch {
    return false
  }
}

export type DailyPrice = { priceUsd: string; source: string; quotedAt: Date }

/** The price of a token on a UTC day (yyyy-mm-dd); undefined if none is stored. */
export async function dailyPrice(db: Executor, currency: string, day: string): Promise<DailyPrice | undefined> {
  const [row] = await db
    .select({ priceUsd: dailyPrices.priceUsd, source: dailyPrices.source, quotedAt: dailyPrices.quotedAt })
    .from(dailyPrices)
    .where(and(eq(dailyPrices.currency, currency), eq(dailyPrices.day, day)))
  return row
}

/** The newest euro rate stored for this UTC day or one before it; undefined if there is none. */
export async function euroRateBy(db: Executor, day: string): Promise<string | undefined> {
  const [row] = await db
    .select({ eurPerUsd: dailyRates.eurPerUsd })
    .from(dailyRates)
    .where(lte(dailyRates.day, day))
    .orderBy(desc(dailyRates.day))
    .limit(1)
  return row?.eurPerUsd
}

export type DailyFigures = { prices: Record<string, string>; eurPerUsd: string | undefined }

/** `currency`: null for the euro rate. */
const figuresOn = statementOnce<{ day: string; currency: string | null; figure: string }>(
  'figures_on_days',
  () => sql`
    select day::text, currency, price_usd::text as figure from daily_prices where day = any(${sql.placeholder('days')}::date[])
    union all
    select day::text, null, eur_per_usd::text from daily_rates where day = any(${sql.placeholder('days')}::date[])`
)

/** The stored prices and euro rate of each of these UTC days. */
export async function dailyFigures(db: Executor, days: string[]): Promise<Map<string, DailyFigures>> {
  if (days.length === 0) return new Map()
  const figures = new Map<string, DailyFigures>(days.map((day) => [day, { prices: {}, eurPerUsd: undefined }]))
  for (const { day, currency, figure } of await figuresOn(db, { days: `{${days.join()}}` })) {
    const ofDay = figures.get(day)
    if (!ofDay) continue
    if (currency === null) ofDay.eurPerUsd = figure
    else ofDay.prices[currency] = figure
  }
  return figures
}

type Kept = DailyFigures & { day: string; untilMs: number }
const kept = new WeakMap<Executor, Kept>()
/** Not longer: an operator who confirms a price adds it to days that are over, too. */
const KEPT_MS = 60_000

/** The stored figures of this UTC day, at most a minute old. The process keeps one day: yesterday, which every page with prices asks for. */
export async function recentFigures(db: Executor, day: string): Promise<DailyFigures> {
  const before = kept.get(db)
  if (before?.day === day && before.untilMs > Date.now()) return before
  const figures = (await dailyFigures(db, [day])).get(day) ?? { prices: {}, eurPerUsd: undefined }
  Object.freeze(figures.prices)
  kept.set(db, { ...figures, day, untilMs: Date.now() + KEPT_MS })
  return figures
}

export function dailyRatesJob(context: Context, rates: RatesSource): JobKind {
  return {
    name: 'daily-rates',
    role: 'worker',
    everySeconds: EVERY_SECONDS,
    run: async () => keepDailyRates(context, await rates.current())
  }
}
