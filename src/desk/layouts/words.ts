/** How the desk says times, sums, names and states. All times are UTC. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { formatCents, formatExactMoneyUnits, formatExactUnits } from '#lib/format/amount.ts'
import { formatReceived } from '#lib/format/payments/received.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** E.g. `3 h 14 min`, `4 d 5 h`: the two largest parts. */
export function span(ms: number): string {
  const [days, hours, minutes] = [Math.floor(ms / DAY), Math.floor((ms % DAY) / HOUR), Math.floor((ms % HOUR) / MINUTE)]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return `${minutes} min`
}

/** A withdrawal is promised within 24 hours, a decision about a payment within 48. */
const PROMISE_HOURS: Record<string, number> = { payments: 48, limits: 72 }

/** What is left of the promise, or by how much it is over. */
export function left(since: string, now: Date, queue = ''): { text: string; isOver: boolean } {
  const ms = new Date(since).getTime() + (PROMISE_HOURS[queue] ?? 24) * HOUR - now.getTime()
  return ms >= 0 ? { text: span(ms), isOver: false } : { text: `over by ${span(-ms)}`, isOver: true }
}

const two = (value: number) => String(value).padStart(2, '0')

/** E.g. `24.11.2026 12:06`. */
export function moment(iso: string): string {
  const at = new Date(iso)
  return `${two(at.getUTCDate())}.${two(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
}

/** Today only the time, otherwise day and time. */
export function shortMoment(iso: string, now: Date): string {
  const text = moment(iso)
  return iso.slice(0, 10) === now.toISOString().slice(0, 10) ? text.slice(11) : `${text.slice(0, 6)} ${text.slice(11)}`
}

export const usd = (cents: string) => formatCents(BigInt(cents))
export const eur = (cents: string) =>
  cents.startsWith('-') ? `−${formatCents(BigInt(cents.slice(1)), 'EUR')}` : formatCents(BigInt(cents), 'EUR')
export const received = (payment: { amountCents: string; currency: string }) => formatReceived(payment)
export const coins = (units: string, currency: string) =>
  `${currency === 'EUR' ? formatExactMoneyUnits(units, currency) : formatExactUnits(units, currency)} ${currency}`

/** The same, also below zero. */
export const signedCoins = (units: string, currency: string) =>
  units.startsWith('-') ? `−${coins(units.slice(1), currency)}` : coins(units, currency)

/** A number that a person can say, from an id that nobody can. */
export const short = (kind: 'W' | 'C' | 'A' | 'R' | 'M' | 'S', id: string) => `${kind}-${id.slice(0, 8)}`

export const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

/** Our own accounts. */
export const HOUSE_WORDS: Record<string, string> = {
  bank: 'At the bank',
  chain: 'On the chain',
  cold: 'In cold storage',
  fees: 'Fees taken',
  treasury: 'Bought, not yet sold',
  owed: 'Sold without having the coins',
  rewards: 'For inviters',
  staking_rewards: 'Fund of staking rewards',
  losses: 'Losses borne by us',
  suspense: 'Nobody’s yet',
  refunds: 'On its way back'
}
/** The reason of a booking, e.g. `Order completed`. */
export const bookingText = (reason: string) => reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' ')

export const CHAIN_NAMES = { bitcoin: 'Bitcoin', ethereum: 'Ethereum', cpc: 'CPC' } as const

type Withdrawal = DeskAnswer<'listWithdrawals'>['withdrawals'][number]

const SIGNS: Record<Withdrawal['signs'][number]['sign'], string> = {
  sent_back: 'The signer sent it back: it wants two persons, or does not know a key',
  first: 'First withdrawal of this customer',
  new_address: 'New address, kept in the address book',
  known_address: 'Address known since',
  password_changed: 'Password changed',
  email_changed: 'E-mail address changed',
  came_by_deposit: 'The coins came by a deposit',
  came_by_trade: 'The coins were bought from another customer',
  came_by_purchase: 'The coins were bought from us',
  locked: 'The customer reported somebody else in the account'
}
export const signText = (sign: string) => SIGNS[sign] ?? sign

/** Several facts of one pattern get a sentence with advice. */
export function patternOf({ signs }: Pick<Withdrawal, 'signs'>): string | undefined {
  const names = signs.map(({ sign }) => sign)
  const isChanged = names.includes('password_changed') || names.includes('email_changed')
  if (names.includes('locked'))
    return 'The account is locked by its owner: approve nothing before they have told you what happened.'
  if (isChanged && names.includes('new_address'))
    return 'Looks like an account taken over: the way in and the address changed within three days. Ask the customer by a second way before you approve.'
  const came = signs.find(({ sign }) => sign === 'came_by_deposit' || sign === 'came_by_trade')
  if (came?.isBad && names.includes('new_address'))
    return 'The coins came in within three days and leave to a new address: ask the customer where they came from before you approve.'
  return undefined
}

const STATES = { unconfirmed: 'Waits for the link', review: 'To approve', approved: 'Approved', signed: 'On the chain' } as const
export const stateText = (state: string) => STATES[state as keyof typeof STATES] ?? state.replace('_', ' ')

const WAITS: Record<string, string> = {
  network_fee: 'the network fee is above our cap',
  hot_wallet: 'the hot wallet is low',
  signer_limit: 'above what the signer signs today',
  halted: 'the chain is halted',
  gate: 'the account or the address may not withdraw now',
  checked: 'the signer’s checks failed: its facts do not agree',
  refused: 'the signer could not sign it',
  small_coins: 'the coins are too small',
  stuck: 'behind a payment that no block takes'
}
export const waitsText = (waits: string | null) => (waits ? (WAITS[waits] ?? waits) : '')

const PURPOSES: Record<string, string> = {
  withdrawal: 'withdrawal',
  sweep: 'from a deposit address to the hot wallet',
  top_up: 'gas for a deposit address',
  cancel: 'takes the place of another payment',
  cold: 'to cold storage',
  return: 'back to whoever sent the coins'
}
/** What a payment out of our wallets is for. */
export const sendText = (purpose: string) => PURPOSES[purpose] ?? purpose

const ACTS: Record<string, string> = {
  see_queues: 'See the queues, customers masked',
  see_hits: 'See names that are like one of the list',
  see_cases: 'See messages of customers',
  see_people: 'See who works here',
  read_reports: 'Read the daily reports',
  read_audit: 'Read the audit log',
  fill_fund: 'Fill the staking fund',
  decide_coins: 'Decide about coins kept apart',
  take_tokens_back: 'Take tokens back',
  settle_lost: 'Settle a lost payment',
  resume_reading: 'Read a chain on',
  bump_payment: 'Raise the fee of a payment',
  cancel_payment: 'Take a payment back',
  move_to_cold: 'Move coins to cold storage',
  refill: 'Refill a hot wallet',
  agree_refill: 'Agree to a refill',
  download_refill: 'Download a refill',
  upload_refill: 'Upload a signed refill',
  end_refill: 'Give up a refill',
  dismiss_hit: 'Not this person',
  confirm_hit: 'It is this person',
  answer_case: 'Answer a message',
  note_case: 'Note about a message',
  assign_case: 'Take or leave a message',
  snooze_case: 'Put a message off',
  close_case: 'Close a message',
  send_mail_again: 'Send a mail again',
  ask_identity_again: 'Ask for the identity check again',
  raise_limit: 'Raise a limit',
  refuse_limit: 'Refuse a higher limit',
  confirm_price: 'Confirm a price',
  resume_chain: 'Resume a chain',
  halt_chain: 'Halt a chain',
  invite_person: 'Invite a person',
  change_roles: 'Change roles',
  stop_person: 'Stop a person',
  change_setting: 'Change a setting',
  approve_withdrawal: 'Approve a withdrawal',
  reject_withdrawal: 'Reject a withdrawal',
  show_personal_data: 'Show personal data',
  hold_account: 'Hold an account',
  hold_longer: 'Hold an account for longer',
  release_hold: 'Release a hold',
  end_sessions: 'End a customer’s sessions',
  note_customer: 'Note about a customer',
  upload_statement: 'Upload a statement',
  accept_statement: 'Accept a statement',
  close_bank_file: 'Give up a file of the bank',
  cancel_refund_file: 'Give up a refund file',
  assign_payment: 'Assign a payment',
  leave_payment: 'Leave a payment',
  await_top_up: 'Ask a customer for the rest',
  refund_payment: 'Refund a payment',
  refund_elsewhere: 'Refund to another account',
  make_refund_file: 'Make a refund file',
  download_refund_file: 'Download a refund file',
  send_refund_file: 'Mark a refund file as sent',
  release_refund_file: 'Release a refund file once more',
  record_recall: 'Record a recall',
  answer_recall: 'Answer a recall',
  withdraw_invitation: 'Withdraw an invitation',
  retry_job: 'Retry a job',
  take_alarm: 'Take an alarm',
  export_report: 'Export a report',
  on_call: 'Go on call',
  off_call: 'Go off call',
  sign_in: 'Sign in',
  join: 'Join the desk',
  add_key: 'Add a passkey',
  remove_key: 'Remove a passkey',
  invite_first_admin: 'Invite a first admin',
  invite_by_migrate_user: 'Invite an admin by the migrate user'
}
const STEPS: Record<string, string> = { propose: 'Proposed', approve: 'Approved', reject: 'Rejected', fail: 'Refused' }

/** An act of the log, e.g. `approve:resume_chain`. */
export function actText(act: string): string {
  const [step = '', right] = act.split(':')
  if (right === undefined) return ACTS[act] ?? act
  return `${STEPS[step] ?? step}: ${(ACTS[right] ?? right).toLowerCase()}`
}

/** Steps of an identity check, by the provider's names. */
const CHECKS: Record<string, string> = {
  applicantCreated: 'Begun',
  applicantPending: 'All was sent; the provider looks at it',
  applicantPrechecked: 'First look done',
  applicantAwaitingService: 'Waits for another service',
  applicantOnHold: 'On hold at the provider',
  applicantReviewed: 'The provider decided',
  applicantWorkflowCompleted: 'Complete',
  applicantReset: 'Must be done again',
  applicantLevelChanged: 'Must be done again, at another level',
  applicantDeactivated: 'Ended at the provider',
  applicantDeleted: 'Deleted at the provider'
}
export const checkText = (type: string) => CHECKS[type] ?? type

const SETTINGS: Record<string, string> = {
  withdrawal_two_above: 'Withdrawals need a second person above',
  payment_two_above: 'Assignments need a second person above',
  screening_withdrawal_above: 'Withdrawals wait for an old list of names above',
  screening_credit_above: 'Payers are looked up above'
}
export const settingText = (name: string) => SETTINGS[name] ?? name.replace(/^rule_/, 'Limit of ')

/** Of the limits of rules, as they are typed. */
export const UNITS: Record<string, string> = {
  count: 'a number',
  seconds: 'in seconds',
  days: 'in days',
  EUR: 'in euro cents',
  USD: 'in cents'
}

/** `withdrawal:<id>` as a person reads it. */
export function subjectText(subject: string): string {
  const [kind = '', id = ''] = subject.split(/:(.*)/s)
  if (kind === 'withdrawal') return short('W', id)
  if (kind === 'send') return short('W', id)
  if (kind === 'case') return `Message ${id}`
  if (kind === 'price') return `Price of ${id}`
  if (kind === 'hit') return `Name ${id}`
  if (kind === 'refill') return short('R', id)
  if (kind === 'wallet') return `Wallet of ${id}`
  if (kind === 'customer') return short('C', id)
  if (kind === 'payment') return `P-${id}`
  if (kind === 'job') return `Job ${id}`
  if (kind === 'report') return `Report of ${id}`
  if (kind === 'chain') return CHAIN_NAMES[id as keyof typeof CHAIN_NAMES] ?? id
  if (kind === 'setting') return settingText(id)
  if (kind === 'alarm') return `Alarm ${id}`
  if (kind === 'refund_file') return `Refund file ${id}`
  if (kind === 'bank_file') return `Bank file ${id}`
  return id
}

const CONTEXT: Record<string, string> = {
  page: 'Page',
  order: 'Order',
  answer: 'Read before',
  zone: 'Time zone',
  browser: 'Browser'
}
/** What was sent with a message to support. */
export const contextText = (kind: string) => CONTEXT[kind] ?? kind

/** An address in groups of four, which an eye can compare. */
export const grouped = (address: string) => address.match(/.{1,4}/g)?.join(' ') ?? address

/** Why a payment fits no order. */
const UNFIT: Record<string, string> = {
  unknown_reference: 'No order has its reference',
  wrong_currency: 'Another currency',
  order_already_paid: 'The order is paid already',
  quote_expired: 'After the last day of the order',
  amount_too_low: 'Too little',
  amount_too_high: 'Too much',
  not_verified: 'The customer is not verified',
  entry_changed: 'A known entry with other facts',
  in_review: 'The payer’s name is looked at',
  matched: 'Pays its order',
  returned: 'Taken back by the payer’s bank',
  debit: 'Left the bank',
  refund: 'Our refund'
}
export const outcomeText = (outcome: string) => UNFIT[outcome] ?? outcome

const REASONS: Record<string, string> = {
  reference: 'its reference',
  reference_elsewhere: 'its reference, in the payer’s name',
  reference_typo: 'its reference with one slip',
  amount: 'amount to the cent',
  name: 'name is the verified name',
  name_similar: 'name is similar',
  account: 'the account has paid for this customer before'
}
export const reasonText = (reason: string) => REASONS[reason] ?? reason

const SECOND: Record<string, string> = {
  not_exact: 'not exact',
  other_name: 'another name',
  other_order: 'names another order',
  above_sum: 'above the sum',
  several: 'several payments'
}
export const secondText = (second: string | null) =>
  second ? `two persons: ${SECOND[second] ?? second}` : 'you alone: exact, own name'

const REFUND_STATES: Record<string, string> = {
  approved: 'Approved',
  in_file: 'In file',
  sent: 'Sent',
  confirmed: 'Confirmed',
  returned: 'Returned',
  void: 'Void',
  by_hand: 'By hand'
}
export const refundStateText = (state: string) => REFUND_STATES[state] ?? state

/** Reasons of a recall (camt.056). */
export const RECALLS: Record<string, string> = {
  DUPL: 'DUPL: sent twice',
  TECH: 'TECH: technical fault',
  FRAD: 'FRAD: fraud',
  CUST: 'CUST: the payer asks',
  AC03: 'AC03: wrong account',
  AM09: 'AM09: wrong amount',
  AGNT: 'AGNT: the bank’s own mistake'
}

/** E.g. `24.11.`. */
export const dayText = (day: string) => `${day.slice(8, 10)}.${day.slice(5, 7)}.`
