/** Which mails also make a notice, with the notice's group, kind and link. */
import type { MutableGroup } from '#lib/domain/access/settings.ts'
import type { NoticeArea, NoticeKind } from '#lib/domain/notices/kinds.ts'
import type { MailName } from '#lib/messages/index.ts'

/** Groups that a customer may switch off, and those that always come. */
export type MutableNoticeGroup = Exclude<MutableGroup, 'weekly'>
export type NoticeGroup = MutableNoticeGroup | 'security' | 'payments'

type Made = { group: NoticeGroup; kind: NoticeKind; href: string }

const SECURITY: Made = { group: 'security', kind: 'security', href: '/profile#security' }
const IDENTITY: Made = { group: 'identity', kind: 'identity', href: '/profile#identity' }
const ORDER = '/package-history?tab=order'
const WITHDRAWAL: Made = { group: 'payments', kind: 'out', href: '/package-history?tab=withdrawal' }
const ADDRESSES: Made = { group: 'security', kind: 'security', href: '/withdraw-history' }
const ORDERS: Made = { group: 'payments', kind: 'trade', href: '/p2p?tab=ongoing' }
const TRADES: Made = { group: 'payments', kind: 'trade', href: '/p2p?tab=history' }
const STAKING: Made = { group: 'rewards', kind: 'reward', href: '/staking' }
/** About the customer's own tokens: cannot be switched off. */
const RETURNED: Made = { group: 'payments', kind: 'reward', href: '/staking' }
/** The terms promise this mail: it cannot be switched off. */
const DOCUMENTS: Made = { group: 'payments', kind: 'document', href: '/profile#documents' }
const DEPOSIT: Made = { group: 'payments', kind: 'in', href: '/package-history?tab=deposit' }

/** Null: no notice. Codes belong to the mailbox alone, and mails to strangers have no customer. */
const MADE: Record<MailName, Made | null> = {
  signUpCode: null,
  alreadyRegistered: null,
  supportMessage: null,
  supportAnswered: { group: 'payments', kind: 'document', href: '/help/contact#cases' },
  supportAnsweredVisitor: null,
  staffInvitation: null,
  alarms: null,
  signInCode: null,
  resetCode: null,
  reauthenticationCode: null,
  leaveEmailCode: null,
  takeEmailCode: null,
  // It makes no notice: each event of the week has made one already.
  weekly: null,
  accountHeld: SECURITY,
  holdReleased: SECURITY,
  passwordChanged: SECURITY,
  newSignIn: SECURITY,
  disavowed: SECURITY,
  emailChanged: SECURITY,
  totpEnabled: SECURITY,
  totpDisabled: SECURITY,
  recoveryCodesRenewed: SECURITY,
  rewardLinkCreated: SECURITY,
  passkeyAdded: SECURITY,
  passkeyRemoved: SECURITY,
  identityVerified: IDENTITY,
  identityRejected: IDENTITY,
  identityRetry: IDENTITY,
  orderAnnounced: { group: 'orders', kind: 'order', href: ORDER },
  orderCompleted: { group: 'payments', kind: 'order', href: ORDER },
  paymentUnfit: { group: 'payments', kind: 'payment', href: ORDER },
  paymentRefunded: { group: 'payments', kind: 'payment', href: ORDER },
  paymentTopUp: { group: 'payments', kind: 'payment', href: ORDER },
  refundReturned: { group: 'payments', kind: 'payment', href: ORDER },
  paymentReturned: { group: 'payments', kind: 'payment', href: ORDER },
  depositCredited: DEPOSIT,
  depositKept: DEPOSIT,
  depositsCreditedTogether: DEPOSIT,
  depositReverted: DEPOSIT,
  withdrawalConfirm: WITHDRAWAL,
  withdrawalRequested: WITHDRAWAL,
  withdrawalSent: WITHDRAWAL,
  withdrawalReturned: WITHDRAWAL,
  p2pListed: ORDERS,
  p2pSold: TRADES,
  p2pBought: TRADES,
  p2pEnding: ORDERS,
  p2pEnded: TRADES,
  addressListed: ADDRESSES,
  whitelistEnding: ADDRESSES,
  statementReady: DOCUMENTS,
  taxReportReady: DOCUMENTS,
  stakingRewarded: STAKING,
  stakingReturned: RETURNED,
  bonusReleased: RETURNED,
  rewardBooked: { group: 'rewards', kind: 'reward', href: '/referral' }
}

/** The mails whose notices belong to an area. */
export function namesIn(area: NoticeArea): MailName[] {
  const isSecurity = ({ group }: Made) => group === 'security' || group === 'identity'
  return (Object.keys(MADE) as MailName[]).filter((name) => {
    const made = MADE[name]
    return made && isSecurity(made) === (area === 'security')
  })
}

export function noticeOf(name: MailName, params: object): Made | null {
  const made = MADE[name]
  const orderId = 'orderId' in params && typeof params.orderId === 'string' ? params.orderId : undefined
  if (made?.href === ORDER && orderId) return { ...made, href: `${ORDER}&order=${orderId}` }
  return made?.href === STAKING.href && orderId ? { ...made, href: `/staking?order=${orderId}` } : made
}
