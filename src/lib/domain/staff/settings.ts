/** The settings of the desk that staff change by themselves, two admins at a time: sums above which an act needs somebody else, and limits of rules. */
import { RULE_NAMES, RULES, type Rule, type RuleName, type RuleUnit } from './rules.ts'

export type SettingUnit = 'USD' | RuleUnit
type Setting = { unit: SettingUnit; fallback: bigint; least: bigint; most: bigint }

const MOST_CENTS = 100_000_000n

const SUMS = {
  /** USD cents of a withdrawal above which a second person approves it, too. */
  withdrawal_two_above: { unit: 'USD', fallback: 750_000n, least: 0n, most: MOST_CENTS },
  /** Euro cents of an order above which a second person agrees that a payment is assigned to it. */
  payment_two_above: { unit: 'EUR', fallback: 500_000n, least: 0n, most: MOST_CENTS },
  /** USD cents of a withdrawal, and euro cents of a payment, above which an old list of names keeps it; payments up to it are not looked up. */
  screening_withdrawal_above: { unit: 'USD', fallback: 100_000n, least: 0n, most: MOST_CENTS },
  screening_credit_above: { unit: 'EUR', fallback: 100_000n, least: 0n, most: MOST_CENTS }
} as const satisfies Record<string, Setting>

/** Bounds keep a rule from being switched off: at most ten times what it is by itself, or ten where that is zero. */
function limitOf(name: RuleName): Setting {
  const { unit, limit, isBelow }: Rule = RULES[name]
  if (isBelow) return { unit, fallback: limit, least: limit / 10n, most: limit }
  return { unit, fallback: limit, least: 0n, most: limit > 0n ? limit * 10n : 10n }
}

const SETTABLE_RULES = RULE_NAMES.filter((name) => !(RULES[name] as Rule).isFixed)

export type DeskSetting = keyof typeof SUMS | `rule_${RuleName}`
export const DESK_SETTINGS = {
  ...SUMS,
  ...Object.fromEntries(SETTABLE_RULES.map((name) => [`rule_${name}`, limitOf(name)]))
} as Record<DeskSetting, Setting>
export const SETTING_NAMES = Object.keys(DESK_SETTINGS) as DeskSetting[]

export function isSettingRight(name: DeskSetting, value: bigint): boolean {
  const { least, most } = DESK_SETTINGS[name]
  return value >= least && value <= most
}
