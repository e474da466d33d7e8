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
  forgotPassword: { method: 'POST', path: '/users/forgot-password', open: true },
  resetPassword: { method: 'POST', path: '/users/forgot-password/verify', open: true },
  refreshToken: { method: 'POST', path: '/users/refresh-token', open: true },
  signOut: { method: 'POST', path: '/users/signout', beyondSpec: true },
  getBalance: { method: 'GET', path: '/users/balance' },
  moveSpotToFunding: { method: 'POST', path: '/users/balance/transfer-from-spot-to-funding' },
  moveFundingToSpot: { method: 'POST', path: '/users/balance/transfer-from-funding-to-spot' },
  getProfile: { method: 'GET', path: '/users/profile' },
  getSupportedTokens: { method: 'GET', path: '/token/supported-tokens', open: true },
  listComboConfigs: { method: 'GET', path: '/orders/combo/config', beyondSpec: true },
  previewCombo: { method: 'GET', path: '/orders/combo/preview/{id}' },
  createOrder: { method: 'POST', path: '/orders/combo' },
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
