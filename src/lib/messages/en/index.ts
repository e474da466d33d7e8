/** The server's English texts of all features. Pages and islands import theirs from the features' folders. */
import type { CallName } from '#lib/contract/calls.ts'
import type { ErrorCode } from '#lib/contract/errors.ts'
import type { Answer, Done } from '#lib/contract/types.ts'
import { accessErrors } from './access/errors.ts'
import { accessMails } from './access/mails.ts'
import { mailsOffTexts } from './access/mailsOff.ts'
import { passwordTexts } from './access/password.ts'
import { profileTexts } from './access/profile.ts'
import { signInTexts } from './access/signIn.ts'
import { depositsErrors } from './deposits/errors.ts'
import { depositsMails } from './deposits/mails.ts'
import { documentsErrors } from './documents/errors.ts'
import { documentsMails } from './documents/mails.ts'
import { pdfTexts } from './documents/pdf.ts'
import { receiptTexts } from './documents/receipt.ts'
import { statementDocTexts } from './documents/statement.ts'
import { euroLetterTexts, euroListTexts } from './euro/euro.ts'
import { helpMails } from './help/mails.ts'
import { homeMails } from './home/mails.ts'
import { identityErrors } from './identity/errors.ts'
import { identityMails } from './identity/mails.ts'
import { legalErrors } from './legal/errors.ts'
import { legalTexts } from './legal/legal.ts'
import { newsErrors } from './news/errors.ts'
import { ordersErrors } from './orders/errors.ts'
import { ordersMails } from './orders/mails.ts'
import { buyTexts } from './orders/orders.ts'
import { p2pAnswers } from './p2p/answers.ts'
import { p2pErrors } from './p2p/errors.ts'
import { p2pMails } from './p2p/mails.ts'
import { paymentsMails } from './payments/mails.ts'
import { platformErrors } from './platform/errors.ts'
import { mailFooter } from './platform/mailParts.ts'
import { texts } from './platform/texts.ts'
import { referralMails } from './referral/mails.ts'
import { staffMails } from './staff/mails.ts'
import { stakingMails } from './staking/mails.ts'
import { rewardsTexts } from './staking/rewards.ts'
import { walletErrors } from './wallet/errors.ts'
import { withdrawalAnswers } from './withdrawals/answers.ts'
import { withdrawalsErrors } from './withdrawals/errors.ts'
import { withdrawalsMails } from './withdrawals/mails.ts'

/** The sentence of every error code. Source: spec section 8; sentences beyond it are ours. */
const errors: Record<ErrorCode, string> = {
  ...accessErrors,
  ...depositsErrors,
  ...documentsErrors,
  ...identityErrors,
  ...legalErrors,
  ...newsErrors,
  ...ordersErrors,
  ...p2pErrors,
  ...platformErrors,
  ...walletErrors,
  ...withdrawalsErrors
}

const mails = {
  ...accessMails,
  ...depositsMails,
  ...documentsMails,
  ...helpMails,
  ...homeMails,
  ...identityMails,
  ...ordersMails,
  ...p2pMails,
  ...paymentsMails,
  ...referralMails,
  ...staffMails,
  ...stakingMails,
  ...withdrawalsMails
}

type SpokenCall = { [K in CallName]: Answer<K> extends Done ? K : never }[CallName]

/** The API's sentences for successful calls without data. Source: spec section 8; sentences beyond it are ours. */
const answers: Record<SpokenCall, string> = {
  signUp: signInTexts.accountCreated,
  resendSignUpCode: signInTexts.codeResent,
  requestOtp: signInTexts.otpSent,
  disavowSignIn: profileTexts.disavowed,
  muteMails: mailsOffTexts.off,
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
  keepWithdrawalAddress: withdrawalAnswers.addressKept,
  removeWithdrawalAddress: withdrawalAnswers.addressRemoved,
  setWithdrawalWhitelist: withdrawalAnswers.whitelistSet,
  askForLimit: withdrawalAnswers.limitAsked
}

export const english = {
  errors,
  mails,
  answers: answers as Partial<Record<CallName, string>>,
  mailFooter,
  pdf: pdfTexts,
  euro: { list: euroListTexts, letter: euroLetterTexts },
  receipt: receiptTexts,
  statement: statementDocTexts
}
