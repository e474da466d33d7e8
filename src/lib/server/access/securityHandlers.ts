/** The calls around the security of an account: second factor, passkeys, sessions, confirming. */
import { accountTexts } from '#lib/messages/account.ts'
import { type ApiDependencies, route } from '../platform/api/route.ts'
import type { Api } from '../platform/api/types.ts'
import { deviceOf, siteOf } from './callDevice.ts'
import { handOver } from './cookies.ts'
import { verifySecondFactor } from './secondFactor.ts'
import {
  addPasskey,
  confirmWithPasskey,
  passkeyConfirmOptions,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
  signInWithPasskey
} from './security/passkeys.ts'
import { readSecurity } from './security/read.ts'
import { confirmWithCode, requestConfirmation } from './security/reauthenticate.ts'
import { disableTotp, enableTotp, renewRecoveryCodes, startTotp } from './security/totp.ts'
import { disavowSignIn } from './sessions/disavow.ts'
import { endOtherSessions, endOwnSession } from './sessions/end.ts'

export function registerSecurity(api: Api, dependencies: ApiDependencies): void {
  registerSignIn(api, dependencies)
  registerSessions(api, dependencies)
  registerTotp(api, dependencies)
  registerPasskeys(api, dependencies)
}

function registerSignIn(api: Api, dependencies: ApiDependencies): void {
  const { context, publicOrigin } = dependencies
  route(api, dependencies, 'verifySecondFactor', 'Sign in with the second factor', async (call) =>
    handOver(dependencies, call.http, await verifySecondFactor(context, call.body, deviceOf(call)))
  )
  route(api, dependencies, 'passkeySignInOptions', 'What a passkey is asked with to sign in', (call) =>
    passkeySignInOptions(context, siteOf(call, publicOrigin))
  )
  route(api, dependencies, 'signInWithPasskey', 'Sign in with a passkey', async (call) => {
    const site = siteOf(call, publicOrigin)
    return handOver(dependencies, call.http, await signInWithPasskey(context, call.body.response, site, deviceOf(call)))
  })
  route(api, dependencies, 'disavowSignIn', 'It was not me: ends all sessions, locks withdrawals', async ({ body }) => {
    await disavowSignIn(context, body.token)
    return { message: accountTexts.disavowed }
  })
}

function registerSessions(api: Api, dependencies: ApiDependencies): void {
  const { context, publicOrigin } = dependencies
  route(api, dependencies, 'getSecurity', 'Sessions, passkeys, authenticator app, withdrawals', ({ customer }) =>
    readSecurity(context, customer)
  )
  route(api, dependencies, 'endOtherSessions', 'End every session but this one', async ({ customer }) => {
    await endOtherSessions(context, customer)
    return { message: accountTexts.othersGone }
  })
  route(api, dependencies, 'endSession', 'End one of the own sessions', async ({ customer, params }) => {
    await endOwnSession(context, customer, params.id)
    return { message: accountTexts.sessionGone }
  })
  route(api, dependencies, 'requestConfirmation', 'How to confirm; sends a code where that is by mail', ({ customer }) =>
    requestConfirmation(context, customer)
  )
  route(api, dependencies, 'confirmWithCode', 'Confirm with a code', async ({ customer, body }) => {
    await confirmWithCode(context, customer, body.code)
    return { message: accountTexts.confirmed }
  })
  route(api, dependencies, 'passkeyConfirmOptions', 'What a passkey is asked with to confirm', (call) =>
    passkeyConfirmOptions(context, call.customer, siteOf(call, publicOrigin))
  )
  route(api, dependencies, 'confirmWithPasskey', 'Confirm with a passkey', async (call) => {
    await confirmWithPasskey(context, call.customer, call.body.response, siteOf(call, publicOrigin))
    return { message: accountTexts.confirmed }
  })
}

function registerTotp(api: Api, dependencies: ApiDependencies): void {
  const { context } = dependencies
  route(api, dependencies, 'startTotp', 'A secret for an authenticator app', ({ customer }) => startTotp(context, customer))
  route(api, dependencies, 'enableTotp', 'Turn the second factor on with its first code', ({ customer, body }) =>
    enableTotp(context, customer, body.code)
  )
  route(api, dependencies, 'disableTotp', 'Turn the second factor off', async ({ customer }) => {
    await disableTotp(context, customer)
    return { message: accountTexts.totpDisabled }
  })
  route(api, dependencies, 'renewRecoveryCodes', 'Ten new recovery codes', ({ customer }) =>
    renewRecoveryCodes(context, customer)
  )
}

function registerPasskeys(api: Api, dependencies: ApiDependencies): void {
  const { context, publicOrigin } = dependencies
  route(api, dependencies, 'passkeyOptions', 'What a new passkey is made with', (call) =>
    passkeyOptions(context, call.customer, siteOf(call, publicOrigin))
  )
  route(api, dependencies, 'addPasskey', 'Add a passkey', async (call) => {
    await addPasskey(context, call.customer, call.body, siteOf(call, publicOrigin))
    return { message: accountTexts.passkeyAdded }
  })
  route(api, dependencies, 'removePasskey', 'Remove a passkey', async ({ customer, params }) => {
    await removePasskey(context, customer, params.id)
    return { message: accountTexts.passkeyRemoved }
  })
}
