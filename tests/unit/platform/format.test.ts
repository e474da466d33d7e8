import { describe, expect, it } from 'vitest'
import {
  formatCents,
  formatEur,
  formatExact,
  formatExactMoneyUnits,
  formatExactUnits,
  formatMoneyUnits,
  formatPrice,
  formatRate,
  formatShortPrice,
  formatShortUnits,
  formatUnits,
  formatUsd
} from '#lib/format/amount.ts'
import { dayIn, formatDay, formatExactMoment, formatMoment, formatTime } from '#lib/format/dates.ts'
import { formatCountdown, formatDuration } from '#lib/format/duration.ts'
import { displayName, initials, titleCase } from '#lib/format/names.ts'
import { orderStatusLabel } from '#lib/format/orders/status.ts'
import { formatTimeLeft } from '#lib/format/orders/timeLeft.ts'
import { waitForOtp } from '#messages/access/signIn.ts'

describe('figures', () => {
  it('shows tokens with 3 decimals, cut and never rounded up', () => {
    expect(formatUnits('111111111111111', 'PTC')).toBe('1,111,111.111')
    expect(formatUnits('199999999', 'CPC')).toBe('1.999')
    expect(formatUnits('0', 'ETH')).toBe('0.000')
    expect(formatUnits('1234567890123456789', 'ETH')).toBe('1.234')
  })

  it('shows all digits where a figure is explained', () => {
    expect(formatExactUnits('111111111111111', 'PTC')).toBe('1,111,111.11111111')
    expect(formatExactUnits('2000000000000', 'CPC')).toBe('20,000')
  })

  it('never shows an amount as zero, and money tokens with two decimals', () => {
    expect([formatUnits(99_999n, 'CPC'), formatShortUnits(1n, 'BTC'), formatUnits(0n, 'BTC')]).toEqual([
      '< 0.001',
      '< 0.001',
      '0.000'
    ])
    expect([formatMoneyUnits(200_000_000n, 'USDC'), formatMoneyUnits(9_999n, 'USDC')]).toEqual(['200.00', '< 0.01'])
    expect([formatExactMoneyUnits(200_000_000n, 'USDC'), formatExactMoneyUnits(200_000_001n, 'USDC')]).toEqual([
      '200.00',
      '200.000001'
    ])
  })

  it('shows money with 2 decimals', () => {
    expect(formatUsd('1040.00')).toBe('$1,040.00')
    expect(formatEur('923.456780')).toBe('€923.45')
    expect([formatCents(5n), formatCents(104_000n, 'EUR'), formatCents(-27_874n)]).toEqual(['$0.05', '€1,040.00', '−$278.74'])
  })

  it('shows prices with 5 decimals for CPC and 6 for PTC', () => {
    expect(formatPrice('0.05', 'CPC')).toBe('$0.05000')
    expect(formatPrice('0.0009', 'PTC')).toBe('$0.000900')
    expect(formatPrice('97000', 'BTC')).toBe('$97,000.00')
    expect(formatPrice('0.046', 'CPC', 'EUR')).toBe('€0.04600')
  })

  it('trims trailing zeros outside tables, but keeps two digits of money', () => {
    expect(['2000000000000', '35000000', '111111111111111'].map((units) => formatShortUnits(units, 'CPC'))).toEqual([
      '20,000',
      '0.35',
      '1,111,111.111'
    ])
    expect(
      ['0.05', '0.0009', '97000', '1', '0.000024'].map((price, index) =>
        formatShortPrice(price, ['CPC', 'PTC', 'BTC', 'USDC', 'SHIBA'][index] ?? '')
      )
    ).toEqual(['$0.05000', '$0.000900', '$97,000.00', '$1.00', '$0.000024'])
  })

  it('shows hundredths of a percent divided by 100', () => {
    expect([formatRate(1200), formatRate(1250), formatRate(5)]).toEqual(['12%', '12.5%', '0.05%'])
    expect(formatExact('0.9200')).toBe('0.92')
  })
})

describe('dates and times', () => {
  it('are written as the specification has them', () => {
    const iso = '2026-11-21T17:05:09.123Z'
    expect([formatMoment(iso), formatExactMoment(iso), formatDay(iso)]).toEqual([
      '21.11.2026, 17:05',
      '2026-11-21 17:05:09',
      '21.11.2026'
    ])
  })

  it('are those of the time zone, also over midnight and in summer', () => {
    const iso = '2026-11-21T23:30:09.123Z'
    expect([formatMoment(iso, 'Europe/Vienna'), formatDay(iso, 'Europe/Vienna'), formatTime(iso, 'America/New_York')]).toEqual([
      '22.11.2026, 00:30',
      '22.11.2026',
      '18:30'
    ])
    expect(formatExactMoment('2026-07-01T10:00:00Z', 'Europe/Vienna')).toBe('2026-07-01 12:00:00')
    expect(dayIn(iso, 'Asia/Tokyo')).toBe('2026-11-22')
    expect(formatMoment('2026-11-21T00:00:00Z')).toBe('21.11.2026, 00:00')
  })

  it('are said in minutes and seconds', () => {
    expect([65, 60, 45, 0, 61].map(formatDuration)).toEqual([
      '1 minute 5 seconds',
      '1 minute',
      '45 seconds',
      '0 seconds',
      '1 minute 1 second'
    ])
    expect(waitForOtp(65)).toBe('Please wait 1 minute 5 seconds before requesting another OTP.')
    expect([1800, 65, 0].map(formatCountdown)).toEqual(['30:00', '1:05', '0:00'])
    expect([10 * 86_400, 86_400 + 3661, 86_399.9, 0.9, -5].map(formatTimeLeft)).toEqual([
      '10 days 00:00:00',
      '1 day 01:01:01',
      '23:59:59',
      '00:00:00',
      '00:00:00'
    ])
  })
})

describe('names', () => {
  it('are in title case, with initials and CP where there is none', () => {
    expect(titleCase('ada  LOVELACE')).toBe('Ada Lovelace')
    expect(['ada lovelace', 'Ada', null, ''].map(initials)).toEqual(['AL', 'A', 'CP', 'CP'])
  })
})

describe('the name of a customer', () => {
  it('is the own one, then that of the identity check, then none', () => {
    const info = { firstName: 'Ada', lastName: 'Lovelace' }
    expect(displayName({ name: 'Countess', kycData: { info } })).toBe('Countess')
    expect(displayName({ name: ' ', kycData: { info } })).toBe('Ada Lovelace')
    expect(displayName({ name: null, kycData: { info: { firstName: 'Ada' } } })).toBe('Ada')
    expect(displayName({ name: null, kycData: null })).toBeNull()
  })
})

describe('order states', () => {
  it('have the labels and colours of the specification', () => {
    expect([0, 1, 2, 7].map((status) => Object.values(orderStatusLabel(status)))).toEqual([
      ['Pending', 'gold'],
      ['Processing', 'blue'],
      ['Completed', 'green'],
      ['Unknown', 'grey']
    ])
  })
})
