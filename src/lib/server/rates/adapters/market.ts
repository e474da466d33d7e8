/** EUR per USD by the European Central Bank's daily file, token prices by the configured price service. */
import { z } from 'zod'
import { decimal, quotient, readDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { UnavailableError } from '../../platform/errors.ts'
import type { PricesSource, Quoted, Rates, RatesSource } from '../port.ts'

const ECB_DAILY_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
const FRESH_MS = 60_000
/** Older figures are used only while the sources fail: a process that nobody has asked for a while asks them first. */
const GOOD_ENOUGH_MS = 5 * 60_000
/** If the sources fail, the last figures are used for this long; after that nothing is sold, rather than at an old price. */
const USABLE_MS = 15 * 60_000
/** Shorter than a customer's call may take. */
const TIMEOUT_MS = 2000
/** The bank publishes on working days: a file older than a long weekend is out of date. */
const ECB_USABLE_MS = 6 * 86_400_000
const EUR_PER_USD_SCALE = 8

const isPrice = (text: string) => (readDecimal(text)?.digits ?? 0n) > 0n
const priceList = z.record(z.string(), z.string().refine(isPrice))

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`)
  return response.text()
}

/** Reads `<Cube time='2026-11-20'> … <Cube currency='USD' rate='1.0821'/>` (USD for one EUR) and inverts it, rounded half up. */
export function readEcbDaily(xml: string): Quoted {
  const day = /time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(xml)?.[1]
  const usdPerEur = /currency=['"]USD['"]\s+rate=['"]([\d.]+)['"]/.exec(xml)?.[1]
  if (!day || !usdPerEur) throw new Error('The daily file of the European Central Bank has no USD rate')
  const value = writeDecimal(quotient(decimal('1'), decimal(usdPerEur), EUR_PER_USD_SCALE, 'halfUp'))
  return { value, source: 'European Central Bank', at: new Date(`${day}T00:00:00Z`) }
}

/** Prices of another service, which answers as `pricesUrl` does. */
export function secondPrices(url: string): PricesSource {
  return { prices: async () => priceList.parse(JSON.parse(await fetchText(url))) }
}

/** `pricesUrl` answers `{ "CPC": "0.05", … }`: USD for one token, as text. */
export function marketRates(pricesUrl: string, clock: () => Date, ecbUrl = ECB_DAILY_URL): RatesSource {
  let last: { rates: Rates; at: number } | undefined
  let loading: Promise<Rates> | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<Rates> {
    const [xml, json] = await Promise.all([fetchText(ecbUrl), fetchText(pricesUrl)])
    const at = clock()
    const eurPerUsd = readEcbDaily(xml)
    if (at.getTime() - eurPerUsd.at.getTime() > ECB_USABLE_MS)
      throw new Error('The daily file of the European Central Bank is old')
    const rates = { eurPerUsd, pricesUsd: { values: priceList.parse(JSON.parse(json)), source: new URL(pricesUrl).host, at } }
    last = { rates, at: at.getTime() }
    return rates
  }

  function reload(): Promise<Rates> {
    loading ??= load()
      .catch((error: unknown) => {
        failedAt = clock().getTime()
        throw error
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }

  return {
    current: async () => {
      const now = clock().getTime()
      const before = last
      if (!before || now - before.at >= USABLE_MS)
        return reload().catch((cause: unknown) => {
          throw new UnavailableError('Rates and prices cannot be had', { cause })
        })
      const age = now - before.at
      if (age < FRESH_MS) return before.rates
      // Nobody waits while the last figures are good enough, or while the sources fail.
      const newer = reload().catch(() => before.rates)
      return age < GOOD_ENOUGH_MS || now - failedAt < FRESH_MS ? before.rates : newer
    }
  }
}
