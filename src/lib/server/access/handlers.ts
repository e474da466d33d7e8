import type { Context as HonoContext } from 'hono'
import type { accessCalls } from '#lib/contract/access.ts'
import { limitKeyOf } from '../platform/api/clientAddress.ts'
import type { Handlers } from '../platform/api/mount.ts'
import type { ApiEnv } from '../platform/api/types.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import type { Site } from '../platform/webauthn.ts'
import { changeEmail, requestEmailChange } from './changeEmail.ts'
import type { Asker } from './codes/issue.ts'
import { ensureBrowser, forgetSessionCookie, readBrowser, readSessionCookie, setSessionCookie } from './cookies.ts'
import { rememberBrowser } from './knownDevice.ts'
import { muteByLink } from './mute.ts'
import { type IdentityReads, readProfile, updateProfile, updateSettings } from './profile.ts'
import { forgotPassword, type OnPasswordReset, resetPassword } from './resetPassword.ts'
import { type SignedIn, verifySecondFactor } from './secondFactor.ts'
import {
  addPasskey,
  passkeyOptions,
  passkeyReauthenticationOptions,
  passkeySignInOptions,
  reauthenticateWithPasskey,
  removePasskey,
  signInWithPasskey
} from './security/passkeys.ts'
import { readSecurity } from './security/read.ts'
import { reauthenticateWithCode, requestReauthentication } from './security/reauthenticate.ts'
import { disableTotp, enableTotp, renewRecoveryCodes, startTotp } from './security/totp.ts'
import { disavowSignIn, type OnAccountSecured } from './sessions/disavow.ts'
import { endOtherSessions, endOwnSession, endSession, endSessionOfCookie } from './sessions/end.ts'
import type { Device } from './sessions/open.ts'
import { deferPair } from './sessions/pair.ts'
import { refreshSession } from './sessions/refresh.ts'
import { requestOtp, signInWithPassword, verifyOtp } from './signIn.ts'
import { resendSignUpCode, signUp } from './signUp.ts'
import { acceptTerms } from './terms.ts'
import { verifySignUp } from './verifySignUp.ts'
import { refuseGuessable } from './weakPasswords.ts'

type Dependencies = {
  context: Context
  secureCookie: boolean
  /** The origin of the product's pages; undefined if PUBLIC_URL is not set. */
  publicOrigin: string | undefined
  identity: IdentityReads
  onAccountSecured: OnAccountSecured
  onPasswordReset: OnPasswordReset
}
type Http = HonoContext<ApiEnv>
type From = { http: Http; address: string }

