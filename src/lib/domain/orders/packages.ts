/**
 * The package catalogue: which packages exist, which are on sale on a given day, and their names.
 * Source: spec sections 3, 4 and 9; we chose the ids.
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
  /** US dollars per PTC; undefined for a CPC package, which uses the price of the day. */
  ptcPriceUsd: string | undefined
  stakingMonths: StakingMonths
  /** Hundredths of a percent a year. */
  stakingRateHundredths: number
  /** The one-time bonus of the promotion: hundredths of a percent of the PTC amount. */
  bonusRateHundredths: number
}

export const TIERS_USD = [1000n, 2500n, 5000n, 7500n, 10_000n, 20_000n, 30_000n, 40_000n, 50_000n] as const
export const RELEASES = ['2025-01-01', '2025-07-01', '2026-01-01'] as const
/** The anniversary promotion: each window starts on its UTC day and ends the day before the next one starts; the last stays open. */
export const PROMOTION_WINDOWS = [
  { startsOn: '2025-05-03', rateHundredths: 2000 },
  { startsOn: '2025-05-13', rateHundredths: 1800 },
  { startsOn: '2025-05-23', rateHundredths: 1600 },
  { startsOn: '2025-06-02', rateHundredths: 1400 },
  { startsOn: '2025-06-12', rateHundredths: 1200 },
  { startsOn: '2025-06-22', rateHundredths: 1000 }
] as const
const PROMOTION_DATES = PROMOTION_WINDOWS.map(({ startsOn }) => startsOn)
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
      stakingRateHundredths: 0,
      bonusRateHundredths: 0
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
        stakingRateHundredths: rateHundredths,
        bonusRateHundredths: 0
      }))
    )
  )
}

function bonusPackages(): PackageConfig[] {
  return PROMOTION_WINDOWS.flatMap(({ startsOn: releasedOn, rateHundredths }, window) =>
    TIERS_USD.slice(0, PROMOTION_TIERS).map((priceUsd, tier) => ({
      id: PROMOTION_IDS.first + window * PROMOTION_TIERS + tier,
      type: 'PTC' as const,
      series: 'promotion' as const,
      releasedOn,
      priceUsd,
      ptcPriceUsd: '0.0006',
      stakingMonths: 0 as const,
      stakingRateHundredths: 0,
      bonusRateHundredths: rateHundredths
    }))
  )
}

const idsBetween = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The packages whose preview has no staking block, because they cannot be staked. */
export const HIDES_STAKING: ReadonlySet<number> = new Set([
  ...idsBetween(1, FIRST_PTC_ID - 1),
  ...idsBetween(PROMOTION_IDS.first, PROMOTION_IDS.last)
])

export const PACKAGES: readonly PackageConfig[] = [...cpcPackages(), ...ptcPackages(), ...bonusPackages()]

const packagesById = new Map(PACKAGES.map((config) => [config.id, config]))

export function packageById(id: number): PackageConfig | undefined {
  return packagesById.get(id)
}

/** The latest date that is not after the UTC day of `now`; undefined before the first. */
export function currentWindow(dates: readonly string[], now: Date): string | undefined {
  const today = now.toISOString().slice(0, 10)
  return dates.filter((date) => date <= today).at(-1)
}

/** True for packages of the current release and of the promotion's open window. */
export function isOnSale({ series, releasedOn }: PackageConfig, now: Date): boolean {
  return releasedOn === currentWindow(series === 'release' ? RELEASES : PROMOTION_DATES, now)
}

export function packagesOnSale(type: PackageType, now: Date): PackageConfig[] {
  return PACKAGES.filter((config) => config.series === 'release' && config.type === type && isOnSale(config, now))
}

/** The promotion packages on sale, which need a promo code; none before the first window. */
export function bonusPackagesOnSale(now: Date): PackageConfig[] {
  return PACKAGES.filter((config) => config.series === 'promotion' && isOnSale(config, now))
}

/** The package of the same release and tier with another staking term; undefined if there is none. */
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
export function isBonusPackage(configId: number): boolean {
  return configId >= PROMOTION_IDS.first && configId <= PROMOTION_IDS.last
}

export function packageName({ type, priceUsd }: Pick<PackageConfig, 'type' | 'priceUsd'>): string {
  return `${type} ${priceUsd.toString().replace(/\B(?=(\d{3})+$)/g, ',')}`
}
