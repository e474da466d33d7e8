/** The rules of the monitor, as data: what each says, its limit, and a wider one outside of working hours where that is enough. */

export type RuleUnit = 'count' | 'seconds' | 'days' | 'EUR'
/** `isBelow`: raised below the limit, not above it. `isBad`: something is wrong now; otherwise somebody should look at it. */
/** `isFixed`: nobody sets it, because it has only two values, or a limit for each of what it measures. */
export type Rule = {
  says: string
  unit: RuleUnit
  limit: bigint
  offHours?: bigint
  isBelow?: true
  isBad: boolean
  isFixed?: true
}

const MINUTE = 60n
const HOUR = 60n * MINUTE

export const RULES = {
  role: { says: 'a part of the product has not been at work', unit: 'seconds', limit: 5n * MINUTE, isBad: true },
  blocks: { says: 'the node has shown no new block', unit: 'seconds', limit: HOUR, isBad: true, isFixed: true },
  custody: { says: 'coins and books could not be compared', unit: 'seconds', limit: 3n * HOUR, isBad: true },
  halted: { says: 'sending is stopped', unit: 'count', limit: 0n, isBad: true, isFixed: true },
  ledger: { says: 'the books are wrong', unit: 'count', limit: 0n, isBad: true, isFixed: true },
  cover: { says: 'customers have more than there are coins', unit: 'count', limit: 0n, isBad: true, isFixed: true },
  fees: { says: 'the fund of fees is below zero', unit: 'count', limit: 0n, isBad: true, isFixed: true },
  price: { says: 'a price is in doubt', unit: 'count', limit: 0n, isBad: true, isFixed: true },
  prices_old: { says: 'no price was accepted', unit: 'seconds', limit: HOUR, isBad: false },
  job: { says: 'a job fails again and again', unit: 'count', limit: 4n, isBad: true },
  jobs_failed: { says: 'jobs gave up', unit: 'count', limit: 0n, isBad: false },
  mails_waiting: { says: 'a mail waits to be sent', unit: 'seconds', limit: 30n * MINUTE, isBad: false },
  audit: { says: "the staff's audit log is broken", unit: 'count', limit: 0n, isBad: true, isFixed: true },
  audit_head: {
    says: "the signer has signed nothing of the staff's audit log",
    unit: 'seconds',
    limit: 20n * MINUTE,
    isBad: true
  },
  suspense_overdue: { says: 'a payment is undecided for more than 48 h', unit: 'count', limit: 0n, isBad: true },
  suspense_sum: { says: 'much money fits no order', unit: 'EUR', limit: 5_000_000n, isBad: false },
  refunds_unfiled: { says: 'a refund was approved and is in no file for more than 24 h', unit: 'count', limit: 0n, isBad: false },
  refunds_unconfirmed: {
    says: 'a refund was sent and is not confirmed for more than 3 bank days',
    unit: 'count',
    limit: 0n,
    isBad: true
  },
  bank_day: { says: 'a day at the bank does not balance', unit: 'count', limit: 0n, isBad: true },
  bank_late: { says: 'the bank has sent no statement', unit: 'seconds', limit: 96n * HOUR, isBad: false },
  bank_file: { says: 'a file of the bank is not received completely', unit: 'count', limit: 0n, isBad: true },
  instructions: { says: 'a decision about a payment was not carried out', unit: 'seconds', limit: 10n * MINUTE, isBad: true },
  withdrawals_overdue: { says: 'a withdrawal waits for a person for more than 24 h', unit: 'count', limit: 0n, isBad: true },
  withdrawals_due: {
    says: 'a withdrawal waits for a person',
    unit: 'seconds',
    limit: 4n * HOUR,
    offHours: 16n * HOUR,
    isBad: false
  },
  withdrawals_stuck: { says: 'a signed payment is in no block', unit: 'seconds', limit: HOUR, isBad: true },
  hot_wallet: { says: 'withdrawals wait because the hot wallet is low', unit: 'count', limit: 0n, isBad: false },
  hot_band: { says: 'a hot wallet is outside its band', unit: 'count', limit: 0n, isBad: false, isFixed: true },
  screening_open: { says: 'a name is undecided for more than 24 h', unit: 'seconds', limit: 24n * HOUR, isBad: true },
  screening_old: { says: 'the list of names was not read', unit: 'seconds', limit: 48n * HOUR, isBad: true },
  cases_overdue: {
    says: 'a message to support waits for an answer',
    unit: 'seconds',
    limit: 24n * HOUR,
    offHours: 48n * HOUR,
    isBad: false
  },
  limits_overdue: { says: 'a request for a higher limit waits longer than was promised', unit: 'count', limit: 0n, isBad: false },
  signer_limit: { says: 'withdrawals wait for what the signer may sign tomorrow', unit: 'count', limit: 0n, isBad: false },
  fund: { says: 'the fund of staking rewards does not pay for long', unit: 'days', limit: 100n, isBelow: true, isBad: false },
  proposals: { says: 'a proposal ends soon, and nobody has decided it', unit: 'seconds', limit: 20n * HOUR, isBad: false }
} as const satisfies Record<string, Rule>
export type RuleName = keyof typeof RULES
export const RULE_NAMES = Object.keys(RULES) as RuleName[]

/** From Monday to Friday, 7 to 19 h UTC. */
export function isWorkingTime(at: Date): boolean {
  const [day, hour] = [at.getUTCDay(), at.getUTCHours()]
  return day >= 1 && day <= 5 && hour >= 7 && hour < 19
}

/** The limit at this moment. `set`: the one that staff have set. */
export function limitAt(name: RuleName, at: Date, set?: bigint): bigint {
  const rule: Rule = RULES[name]
  const wider = rule.offHours !== undefined && !isWorkingTime(at) ? rule.offHours : undefined
  const limit = set ?? rule.limit
  return wider !== undefined && wider > limit ? wider : limit
}

export const isRaised = (name: RuleName, value: bigint, limit: bigint): boolean =>
  (RULES[name] as Rule).isBelow ? value < limit : value > limit
