/** The settings of the desk that staff change by themselves, two admins at a time: sums above which an act needs somebody else, and limits of rules. */
import { RULE_NAMES, RULES, type RuleName, type RuleUnit } from './rules.ts'

export type SettingUnit = 'USD' | RuleUnit
type Setting = { unit: SettingUnit; fallback: bigint; least: bigint; most: bigint }

const MOST_CENTS = 100_000_000n

const SUMS = {
  /** USD cents of a withdrawal above which a second person approves it, too. */
  withdrawal_two_above: { unit: 'USD', fallback: 750_000n, least: 0n, most: MOST_CENTS },
  /** Euro cents of an order above which a second person agrees that a payment is assigned to it. */
  payment_two_above: { unit: 'EUR', fallback: 500_000n, least: 0n, most: MOST_CENTS }
} as const satisfies Record<string, Setting>

/** Bounds keep a rule from being switched off: at most ten times what it is by itself, and something for those of zero. */
const limitOf = (name: RuleName): Setting => {
  const { unit, limit } = RULES[name]
  return { unit, fallback: limit, least: 0n, most: limit > 0n ? limit * 10n : 10n }
}

export type DeskSetting = keyof typeof SUMS | `rule_${RuleName}`
export const DESK_SETTINGS = {
  ...SUMS,
  ...Object.fromEntries(RULE_NAMES.map((name) => [`rule_${name}`, limitOf(name)]))
} as Record<DeskSetting, Setting>
export const SETTING_NAMES = Object.keys(DESK_SETTINGS) as DeskSetting[]

export function isSettingRight(name: DeskSetting, value: bigint): boolean {
  const { least, most } = DESK_SETTINGS[name]
  return value >= least && value <= most
}
