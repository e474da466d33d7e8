import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bonusPackagesOnSale,
  currentWindow,
  HIDES_STAKING,
  isBonusPackage,
  PACKAGES,
  PROMOTION_WINDOWS,
  packageById,
  packageName,
  packagesOnSale,
  RELEASES,
  stakingVariant,
  TIERS_USD
} from '#lib/domain/orders/packages.ts'

const day = (text: string) => new Date(`${text}T12:00:00Z`)

describe('the catalogue', () => {
  it('holds the ids 1–108 and 121–150, each once', () => {
    const ids = PACKAGES.map(({ id }) => id)
    expect(ids).toEqual([...Array.from({ length: 108 }, (_, i) => i + 1), ...Array.from({ length: 30 }, (_, i) => i + 121)])
  })

  it('has 27 CPC packages, 81 PTC packages and 30 of the promotion', () => {
    expect(PACKAGES.filter(({ type, series }) => type === 'CPC' && series === 'release')).toHaveLength(27)
    expect(PACKAGES.filter(({ type, series }) => type === 'PTC' && series === 'release')).toHaveLength(81)
    expect(PACKAGES.filter(({ series }) => series === 'promotion')).toHaveLength(30)
    expect(PACKAGES.filter(({ id }) => isBonusPackage(id)).every(({ series }) => series === 'promotion')).toBe(true)
  })

  it('sells PTC at 0.0006 before 2026 and in the promotion, at 0.0009 since', () => {
    expect(packageById(28)?.ptcPriceUsd).toBe('0.0006')
    expect(packageById(82)?.ptcPriceUsd).toBe('0.0009')
    expect(packageById(121)?.ptcPriceUsd).toBe('0.0006')
    expect(packageById(1)?.ptcPriceUsd).toBeUndefined()
  })

  it('gives 20, 18, 16, 14, 12 and 10 % in the six windows of the promotion', () => {
    const rates = PROMOTION_WINDOWS.map(({ startsOn }) =>
      PACKAGES.find(({ series, releasedOn }) => series === 'promotion' && releasedOn === startsOn)
    )
    expect(rates.map((config) => config?.bonusRateHundredths)).toEqual([2000, 1800, 1600, 1400, 1200, 1000])
  })

  it('names a package by token and price', () => {
    expect(packageName({ type: 'PTC', priceUsd: 50_000n })).toBe('PTC 50,000')
  })
})

describe('the windows', () => {
  it.each([
    ['2024-12-31', undefined],
    ['2025-01-01', '2025-01-01'],
    ['2025-06-30', '2025-01-01'],
    ['2025-07-01', '2025-07-01'],
    ['2026-01-01', '2026-01-01'],
    ['2030-01-01', '2026-01-01']
  ])('on %s the release is %s', (today, release) => {
    expect(currentWindow(RELEASES, day(today))).toBe(release)
  })

  it.each([
    ['2025-05-02', undefined],
    ['2025-05-03', '2025-05-03'],
    ['2025-05-12', '2025-05-03'],
    ['2025-05-13', '2025-05-13'],
    ['2025-06-22', '2025-06-22'],
    ['2026-06-22', '2025-06-22']
  ])('on %s the window of the promotion is %s', (today, window) => {
    const ids = bonusPackagesOnSale(day(today))
    expect(new Set(ids.map(({ releasedOn }) => releasedOn))).toEqual(new Set(window ? [window] : []))
    expect(ids.map(({ priceUsd }) => priceUsd)).toEqual(window ? [1000n, 2500n, 5000n, 7500n, 10_000n] : [])
  })

  it('changes at midnight UTC', () => {
    expect(currentWindow(RELEASES, new Date('2025-06-30T23:59:59.999Z'))).toBe('2025-01-01')
    expect(currentWindow(RELEASES, new Date('2025-07-01T00:00:00.000Z'))).toBe('2025-07-01')
  })

  it('sells nine CPC and 27 PTC packages at any time since the first release, all of one release', () => {
    const anyTime = fc.date({ min: new Date('2025-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(anyTime, (now) => {
        expect(packagesOnSale('CPC', now)).toHaveLength(9)
        const ptc = packagesOnSale('PTC', now)
        expect(ptc).toHaveLength(27)
        expect(new Set(ptc.map(({ releasedOn }) => releasedOn)).size).toBe(1)
      })
    )
  })

  it.each(PROMOTION_WINDOWS)('the window of $startsOn opens with its first second and ends with its last', (window) => {
    const index = PROMOTION_WINDOWS.indexOf(window)
    const next = PROMOTION_WINDOWS[index + 1]?.startsOn
    const rateAt = (moment: Date) => bonusPackagesOnSale(moment)[0]?.bonusRateHundredths
    const opens = new Date(`${window.startsOn}T00:00:00.000Z`)
    expect(rateAt(new Date(opens.getTime() - 1))).toBe(PROMOTION_WINDOWS[index - 1]?.rateHundredths)
    expect(rateAt(opens)).toBe(window.rateHundredths)
    const last = next ? new Date(Date.parse(`${next}T00:00:00.000Z`) - 1) : day('2040-01-01')
    expect(rateAt(last)).toBe(window.rateHundredths)
  })

  it('never lists the promotion among the other packages', () => {
    expect(packagesOnSale('PTC', day('2025-05-05')).some(({ id }) => isBonusPackage(id))).toBe(false)
  })

  it('hides the staking block of the packages of which nothing can be staked', () => {
    expect([...HIDES_STAKING].sort((a, b) => a - b)).toEqual(
      PACKAGES.filter(({ type, series }) => type === 'CPC' || series === 'promotion').map(({ id }) => id)
    )
  })
})

describe('a staking choice', () => {
  it('leads to the package of the same release and price', () => {
    const base = packagesOnSale('PTC', day('2026-11-21'))[0]
    if (!base) throw new Error('nothing on sale')
    expect(stakingVariant(base, 12)).toMatchObject({ priceUsd: TIERS_USD[0], stakingMonths: 12, stakingRateHundredths: 1200 })
    expect(stakingVariant(base, 24)).toMatchObject({ stakingMonths: 24, stakingRateHundredths: 1800 })
    expect(stakingVariant(base, 0)?.id).toBe(base.id)
    expect(stakingVariant(base, 7)).toBeUndefined()
  })
})
