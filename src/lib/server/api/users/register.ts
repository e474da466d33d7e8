import { texts } from '../../../messages/screens.ts'
import { moveBetweenAccounts } from '../../services/balance/move.ts'
import { readBalances } from '../../services/balance/read.ts'
import { AppError } from '../../services/errors.ts'
import { endSession } from '../../services/sessions/end.ts'
import type { Device } from '../../services/sessions/open.ts'
import { refreshSession } from '../../services/sessions/refresh.ts'
import { readProfile } from '../../services/users/profile.ts'
import { forgotPassword, resetPassword } from '../../services/users/resetPassword.ts'
import { requestOtp, signInWithPassword, verifyOtp } from '../../services/users/signIn.ts'
import { resendSignUpCode, signUp } from '../../services/users/signUp.ts'
import { verifySignUp } from '../../services/users/verifySignUp.ts'
import { forgetCookie, handOver, keepHolder, readHolder } from '../cookie.ts'
import { type ApiDependencies, type Call, route } from '../route.ts'
import type { Api } from '../types.ts'

function deviceOf({ http, address }: Pick<Call<'signIn'>, 'http' | 'address'>): Device {
  return { userAgent: http.req.header('user-agent') ?? '', address }
}

function requireKey(idempotencyKey: string | undefined): string {
  if (!idempotencyKey) throw new AppError('idempotency_key_required')
  return idempotencyKey
}

export function registerUsers(api: Api, dependencies: ApiDependencies): void {
  const { context, secureCookie } = dependencies
  route(api, dependencies, 'signUp', 'Sign up; a code goes to the address', async ({ body, http }) => {
    const { holder } = await signUp(context, body)
    keepHolder(http, secureCookie, holder)
    return { message: texts.accountCreated }
  })
  route(api, dependencies, 'resendSignUpCode', 'Send the code of a sign-up again', async ({ body }) => {
    await resendSignUpCode(context, body.email)
    return { message: texts.codeResent }
  })
  route(api, dependencies, 'verifySignUp', 'Confirm the address; makes the account and signs in', async (call) => {
    const { email, token } = call.body
    return handOver(
      call.http,
      secureCookie,
      await verifySignUp(context, { email, code: token, holder: readHolder(call.http) }, deviceOf(call))
    )
  })
  route(api, dependencies, 'signIn', 'Sign in with a password', async (call) =>
    handOver(call.http, secureCookie, await signInWithPassword(context, call.body, deviceOf(call)))
  )
  route(api, dependencies, 'requestOtp', 'Send a sign-in code', async ({ body }) => {
    await requestOtp(context, body.email)
    return { message: texts.otpSent }
  })
  route(api, dependencies, 'verifyOtp', 'Sign in with the code', async (call) =>
    handOver(call.http, secureCookie, await verifyOtp(context, call.body, deviceOf(call)))
  )
  route(api, dependencies, 'forgotPassword', 'Send a code to set a new password', async ({ body }) => {
    await forgotPassword(context, body.email)
    return { message: texts.checkEmail }
  })
  route(api, dependencies, 'resetPassword', 'Set a new password with the code; ends every session', async ({ body }) => {
    const { email, token, password } = body
    await resetPassword(context, { email, code: token, password })
    return { message: texts.canSignIn }
  })
  route(api, dependencies, 'refreshToken', 'Change the refresh token for a new pair', ({ body }) =>
    refreshSession(context, body.refreshToken)
  )
  route(api, dependencies, 'signOut', 'End this session', async ({ customer, http }) => {
    await endSession(context, customer.sessionId)
    forgetCookie(http, secureCookie)
    return { message: texts.signedOut }
  })
  route(api, dependencies, 'getBalance', 'What the customer holds, by token', ({ customer }) => readBalances(context, customer))
  route(api, dependencies, 'moveSpotToFunding', 'Move an amount from spot to funding', ({ customer, body, idempotencyKey }) =>
    moveBetweenAccounts(context, customer, { ...body, from: 'spot', idempotencyKey: requireKey(idempotencyKey) })
  )
  route(api, dependencies, 'moveFundingToSpot', 'Move an amount from funding to spot', ({ customer, body, idempotencyKey }) =>
    moveBetweenAccounts(context, customer, { ...body, from: 'funding', idempotencyKey: requireKey(idempotencyKey) })
  )
  route(api, dependencies, 'getProfile', "The customer's profile", ({ customer }) => readProfile(context, customer))
}
