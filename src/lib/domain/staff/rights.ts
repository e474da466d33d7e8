/**
 * What staff may do at the desk. A right is one act; a role is a set of rights. A new right is one entry here: who has it, whether another
 * person must agree, and whether the passkey is asked for anew.
 */

export const ROLES = ['support', 'finance', 'compliance', 'admin'] as const
export type StaffRole = (typeof ROLES)[number]

/** `above`: only above the sum of the act's setting (`settings.ts`). */
type SecondPerson = 'never' | 'always' | 'above'
type Act = { roles: readonly StaffRole[]; second: SecondPerson; passkey: boolean }

const EVERYBODY = ROLES
const CLERKS = ['support', 'finance', 'compliance'] as const
const DECIDERS = ['finance', 'compliance'] as const

const alone = (roles: readonly StaffRole[]): Act => ({ roles, second: 'never', passkey: false })
const byPasskey = (roles: readonly StaffRole[]): Act => ({ roles, second: 'never', passkey: true })
const byTwo = (roles: readonly StaffRole[]): Act => ({ roles, second: 'always', passkey: true })
const byTwoAbove = (roles: readonly StaffRole[]): Act => ({ roles, second: 'above', passkey: true })

/** Only acts that the desk has. */
export const RIGHTS = {
  see_queues: alone(EVERYBODY),
  show_personal_data: alone(CLERKS),
  note_customer: alone(CLERKS),
  end_sessions: alone(CLERKS),
  send_mail_again: alone(CLERKS),
  ask_identity_again: alone(['compliance']),
  /** Asked for by the customer; refusing is one person's. */
  raise_limit: byTwo(['compliance']),
  refuse_limit: byPasskey(['compliance']),
  hold_account: alone(EVERYBODY),
  hold_longer: byPasskey(['compliance']),
  release_hold: byTwo(['compliance']),
  approve_withdrawal: byTwoAbove(DECIDERS),
  reject_withdrawal: byPasskey(DECIDERS),
  /** A stuck payment may pay a higher network fee; above the fee that the signer would pay by itself, two persons. */
  bump_payment: byTwoAbove(['finance']),
  cancel_payment: byTwo(['finance']),
  /** Coins go to cold storage before the hot wallet is above its ceiling. */
  move_to_cold: byTwo(['finance']),
  refill: byTwo(['finance']),
  /** The third person of a refill. */
  agree_refill: byPasskey(['admin']),
  /** Names that are like one of the list of sanctions. */
  see_hits: alone(['compliance']),
  dismiss_hit: byTwo(['compliance']),
  confirm_hit: byPasskey(['compliance']),
  see_cases: alone(CLERKS),
  answer_case: alone(CLERKS),
  upload_statement: alone(['finance']),
  /** Another person than the one who uploaded it. */
  accept_statement: byPasskey(DECIDERS),
  close_bank_file: byTwo(DECIDERS),
  assign_payment: byTwoAbove(['finance']),
  leave_payment: alone(DECIDERS),
  refund_payment: byTwo(DECIDERS),
  /** To another account than the one it came from: the second person is of compliance. */
  refund_elsewhere: byTwo(DECIDERS),
  make_refund_file: byPasskey(['finance']),
  send_refund_file: byPasskey(['finance']),
  release_refund_file: byTwo(['finance']),
  cancel_refund_file: byTwo(['finance']),
  record_recall: alone(DECIDERS),
  answer_recall: byPasskey(DECIDERS),
  confirm_price: byTwo(['finance']),
  /** The fund that staking rewards are paid from. */
  fill_fund: byTwo(['finance']),
  /** Coins that arrived and are nobody's yet. */
  decide_coins: byTwo(['finance']),
  /** Tokens of an order whose payment was taken back. */
  take_tokens_back: byTwo(['finance']),
  /** A payment that a restored database does not know. */
  settle_lost: byTwo(['finance']),
  retry_job: alone(['finance', 'compliance', 'admin']),
  take_alarm: alone(['finance', 'compliance', 'admin']),
  halt_chain: alone(['finance', 'compliance', 'admin']),
  resume_chain: byTwo(['finance', 'admin']),
  resume_reading: byTwo(['finance', 'admin']),
  read_reports: alone(DECIDERS),
  export_report: byPasskey(DECIDERS),
  read_audit: alone(['compliance', 'admin']),
  see_people: alone(['admin']),
  invite_person: byTwo(['admin']),
  change_roles: byTwo(['admin']),
  stop_person: byPasskey(['admin']),
  change_setting: byTwo(['admin'])
} as const satisfies Record<string, Act>

export type Right = keyof typeof RIGHTS
export const RIGHT_NAMES = Object.keys(RIGHTS) as Right[]

const mayIn = (role: StaffRole, right: Right) => (RIGHTS[right].roles as readonly StaffRole[]).includes(role)

/** The rights of a person with these roles. */
export function rightsOf(roles: readonly StaffRole[]): Right[] {
  return RIGHT_NAMES.filter((right) => roles.some((role) => mayIn(role, right)))
}

/** Everybody else may hold several roles; an admin moves no money and sees no personal data, so it holds no other. */
export function areRolesRight(roles: readonly StaffRole[]): boolean {
  return roles.length > 0 && new Set(roles).size === roles.length && (roles.length === 1 || !roles.includes('admin'))
}
