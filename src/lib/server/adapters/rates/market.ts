/** EUR per USD by the European Central Bank's daily file, token prices by the configured price service. */
import { z } from 'zod'
import { decimal, quotient, readDecimal, writeDecimal } from '../../../domain/decimal.ts'
import type { Quoted, Rates, RatesSource } from '../../ports.ts'

const ECB_DAILY_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
const FRESH_MS = 60_000
/** When the sources fail, the last figures serve this long; then nothing is sold rather than sold at an old price. */
const USABLE_MS = 15 * 60_000
const TIMEOUT_MS = 5000
const EUR_PER_USD_SCALE = 8

const priceList = z.record(
  z.string(),
  z.string().refine((text) => readDecimal(text) !== undefined)
)

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`)
  return response.text()
}

/** Reads `<Cube time='2026-11-20'> … <Cube currency='USD' rate='1.0821'/>`: USD for one EUR, turned round, half up. */
export function readEcbDaily(xml: string): Quoted {
  const day = /time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(xml)?.[1]
  const usdPerEur = /currency=['"]USD['"]\s+rate=['"]([\d.]+)['"]/.exec(xml)?.[1]
  if (!day || !usdPerEur) throw new Error('The daily file of the European Central Bank has no USD rate')
  const value = writeDecimal(quotient(decimal('1'), decimal(usdPerEur), EUR_PER_USD_SCALE, 'halfUp'))
  return { value, source: 'European Central Bank', at: new Date(`${day}T00:00:00Z`) }
}

/** `pricesUrl` answers `{ "CPC": "0.05", … }`: USD for one token, as text. */
export function marketRates(pricesUrl: string, clock: () => Date, ecbUrl = ECB_DAILY_URL): RatesSource {
  let last: { rates: Rates; at: number } | undefined
  let loading: Promise<Rates> | undefined

  async function load(): Promise<Rates> {
    const [xml, json] = await Promise.all([fetchText(ecbUrl), fetchText(pricesUrl)])
    const at = clock()
    const rates = {
      eurPerUsd: readEcbDaily(xml),
      pricesUsd: { values: priceList.parse(JSON.parse(json)), source: new URL(pricesUrl).host, at }
    }
    last = { rates, at: at.getTime() }
    return rates
  }

  return {
    current: async () => {
      const age = last ? clock().getTime() - last.at : Number.POSITIVE_INFINITY
      if (last && age < FRESH_MS) return last.rates
      loading ??= load().finally(() => {
        loading = undefined
      })
      try {
        return await loading
      } catch (error) {
        if (last && age < USABLE_MS) return last.rates
        throw error
      }
    }
  }
}
