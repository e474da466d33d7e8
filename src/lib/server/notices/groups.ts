/** Which mails also make a notice, with the notice's group, kind and link. */
import type { MutableGroup } from '#lib/domain/access/settings.ts'
import type { NoticeArea, NoticeKind } from '#lib/domain/notices/kinds.ts'
import type { MailName } from '#lib/messages/index.ts'

/** Groups that a customer may switch off, and those that always come. */
type MutableNoticeGroup = Exclude<MutableGroup, 'weekly'>
export type NoticeGroup = MutableNoticeGroup | 'security' | 'payments'

/** `again`: the mail may be sent again. Its link holds no secret, and what it says does not get out of date. */
type Made = { group: NoticeGroup; kind: NoticeKind; href: string; again?: true }

const SECURITY: Made = { group: 'security', kind: 'security', href: '/profile#security' }
const IDENTITY: Made = { group: 'identity', kind: 'identity', href: '/profile#identity' }
/** It guards money: it always comes. */
const LIMIT: Made = { group: 'security', kind: 'security', href: '/limits' }
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
  supportAnswered: { group: 'payments', kind: 'document', href: '/help/contact#cases', again: true },
  limitAsked: LIMIT,
  limitRaised: { ...LIMIT, again: true },
  limitRefused: { ...LIMIT, again: true },
  identityAgain: IDENTITY,
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
  identityVerified: { ...IDENTITY, again: true },
  identityRejected: { ...IDENTITY, again: true },
  identityRetry: { ...IDENTITY, again: true },
  orderAnnounced: { group: 'orders', kind: 'order', href: ORDER, again: true },
  orderCompleted: { group: 'payments', kind: 'order', href: ORDER, again: true },
  paymentUnfit: { group: 'payments', kind: 'payment', href: ORDER, again: true },
  paymentRefunded: { group: 'payments', kind: 'payment', href: ORDER, again: true },
  paymentTopUp: { group: 'payments', kind: 'payment', href: ORDER, again: true },
  refundReturned: { group: 'payments', kind: 'payment', href: ORDER, again: true },
  paymentReturned: { group: 'payments', kind: 'payment', href: ORDER, again: true },
  depositCredited: { ...DEPOSIT, again: true },
  depositKept: { ...DEPOSIT, again: true },
  depositsCreditedTogether: { ...DEPOSIT, again: true },
  depositReverted: { ...DEPOSIT, again: true },
  withdrawalConfirm: WITHDRAWAL,
  withdrawalRequested: WITHDRAWAL,
  withdrawalSent: { ...WITHDRAWAL, again: true },
  withdrawalReturned: { ...WITHDRAWAL, again: true },
  p2pListed: ORDERS,
  p2pSold: TRADES,
  p2pBought: TRADES,
  p2pEnding: ORDERS,
  p2pEnded: TRADES,
  addressListed: ADDRESSES,
  whitelistEnding: ADDRESSES,
  statementReady: { ...DOCUMENTS, again: true },
  taxReportReady: { ...DOCUMENTS, again: true },
  stakingRewarded: STAKING,
  stakingReturned: RETURNED,
  bonusReleased: RETURNED,
  rewardBooked: { group: 'rewards', kind: 'reward', href: '/referral' }
}

/** Whether staff may let the mail be sent again. */
export const mayRepeat = (name: MailName): boolean => MADE[name]?.again === true

/** The mails whose notices belong to an area. */
export function namesIn(area: NoticeArea): MailName[] {
  const isSecurity = ({ group }: Made) => group === 'security' || group === 'identity'
  return (Object.keys(MADE) as MailName[]).filter((name) => {
    const made = MADE[name]
    return made && isSecurity(made) === (area === 'security')
  })
}

export function noticeOf(name: MailName, params: object): Omit<Made, 'again'> | null {
  const made = MADE[name]
  if (!made) return null
  const { again: _, ...shown } = made
  const orderId = 'orderId' in params && typeof params.orderId === 'string' ? params.orderId : undefined
  if (made.href === ORDER && orderId) return { ...shown, href: `${ORDER}&order=${orderId}` }
  return made.href === STAKING.href && orderId ? { ...shown, href: `/staking?order=${orderId}` } : shown
}
