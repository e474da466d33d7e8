/**
 * The package catalogue: which packages exist, which are on sale on a given day, and what each is called.
 * Source: spec sections 3, 4 and 9; the mapping of ids is ours.
 *
 *   1– 27  CPC        3 releases × 9 tiers
 *  28–108  PTC        3 releases × 9 tiers × staking none, 12, 24 months
 * 109–120  unused
 * 121–150  promotion  6 ten-day windows × 5 tiers
 */

import { ptcPriceOn } from '../rates/prices.ts'

export type PackageType = 'CPC' | 'PTC'
type StakingMonths = 0 | 12 | 24

export type PackageConfig = {
  id: number
  type: PackageType
  series: 'release' | 'promotion'
  /** UTC day, yyyy-mm-dd. */
  releasedOn: string
  /** Whole US dollars. */
  priceUsd: bigint
  /** US dollars per PTC; undefined for a CPC package, whose price is that of the day. */
  ptcPriceUsd: string | undefined
  stakingMonths: StakingMonths
  /** Hundredths of a percent a year; in the promotion, of the PTC amount, once. */
  stakingRateHundredths: number
}

export const TIERS_USD = [1000n, 2500n, 5000n, 7500n, 10_000n, 20_000n, 30_000n, 40_000n, 50_000n] as const
export const RELEASES = ['2025-01-01', '2025-07-01', '2026-01-01'] as const
export const PROMOTION_WINDOWS = ['2025-05-03', '2025-05-13', '2025-05-23', '2025-06-02', '2025-06-12', '2025-06-22'] as const
const PROMOTION_RATES_HUNDREDTHS = [2000, 1800, 1600, 1400, 1200, 1000] as const
const PROMOTION_TIERS = 5
const STAKING_CHOICES = [
  { months: 0, rateHundredths: 0 },
  { months: 12, rateHundredths: 1200 },
  { months: 24, rateHundredths: 1800 }
] as const
const FIRST_PTC_ID = 28
export const PROMOTION_IDS = { first: 121, last: 150 } as const

function cpcPackages(): PackageConfig[] {
  return RELEASES.flatMap((releasedOn, release) =>
    TIERS_USD.map((priceUsd, tier) => ({
      id: 1 + release * TIERS_USD.length + tier,
      type: 'CPC' as const,
      series: 'release' as const,
      releasedOn,
      priceUsd,
      ptcPriceUsd: undefined,
      stakingMonths: 0 as const,
      stakingRateHundredths: 0
    }))
  )
}

function ptcPackages(): PackageConfig[] {
  return RELEASES.flatMap((releasedOn, release) =>
    TIERS_USD.flatMap((priceUsd, tier) =>
      STAKING_CHOICES.map(({ months, rateHundredths }, choice) => ({
        id: FIRST_PTC_ID + (release * TIERS_USD.length + tier) * STAKING_CHOICES.length + choice,
        type: 'PTC' as const,
        series: 'release' as const,
        releasedOn,
        priceUsd,
        ptcPriceUsd: ptcPriceOn(releasedOn),
        stakingMonths: months,
        stakingRateHundredths: rateHundredths
      }))
    )
  )
}

function promotionPackages(): PackageConfig[] {
  return PROMOTION_WINDOWS.flatMap((releasedOn, window) =>
    TIERS_USD.slice(0, PROMOTION_TIERS).map((priceUsd, tier) => ({
      id: PROMOTION_IDS.first + window * PROMOTION_TIERS + tier,
      type: 'PTC' as const,
      series: 'promotion' as const,
      releasedOn,
      priceUsd,
      ptcPriceUsd: '0.0006',
      stakingMonths: 0 as const,
      stakingRateHundredths: PROMOTION_RATES_HUNDREDTHS[window] ?? 0
    }))
  )
}

export const PACKAGES: readonly PackageConfig[] = [...cpcPackages(), ...ptcPackages(), ...promotionPackages()]

const packagesById = new Map(PACKAGES.map((config) => [config.id, config]))

export function packageById(id: number): PackageConfig | undefined {
  return packagesById.get(id)
}

/** The latest date that is not after the UTC day of `now`; undefined before the first. */
export function currentWindow(dates: readonly string[], now: Date): string | undefined {
  const today = now.toISOString().slice(0, 10)
  return dates.filter((date) => date <= today).at(-1)
}

/** On sale: a package of the current release. The promotion is sold by promo code alone and is not listed here. */
export function isOnSale(config: PackageConfig, now: Date): boolean {
  return config.series === 'release' && config.releasedOn === currentWindow(RELEASES, now)
}

export function packagesOnSale(type: PackageType, now: Date): PackageConfig[] {
  return PACKAGES.filter((config) => config.type === type && isOnSale(config, now))
}

/** The package of the same release and tier with another staking choice; undefined where there is none. */
export function stakingVariant(config: PackageConfig, months: number): PackageConfig | undefined {
  return PACKAGES.find(
    (other) =>
      other.type === config.type &&
      other.series === config.series &&
      other.releasedOn === config.releasedOn &&
      other.priceUsd === config.priceUsd &&
      other.stakingMonths === months
  )
}

/** Promotion packages never count as staking (spec section 4). */
export function isPromotion(configId: number): boolean {
  return configId >= PROMOTION_IDS.first && configId <= PROMOTION_IDS.last
}

export function packageName({ type, priceUsd }: Pick<PackageConfig, 'type' | 'priceUsd'>): string {
  return `${type} ${priceUsd.toString().replace(/\B(?=(\d{3})+$)/g, ',')}`
}
