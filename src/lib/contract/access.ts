/** Calls about access to the account: sign-up, sign-in, sessions, second factor, passkeys, profile. */
import {
  askingForCodes,
  type CallRules,
  changing,
  changingSecurity,
  mailing,
  nowAndThen,
  open,
  ownSecret,
  reading,
  signingIn,
  tryingSecret,
  unlimited,
  visiting
} from './rules.ts'

const securityChange = { ...changing, limits: changingSecurity, proof: 'fresh' } as const

export const accessCalls = {
  signUp: { ...open, path: '/users/signup', limits: mailing },
  resendSignUpCode: { ...open, path: '/users/signup/resend', limits: mailing },
  verifySignUp: { ...open, path: '/users/signup/verify', limits: tryingSecret },
  signIn: { ...open, path: '/users/signin', limits: tryingSecret },
  requestOtp: { ...open, path: '/users/signin/otp/request', limits: mailing },
  verifyOtp: { ...open, path: '/users/signin/otp/verify', limits: tryingSecret },
  verifySecondFactor: { ...open, path: '/users/signin/second-factor', limits: signingIn },
  // Asked by every visit of the page, before anybody has pressed anything.
  passkeySignInOptions: { ...open, path: '/users/signin/passkey/options', limits: visiting },
  signInWithPasskey: { ...open, path: '/users/signin/passkey', limits: signingIn },
  // No rate limit: the secret link from the mail cannot be guessed, and an attacker could use up a limit that all share.
  disavowSignIn: { ...open, path: '/users/signin/disavow', limits: unlimited },
  muteMails: { ...open, path: '/users/mails/off', limits: unlimited },
  forgotPassword: { ...open, path: '/users/forgot-password', limits: mailing },
  resetPassword: { ...open, path: '/users/forgot-password/verify', limits: tryingSecret },
  refreshToken: { ...open, path: '/users/refresh-token', limits: { address: { max: 120, windowSeconds: 60 } } },
  signOut: { ...changing, path: '/users/signout' },
  getProfile: { ...reading, path: '/users/profile' },
  updateProfile: { ...changing, method: 'PATCH', path: '/users/profile' },
  acceptTerms: { ...changing, path: '/users/terms', limits: nowAndThen },
  updateSettings: { ...changing, method: 'PATCH', path: '/users/settings' },
  requestEmailChange: { ...changing, path: '/users/email', limits: askingForCodes, proof: 'fresh' },
  changeEmail: { ...changing, path: '/users/email/verify', limits: ownSecret, proof: 'fresh' },
  getSecurity: { ...reading, path: '/users/security' },
  endSession: { ...changing, path: '/users/sessions/{id}/end' },
  endOtherSessions: { ...changing, path: '/users/sessions/end-others' },
  requestReauthentication: { ...changing, path: '/users/confirm/request', limits: askingForCodes },
  reauthenticateWithCode: { ...changing, path: '/users/confirm', limits: ownSecret },
  passkeyReauthenticationOptions: {
    ...changing,
    path: '/users/confirm/passkey/options',
    limits: changingSecurity
  },
  reauthenticateWithPasskey: { ...changing, path: '/users/confirm/passkey', limits: ownSecret },
  startTotp: { ...securityChange, path: '/users/totp/start' },
  enableTotp: { ...securityChange, path: '/users/totp', limits: ownSecret },
  disableTotp: { ...securityChange, path: '/users/totp/disable' },
  renewRecoveryCodes: { ...securityChange, path: '/users/totp/recovery-codes' },
  passkeyOptions: { ...securityChange, path: '/users/passkeys/options' },
  addPasskey: { ...securityChange, path: '/users/passkeys' },
  removePasskey: { ...securityChange, path: '/users/passkeys/{id}/remove' }
} as const satisfies Record<string, CallRules>
