import type { SettingUnit } from '#lib/domain/staff/settings.ts'
import { formatCents } from '../amount.ts'

/** The value of a setting of the desk or of a rule, e.g. `$7,500.00`, `3 h 20 min`, `100 d`. Money in cents, times in seconds. */
export function formatSetting(value: bigint, unit: SettingUnit): string {
  if (unit === 'USD' || unit === 'EUR') return formatCents(value, unit)
  if (unit === 'days') return `${value} d`
  if (unit === 'count') return String(value)
  if (value < 120n) return `${value} s`
  if (value < 7200n) return `${value / 60n} min`
  const minutes = (value % 3600n) / 60n
  return minutes === 0n ? `${value / 3600n} h` : `${value / 3600n} h ${minutes} min`
}
