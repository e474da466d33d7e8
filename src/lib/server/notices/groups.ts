/** Which mails also make a notice, with the notice's group and link. */
import type { MutableGroup } from '#lib/domain/access/settings.ts'
import type { MailName } from '#lib/messages/index.ts'

export type NoticeGroup = MutableGroup | 'security' | 'payments'

type Made = { group: NoticeGroup; href: string }

const SECURITY: Made = { group: 'security', href: '/profile#security' }
const IDENTITY: Made = { group: 'identity', href: '/profile#identity' }
const ORDER = '/package-history?tab=order'
const WITHDRAWAL: Made = { group: 'payments', href: '/package-history?tab=withdrawal' }
const ADDRESSES: Made = { group: 'security', href: '/withdraw-history' }
const ORDERS: Made = { group: 'payments', href: '/p2p?tab=ongoing' }
const TRADES: Made = { group: 'payments', href: '/p2p?tab=history' }
const STAKING: Made = { group: 'rewards', href: '/staking' }
/** About the customer's own tokens: cannot be switched off. */
const RETURNED: Made = { group: 'payments', href: '/staking' }
/** The terms promise this mail: it cannot be switched off. */
const DOCUMENTS: Made = { group: 'payments', href: '/profile#documents' }
const DEPOSIT: Made = { group: 'payments', href: '/package-history?tab=deposit' }

/** Null: no notice. Codes belong to the mailbox alone, and mails to strangers have no customer. */
const MADE: Record<MailName, Made | null> = {
  signUpCode: null,
  alreadyRegistered: null,
  supportMessage: null,
  signInCode: null,
  resetCode: null,
  reauthenticationCode: null,
  leaveEmailCode: null,
  takeEmailCode: null,
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
  orderAnnounced: { group: 'orders', href: ORDER },
  orderCompleted: { group: 'payments', href: ORDER },
  paymentUnfit: { group: 'payments', href: ORDER },
  paymentRefunded: { group: 'payments', href: ORDER },
  paymentReturned: { group: 'payments', href: ORDER },
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
  rewardBooked: { group: 'rewards', href: '/referral' }
}

export function noticeOf(name: MailName, params: object): Made | null {
  const made = MADE[name]
  const orderId = 'orderId' in params && typeof params.orderId === 'string' ? params.orderId : undefined
  if (made?.href === ORDER && orderId) return { ...made, href: `${ORDER}&order=${orderId}` }
  return made?.href === STAKING.href && orderId ? { ...made, href: `/staking?order=${orderId}` } : made
}
