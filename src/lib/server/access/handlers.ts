import { accountTexts } from '#lib/messages/account.ts'
import { texts } from '#lib/messages/screens.ts'
import { readStatement } from '../ledger/statement.ts'
import { type ApiDependencies, route } from '../platform/api/route.ts'
import type { Api } from '../platform/api/types.ts'
import { AppError } from '../platform/errors.ts'
import { listInvitees, listReferralRewards } from '../referral/read.ts'
import { moveBetweenAccounts } from '../wallet/move.ts'
import { readBalances } from '../wallet/read.ts'
import { deviceOf } from './callDevice.ts'
import { confirmEmailChange, requestEmailChange } from './changeEmail.ts'
import { forgetCookie, handOver, keepHolder, readHolder } from './cookies.ts'
import { readProfile, updateProfile } from './profile.ts'
import { forgotPassword, resetPassword } from './resetPassword.ts'
import { endSession } from './sessions/end.ts'
import { refreshSession } from './sessions/refresh.ts'
import { requestOtp, signInWithPassword, verifyOtp } from './signIn.ts'
import { resendSignUpCode, signUp } from './signUp.ts'
import { verifySignUp } from './verifySignUp.ts'

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
    const holder = readHolder(call.http)
    return handOver(dependencies, call.http, await verifySignUp(context, { email, code: token, holder }, deviceOf(call)))
  })
  route(api, dependencies, 'signIn', 'Sign in with a password', async (call) =>
    handOver(dependencies, call.http, await signInWithPassword(context, call.body, deviceOf(call)))
  )
  route(api, dependencies, 'requestOtp', 'Send a sign-in code', async ({ body }) => {
    await requestOtp(context, body.email)
    return { message: texts.otpSent }
  })
  route(api, dependencies, 'verifyOtp', 'Sign in with the code', async (call) =>
    handOver(dependencies, call.http, await verifyOtp(context, call.body, deviceOf(call)))
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
  route(api, dependencies, 'getStatement', 'The lines that a figure is the sum of', ({ customer, query }) =>
    readStatement(context, customer, query)
  )
  route(api, dependencies, 'getProfile', "The customer's profile", ({ customer }) => readProfile(context, customer))
  route(api, dependencies, 'updateProfile', 'Change name and phone', async ({ customer, body }) => {
    await updateProfile(context, customer, body)
    return { message: accountTexts.profileSaved }
  })
  route(api, dependencies, 'requestEmailChange', 'Send codes to both addresses', async ({ customer, body }) => {
    await requestEmailChange(context, customer, body.email)
    return { message: accountTexts.emailCodesSent }
  })
  route(api, dependencies, 'confirmEmailChange', 'Change the address with both codes', async ({ customer, body }) => {
    await confirmEmailChange(context, customer, body)
    return { message: accountTexts.emailChanged }
  })
  route(api, dependencies, 'listReferralRewards', 'What invitations brought', ({ customer, query }) =>
    listReferralRewards(context, customer, query)
  )
  route(api, dependencies, 'listInvitees', 'Who signed up with the code', ({ customer, query }) =>
    listInvitees(context, customer, query)
  )
}