export function accessHandlers({
  context,
  secureCookie: secure,
  publicOrigin,
  identity,
  onAccountSecured,
  onPasswordReset
}: Dependencies): Handlers<keyof typeof accessCalls> {
  const asker = ({ http, address }: From): Asker => ({
    holder: ensureBrowser(http, secure),
    askedFrom: limitKeyOf(address)
  })
  const device = ({ http, address }: From): Device => ({
    userAgent: http.req.header('user-agent') ?? '',
    address,
    askedFrom: limitKeyOf(address),
    holder: readBrowser(http, secure)
  })
  /** The origin that the customer's browser sees: as configured, or in the sandbox from the `Host` header. */
  const site = ({ http }: Pick<From, 'http'>): Site => {
    const origin = publicOrigin ?? `http://${http.req.header('host') ?? 'localhost'}`
    return { origin, rpId: URL.canParse(origin) ? new URL(origin).hostname : 'localhost' }
  }
  /**
   * Sets the page cookie and returns the token pair for the response body; ends the session that this browser had before. Throws
   * `second_factor_required` with the ticket if the second factor is still missing.
   */
  async function handOver(http: Http, opened: SignedIn): Promise<{ token: string; refreshToken: string }> {
    if ('ticket' in opened) throw new AppError('second_factor_required', { ticket: opened.ticket })
    await rememberBrowser(context, opened.userId, ensureBrowser(http, secure))
    const previous = readSessionCookie(http, secure)
    if (previous) await endSessionOfCookie(context, previous)
    setSessionCookie(http, secure, opened.cookie, opened.expiresAt)
    // A form without script cannot store the pair; the next page makes another one.
    if (http.env?.isForm) await deferPair(context, opened.sessionId)
    return { token: opened.token, refreshToken: opened.refreshToken }
  }
  return {
    signUp: async (call) => {
      await refuseGuessable(context, { ...call.body, isRefused: secure })
      return signUp(context, call.body, asker(call))
    },
    resendSignUpCode: (call) => resendSignUpCode(context, call.body.email, asker(call)),
    verifySignUp: async (call) => {
      const { email, token } = call.body
      return handOver(call.http, await verifySignUp(context, { email, code: token }, device(call)))
    },
    signIn: async (call) => handOver(call.http, await signInWithPassword(context, call.body, device(call))),
    requestOtp: (call) => requestOtp(context, call.body.email, asker(call)),
    verifyOtp: async (call) => handOver(call.http, await verifyOtp(context, call.body, device(call))),
    verifySecondFactor: async (call) => handOver(call.http, await verifySecondFactor(context, call.body, device(call))),
    passkeySignInOptions: (call) => passkeySignInOptions(context, site(call)),
    signInWithPasskey: async (call) =>
      handOver(call.http, await signInWithPasskey(context, call.body.response, site(call), device(call))),
    muteMails: ({ body }) => muteByLink(context, body.token),
    disavowSignIn: ({ body }) => disavowSignIn(context, body.token, onAccountSecured),
    forgotPassword: (call) => forgotPassword(context, call.body.email, asker(call)),
    resetPassword: async ({ body: { email, token, password }, ...call }) => {
      await refuseGuessable(context, { email, password, isRefused: secure })
      return resetPassword(context, { email, code: token, password, asker: device(call) }, onPasswordReset)
    },
    refreshToken: ({ body, http }) => refreshSession(context, body.refreshToken, ensureBrowser(http, secure)),
    signOut: async ({ customer, http }) => {
      await endSession(context, customer.sessionId)
      forgetSessionCookie(http, secure)
    },
    getProfile: ({ customer }) => readProfile(context, customer, identity),
    updateProfile: ({ customer, body }) => updateProfile(context, customer, body),
    acceptTerms: ({ customer, body }) => acceptTerms(context, customer, body.versions),
    updateSettings: ({ customer, body }) => updateSettings(context, customer, body),
    requestEmailChange: ({ customer, body }) => requestEmailChange(context, customer, body.email),
    changeEmail: ({ customer, body }) => changeEmail(context, customer, body),
    getSecurity: ({ customer }) => readSecurity(context, customer, identity.readGate),
    endSession: ({ customer, params }) => endOwnSession(context, customer, params.id),
    endOtherSessions: ({ customer }) => endOtherSessions(context, customer),
    requestReauthentication: ({ customer }) => requestReauthentication(context, customer),
    reauthenticateWithCode: ({ customer, body }) => reauthenticateWithCode(context, customer, body.code),
    passkeyReauthenticationOptions: (call) => passkeyReauthenticationOptions(context, call.customer, site(call)),
    reauthenticateWithPasskey: (call) => reauthenticateWithPasskey(context, call.customer, call.body.response, site(call)),
    startTotp: ({ customer }) => startTotp(context, customer),
    enableTotp: ({ customer, body }) => enableTotp(context, customer, body.code),
    disableTotp: ({ customer }) => disableTotp(context, customer),
    renewRecoveryCodes: ({ customer }) => renewRecoveryCodes(context, customer),
    passkeyOptions: (call) => passkeyOptions(context, call.customer, site(call)),
    addPasskey: (call) => addPasskey(context, call.customer, call.body, site(call)),
    removePasskey: ({ customer, params }) => removePasskey(context, customer, params.id)
  }
}
