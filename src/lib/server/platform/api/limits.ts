/**
 * How often a call may be made. Every call that sends mail, tries a secret that could be guessed, or moves money is here.
 * (The link of a mail can't be guessed; limiting it would let anybody use it up for everybody.)
 */
import type { CallName } from '#lib/contract/calls.ts'
import type { Limit } from '../limits.ts'
import { limitKeyOf } from './clientAddress.ts'

type Rule = { max: number; windowSeconds: number }
type Rules = { address?: Rule; account?: Rule; email?: Rule; emailOfDay?: Rule }

const MINUTE = 60
const HOUR = 3600
const mailing: Rules = { address: { max: 30, windowSeconds: HOUR }, email: { max: 10, windowSeconds: HOUR } }
const tryingSecret: Rules = {
  address: { max: 60, windowSeconds: 10 * MINUTE },
  email: { max: 20, windowSeconds: 10 * MINUTE },
  // Six digits can be guessed, if there are enough days.
  emailOfDay: { max: 60, windowSeconds: 24 * HOUR }
}
const ownSecret: Rules = { address: { max: 60, windowSeconds: 10 * MINUTE }, account: { max: 15, windowSeconds: 10 * MINUTE } }
const changingSecurity: Rules = { address: { max: 300, windowSeconds: HOUR }, account: { max: 60, windowSeconds: HOUR } }
const movingMoney: Rules = { address: { max: 300, windowSeconds: MINUTE }, account: { max: 60, windowSeconds: MINUTE } }

const RULES: Partial<Record<CallName, Rules>> = {
  signUp: mailing,
  resendSignUpCode: mailing,
  requestOtp: mailing,
  forgotPassword: mailing,
  verifySignUp: tryingSecret,
  signIn: tryingSecret,
  verifyOtp: tryingSecret,
  resetPassword: tryingSecret,
  verifySecondFactor: { address: { max: 60, windowSeconds: 10 * MINUTE } },
  passkeySignInOptions: { address: { max: 60, windowSeconds: 10 * MINUTE } },
  signInWithPasskey: { address: { max: 60, windowSeconds: 10 * MINUTE } },
  requestEmailChange: { address: { max: 30, windowSeconds: HOUR }, account: { max: 10, windowSeconds: HOUR } },
  confirmEmailChange: ownSecret,
  requestConfirmation: { address: { max: 60, windowSeconds: HOUR }, account: { max: 20, windowSeconds: HOUR } },
  confirmWithCode: ownSecret,
  confirmWithPasskey: ownSecret,
  enableTotp: ownSecret,
  startTotp: changingSecurity,
  disableTotp: changingSecurity,
  renewRecoveryCodes: changingSecurity,
  passkeyOptions: changingSecurity,
  passkeyConfirmOptions: changingSecurity,
  addPasskey: changingSecurity,
  removePasskey: changingSecurity,
  getStatement: { account: { max: 120, windowSeconds: MINUTE } },
  getKycLink: { address: { max: 300, windowSeconds: HOUR }, account: { max: 60, windowSeconds: HOUR } },
  receiveIdentityEvent: { address: { max: 600, windowSeconds: MINUTE } },
  refreshToken: { address: { max: 120, windowSeconds: MINUTE } },
  moveSpotToFunding: movingMoney,
  moveFundingToSpot: movingMoney,
  createOrder: movingMoney,
  confirmPurchase: movingMoney
}

/** One address alone can't use up what everybody together may try at an account, and so keep its owner out. */
const EVERYBODY_TIMES = 5

type Facts = { address?: string | undefined; userId?: string | undefined; email?: string | undefined }

/** The limits that are known before the body is read: by address and by account. */
export function limitsOfCaller(call: CallName, { address, userId }: Facts): Limit[] {
  const rules = RULES[call]
  const found: Limit[] = []
  if (rules?.address && address) found.push({ key: `${call}:address:${limitKeyOf(address)}`, ...rules.address })
  if (rules?.account && userId) found.push({ key: `${call}:account:${userId}`, ...rules.account })
  return found
}

/** The limits by the email that is tried: from this address, and from all together. */
export function limitsOfEmail(call: CallName, { address = '', email }: Facts): Limit[] {
  const { email: rule, emailOfDay } = RULES[call] ?? {}
  if (!email) return []
  const limits = (name: string, { max, windowSeconds }: Rule) => [
    { key: `${call}:${name}:${email}:${limitKeyOf(address)}`, max, windowSeconds },
    { key: `${call}:${name}:${email}`, max: max * EVERYBODY_TIMES, windowSeconds }
  ]
  return [...(rule ? limits('email', rule) : []), ...(emailOfDay ? limits('day', emailOfDay) : [])]
}
