/** The desk's settings that staff change by themselves, two persons at a time: from which sum on an act needs somebody else. */

export const DESK_SETTINGS = {
  /** USD cents of a withdrawal above which a second person approves it, too. */
  withdrawal_two_above: { currency: 'USD', fallback: 750_000n, least: 0n, most: 100_000_000n },
  /** Euro cents of an order above which a second person agrees that a payment is assigned to it. */
  payment_two_above: { currency: 'EUR', fallback: 500_000n, least: 0n, most: 100_000_000n }
} as const

export type DeskSetting = keyof typeof DESK_SETTINGS
export const SETTING_NAMES = Object.keys(DESK_SETTINGS) as DeskSetting[]

export function isSettingRight(name: DeskSetting, value: bigint): boolean {
  const { least, most } = DESK_SETTINGS[name]
  return value >= least && value <= most
}
