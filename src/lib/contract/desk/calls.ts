/** Every call of the operators' desk, with its rules. Another list than the customers' (`contract/calls.ts`), on another origin. */
import type { Right } from '../../domain/staff/rights.ts'

export type DeskRules = {
  method: 'GET' | 'POST'
  /** Below `/v1` of the desk's origin. */
  path: string
  /** `anyone`: needs no session. */
  who: 'anyone' | 'staff'
  /** `none`: everybody who is signed in may call it. */
  right: Right | 'none'
  /** `act`: the passkey is asked anew, and its answer holds for exactly this call with exactly these values. */
  passkey: 'none' | 'act'
  /** The largest body in bytes, where it is not that of every call. */
  bodyBytes?: number
}

const door = { method: 'POST', who: 'anyone', right: 'none', passkey: 'none' } as const
const own = { method: 'POST', who: 'staff', right: 'none', passkey: 'none' } as const
const read = { method: 'GET', who: 'staff', passkey: 'none' } as const
const decide = { method: 'POST', who: 'staff', passkey: 'act' } as const

export const deskCalls = {
  getSignInOptions: { ...door, path: '/sign-in/options' },
  signIn: { ...door, path: '/sign-in' },
  showInvitation: { ...door, path: '/invitation' },
  getInvitationOptions: { ...door, path: '/invitation/options' },
  acceptInvitation: { ...door, path: '/invitation/accept' },
  signOut: { ...own, path: '/sign-out' },
  /** The challenge for one call with these values: what the passkey signs. */
  askForPasskey: { ...own, path: '/passkey' },
  getNewKeyOptions: { ...own, path: '/keys/options' },
  addKey: { ...own, path: '/keys', passkey: 'act' },
  removeKey: { ...own, path: '/keys/{id}/remove', passkey: 'act' },
  getMe: { ...read, right: 'none', path: '/me' },
  /** What is open, for the frame of every page: cheap. */
  getQueues: { ...read, right: 'see_queues', path: '/queues' },
  getOverview: { ...read, right: 'see_queues', path: '/overview' },
  listRules: { ...read, right: 'see_queues', path: '/rules' },
  getHouse: { ...read, right: 'see_queues', path: '/house' },
  /** The lines of one of our own accounts. */
  listLines: { ...read, right: 'see_queues', path: '/lines' },
  proposePrice: { ...decide, right: 'confirm_price', path: '/prices/{currency}/confirm' },
  proposeFund: { ...decide, right: 'fill_fund', path: '/fund/{currency}/fill' },
  proposeCoins: { ...decide, right: 'decide_coins', path: '/coins/{id}/decide' },
  proposeTakeBack: { ...decide, right: 'take_tokens_back', path: '/stakes/take-back' },
  proposeLost: { ...decide, right: 'settle_lost', path: '/lost/{id}/settle' },
  retryJob: { ...decide, passkey: 'none', right: 'retry_job', path: '/jobs/{id}/retry' },
  takeAlarm: { ...decide, passkey: 'none', right: 'take_alarm', path: '/alarms/{name}/take' },
  /** Oneself alone. */
  setOnCall: { ...own, path: '/on-call' },
  listWithdrawals: { ...read, right: 'see_queues', path: '/withdrawals' },
  getWithdrawal: { ...read, right: 'see_queues', path: '/withdrawals/{id}' },
  approveWithdrawal: { ...decide, right: 'approve_withdrawal', path: '/withdrawals/{id}/approve' },
  rejectWithdrawal: { ...decide, right: 'reject_withdrawal', path: '/withdrawals/{id}/reject' },
  /** Both are signed by the passkey itself, which the signer checks. */
  bumpPayment: { ...decide, right: 'bump_payment', path: '/sends/{id}/bump' },
  cancelPayment: { ...decide, right: 'cancel_payment', path: '/sends/{id}/cancel' },
  getWallets: { ...read, right: 'see_queues', path: '/wallets' },
  proposeColdMove: { ...decide, right: 'move_to_cold', path: '/wallets/{currency}/cold' },
  proposeRefill: { ...decide, right: 'refill', path: '/wallets/{currency}/refill' },
  agreeRefill: { ...decide, right: 'agree_refill', path: '/refills/{id}/agree' },
  downloadRefill: { ...decide, right: 'refill', path: '/refills/{id}/file' },
  uploadRefill: { ...decide, right: 'refill', path: '/refills/{id}/signed' },
  endRefill: { ...decide, right: 'refill', path: '/refills/{id}/end' },
  /** Everything that left our wallets. */
  listSends: { ...read, right: 'see_queues', path: '/sends' },
  haltChain: { ...decide, passkey: 'none', right: 'halt_chain', path: '/chains/{chain}/halt' },
  haltAllChains: { ...decide, passkey: 'none', right: 'halt_chain', path: '/chains/halt' },
  /** Its blocks are not read: nothing is credited or taken back. */
  stopReading: { ...decide, passkey: 'none', right: 'halt_chain', path: '/chains/{chain}/stop-reading' },
  proposeReading: { ...decide, right: 'resume_reading', path: '/chains/{chain}/read-on' },
  proposeResume: { ...decide, right: 'resume_chain', path: '/chains/{chain}/resume' },
  listPayments: { ...read, right: 'see_queues', path: '/payments' },
  getPayment: { ...read, right: 'see_queues', path: '/payments/{id}' },
  showPayer: { ...decide, passkey: 'none', right: 'show_personal_data', path: '/payments/{id}/show' },
  /** Alone: exact, by the customer themselves, and not above the setting. */
  assignPayment: { ...decide, right: 'assign_payment', path: '/payments/{id}/assign' },
  proposeAssignment: { ...decide, right: 'assign_payment', path: '/payments/{id}/assign-by-two' },
  leavePayment: { ...decide, passkey: 'none', right: 'leave_payment', path: '/payments/{id}/leave' },
  awaitTopUp: { ...decide, passkey: 'none', right: 'leave_payment', path: '/payments/{id}/top-up' },
  proposeRefund: { ...decide, right: 'refund_payment', path: '/payments/{id}/refund' },
  proposeRefundElsewhere: { ...decide, right: 'refund_elsewhere', path: '/payments/{id}/refund-elsewhere' },
  openRecall: { ...decide, passkey: 'none', right: 'record_recall', path: '/payments/{id}/recall' },
  answerRecall: { ...decide, right: 'answer_recall', path: '/payments/{id}/recall/answer' },
  getRefunds: { ...read, right: 'see_queues', path: '/refunds' },
  makeRefundFile: { ...decide, right: 'make_refund_file', path: '/refunds/files' },
  downloadRefundFile: { ...decide, right: 'make_refund_file', path: '/refunds/files/{id}/download' },
  sendRefundFile: { ...decide, right: 'send_refund_file', path: '/refunds/files/{id}/sent' },
  proposeRefundFileAgain: { ...decide, right: 'release_refund_file', path: '/refunds/files/{id}/again' },
  proposeCancelRefundFile: { ...decide, right: 'cancel_refund_file', path: '/refunds/files/{id}/cancel' },
  uploadStatement: {
    ...decide,
    passkey: 'none',
    right: 'upload_statement',
    path: '/statements',
    bodyBytes: 24 * 1024 * 1024
  },
  /** Another person than the one who uploaded it: nothing of a file is read before. */
  acceptStatement: { ...decide, right: 'accept_statement', path: '/statements/{id}/accept' },
  proposeCloseBankFile: { ...decide, right: 'close_bank_file', path: '/statements/{id}/close' },
  listBankFiles: { ...read, right: 'see_queues', path: '/statements' },
  getBankFile: { ...read, right: 'see_queues', path: '/statements/{id}' },
  listBankDays: { ...read, right: 'see_queues', path: '/days' },
  listCases: { ...read, right: 'see_cases', path: '/cases' },
  getCase: { ...read, right: 'see_cases', path: '/cases/{number}' },
  answerCase: { ...decide, passkey: 'none', right: 'answer_case', path: '/cases/{number}/answer' },
  noteCase: { ...decide, passkey: 'none', right: 'answer_case', path: '/cases/{number}/note' },
  assignCase: { ...decide, passkey: 'none', right: 'answer_case', path: '/cases/{number}/assign' },
  snoozeCase: { ...decide, passkey: 'none', right: 'answer_case', path: '/cases/{number}/snooze' },
  closeCase: { ...decide, passkey: 'none', right: 'answer_case', path: '/cases/{number}/close' },
  showSender: { ...decide, passkey: 'none', right: 'show_personal_data', path: '/cases/{number}/show' },
  listHits: { ...read, right: 'see_hits', path: '/hits' },
  proposeOtherPerson: { ...decide, right: 'dismiss_hit', path: '/hits/{id}/other-person' },
  confirmHit: { ...decide, right: 'confirm_hit', path: '/hits/{id}/confirm' },
  showHit: { ...decide, passkey: 'none', right: 'see_hits', path: '/hits/{id}/show' },
  listProposals: { ...read, right: 'see_queues', path: '/proposals' },
  getProposal: { ...read, right: 'see_queues', path: '/proposals/{id}' },
  /** The right is that of the proposal's act. */
  approveProposal: { ...decide, right: 'none', path: '/proposals/{id}/approve' },
  rejectProposal: { ...decide, right: 'none', path: '/proposals/{id}/reject' },
  repeatProposal: { ...decide, right: 'none', path: '/proposals/{id}/repeat' },
  listReports: { ...read, right: 'read_reports', path: '/reports' },
  getReport: { ...read, right: 'read_reports', path: '/reports/{day}' },
  exportReport: { ...decide, right: 'export_report', path: '/reports/{day}/export' },
  listPeople: { ...read, right: 'see_people', path: '/people' },
  proposeInvitation: { ...decide, right: 'invite_person', path: '/people/invite' },
  proposeRoles: { ...decide, right: 'change_roles', path: '/people/{id}/roles' },
  stopPerson: { ...decide, right: 'stop_person', path: '/people/{id}/stop' },
  withdrawInvitation: { ...decide, right: 'stop_person', path: '/people/invitations/{id}/withdraw' },
  proposeSetting: { ...decide, right: 'change_setting', path: '/settings/{name}' },
  findCustomers: { ...read, right: 'see_queues', path: '/customers' },
  getCustomer: { ...read, right: 'see_queues', path: '/customers/{id}' },
  explainBalance: { ...read, right: 'see_queues', path: '/customers/{id}/balances/{currency}' },
  noteCustomer: { ...decide, passkey: 'none', right: 'note_customer', path: '/customers/{id}/notes' },
  holdAccount: { ...decide, passkey: 'none', right: 'hold_account', path: '/customers/{id}/hold' },
  holdLonger: { ...decide, right: 'hold_longer', path: '/customers/{id}/hold-longer' },
  proposeRelease: { ...decide, right: 'release_hold', path: '/customers/{id}/release' },
  endCustomerSessions: { ...decide, passkey: 'none', right: 'end_sessions', path: '/customers/{id}/end-sessions' },
  sendMailAgain: { ...decide, passkey: 'none', right: 'send_mail_again', path: '/customers/{id}/mails/{notice}/again' },
  askIdentityAgain: { ...decide, passkey: 'none', right: 'ask_identity_again', path: '/customers/{id}/identity/again' },
  listLimitRequests: { ...read, right: 'see_queues', path: '/limits' },
  proposeLimit: { ...decide, right: 'raise_limit', path: '/customers/{id}/limit/raise' },
  refuseLimit: { ...decide, right: 'refuse_limit', path: '/customers/{id}/limit/refuse' },
  showPersonalData: { ...decide, passkey: 'none', right: 'show_personal_data', path: '/customers/{id}/show' },
  listAudit: { ...read, right: 'read_audit', path: '/audit' }
} as const satisfies Record<string, DeskRules>

export type DeskCallName = keyof typeof deskCalls

export const isDeskCall = (name: string): name is DeskCallName => Object.hasOwn(deskCalls, name)

export const rulesOf = (name: DeskCallName): DeskRules => deskCalls[name]

/** The path below `/v1` with its parameters filled in. Throws a RangeError for a value that would lead to another call. */
export function deskPathOf(name: DeskCallName, params: Record<string, string> = {}): string {
  return deskCalls[name].path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key] ?? ''
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`Not a part of a path: "${value}"`)
    return encodeURIComponent(value)
  })
}
