/**
 * Every call of the API, written down once: method and path below `/v1`. The server registers from this list, the
 * client calls by these names, and `/v1/openapi.json` is held against it by a test.
 */

type Method = 'GET' | 'POST' | 'PATCH'
/** `open`: no session needed. `beyondSpec`: the product needs it besides the calls of the specification. */
type Call = { method: Method; path: string; open?: true; beyondSpec?: true }

export const calls = {
  signUp: { method: 'POST', path: '/users/signup', open: true },
  resendSignUpCode: { method: 'POST', path: '/users/signup/resend', open: true, beyondSpec: true },
  verifySignUp: { method: 'POST', path: '/users/signup/verify', open: true },
  signIn: { method: 'POST', path: '/users/signin', open: true },
  requestOtp: { method: 'POST', path: '/users/signin/otp/request', open: true },
  verifyOtp: { method: 'POST', path: '/users/signin/otp/verify', open: true },
  verifySecondFactor: { method: 'POST', path: '/users/signin/second-factor', open: true, beyondSpec: true },
  passkeySignInOptions: { method: 'POST', path: '/users/signin/passkey/options', open: true, beyondSpec: true },
  signInWithPasskey: { method: 'POST', path: '/users/signin/passkey', open: true, beyondSpec: true },
  disavowSignIn: { method: 'POST', path: '/users/signin/disavow', open: true, beyondSpec: true },
  forgotPassword: { method: 'POST', path: '/users/forgot-password', open: true },
  resetPassword: { method: 'POST', path: '/users/forgot-password/verify', open: true },
  refreshToken: { method: 'POST', path: '/users/refresh-token', open: true },
  signOut: { method: 'POST', path: '/users/signout', beyondSpec: true },
  getBalance: { method: 'GET', path: '/users/balance' },
  moveSpotToFunding: { method: 'POST', path: '/users/balance/transfer-from-spot-to-funding' },
  moveFundingToSpot: { method: 'POST', path: '/users/balance/transfer-from-funding-to-spot' },
  getStatement: { method: 'GET', path: '/users/balance/statement', beyondSpec: true },
  getProfile: { method: 'GET', path: '/users/profile' },
  updateProfile: { method: 'PATCH', path: '/users/profile', beyondSpec: true },
  requestEmailChange: { method: 'POST', path: '/users/email', beyondSpec: true },
  confirmEmailChange: { method: 'POST', path: '/users/email/verify', beyondSpec: true },
  getSecurity: { method: 'GET', path: '/users/security', beyondSpec: true },
  endSession: { method: 'POST', path: '/users/sessions/{id}/end', beyondSpec: true },
  endOtherSessions: { method: 'POST', path: '/users/sessions/end-others', beyondSpec: true },
  requestConfirmation: { method: 'POST', path: '/users/confirm/request', beyondSpec: true },
  confirmWithCode: { method: 'POST', path: '/users/confirm', beyondSpec: true },
  passkeyConfirmOptions: { method: 'POST', path: '/users/confirm/passkey/options', beyondSpec: true },
  confirmWithPasskey: { method: 'POST', path: '/users/confirm/passkey', beyondSpec: true },
  startTotp: { method: 'POST', path: '/users/totp/start', beyondSpec: true },
  enableTotp: { method: 'POST', path: '/users/totp', beyondSpec: true },
  disableTotp: { method: 'POST', path: '/users/totp/disable', beyondSpec: true },
  renewRecoveryCodes: { method: 'POST', path: '/users/totp/recovery-codes', beyondSpec: true },
  passkeyOptions: { method: 'POST', path: '/users/passkeys/options', beyondSpec: true },
  addPasskey: { method: 'POST', path: '/users/passkeys', beyondSpec: true },
  removePasskey: { method: 'POST', path: '/users/passkeys/{id}/remove', beyondSpec: true },
  getKycData: { method: 'GET', path: '/users/kyc-data' },
  getKycLink: { method: 'POST', path: '/users/get-kyc-link' },
  receiveIdentityEvent: { method: 'POST', path: '/identity/webhook', open: true, beyondSpec: true },
  listReferralRewards: { method: 'GET', path: '/users/referral/history' },
  listInvitees: { method: 'GET', path: '/users/referral/user' },
  getSupportedTokens: { method: 'GET', path: '/token/supported-tokens', open: true },
  listComboConfigs: { method: 'GET', path: '/orders/combo/config', beyondSpec: true },
  previewCombo: { method: 'GET', path: '/orders/combo/preview/{id}' },
  createOrder: { method: 'POST', path: '/orders/combo' },
  getStakingTotal: { method: 'GET', path: '/orders/staking/total', beyondSpec: true },
  listOrders: { method: 'GET', path: '/orders/combo' },
  getOrder: { method: 'GET', path: '/orders/combo/{id}', beyondSpec: true },
  confirmPurchase: { method: 'PATCH', path: '/orders/combo/{id}/purchase' }
} as const satisfies Record<string, Call>

export type CallName = keyof typeof calls

export function isOpenCall(name: CallName): boolean {
  return 'open' in calls[name]
}

/** The path with its parameters filled in, e.g. `/orders/combo/RF18…`. */
export function pathOf(name: CallName, params: Record<string, string | number> = {}): string {
  return calls[name].path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(params[key] ?? '')
    // A dot, two or nothing would lead to another call.
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`Not a part of a path: "${value}"`)
    return encodeURIComponent(value)
  })
}
