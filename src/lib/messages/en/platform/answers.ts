/** What the API says when a call without data has succeeded. Source: spec section 8; sentences beyond it are ours. */
import type { CallName } from '#lib/contract/calls.ts'
import type { Answer, Done } from '#lib/contract/types.ts'
import { passwordTexts } from '../access/password.ts'
import { profileTexts } from '../access/profile.ts'
import { signInTexts } from '../access/signIn.ts'
import { legalTexts } from '../legal/legal.ts'
import { buyTexts } from '../orders/orders.ts'
import { p2pAnswers } from '../p2p/answers.ts'
import { rewardsTexts } from '../staking/rewards.ts'
import { withdrawalAnswers } from '../withdrawals/answers.ts'
import { texts } from './texts.ts'

type SpokenCall = { [K in CallName]: Answer<K> extends Done ? K : never }[CallName]

const answerSentences: Record<SpokenCall, string> = {
  signUp: signInTexts.accountCreated,
  resendSignUpCode: signInTexts.codeResent,
  requestOtp: signInTexts.otpSent,
  disavowSignIn: profileTexts.disavowed,
  forgotPassword: passwordTexts.checkEmail,
  resetPassword: texts.canSignIn,
  signOut: profileTexts.signedOut,
  updateProfile: profileTexts.profileSaved,
  acceptTerms: legalTexts.accepted,
  updateSettings: profileTexts.settingsSaved,
  requestEmailChange: profileTexts.emailCodesSent,
  changeEmail: profileTexts.emailChanged,
  endSession: profileTexts.sessionGone,
  endOtherSessions: profileTexts.othersGone,
  reauthenticateWithCode: profileTexts.reauthenticated,
  reauthenticateWithPasskey: profileTexts.reauthenticated,
  disableTotp: profileTexts.totpDisabled,
  addPasskey: profileTexts.passkeyAdded,
  removePasskey: profileTexts.passkeyRemoved,
  revokeRewardFeed: rewardsTexts.revoked,
  checkPromoCode: buyTexts.promoAccepted,
  giveDepositDetails: withdrawalAnswers.senderGiven,
  cancelP2pOrder: p2pAnswers.cancelled,
  cancelWithdrawal: withdrawalAnswers.cancelled,
  answerWithdrawalLink: withdrawalAnswers.linkAnswered,
  keepWithdrawalAddress: withdrawalAnswers.addressKept,
  removeWithdrawalAddress: withdrawalAnswers.addressRemoved,
  setWithdrawalWhitelist: withdrawalAnswers.whitelistSet
}

/** The English sentence of a call that answers nothing else; undefined for a call with data. */
export function answerSentence(name: CallName): string | undefined {
  return (answerSentences as Partial<Record<CallName, string>>)[name]
}
