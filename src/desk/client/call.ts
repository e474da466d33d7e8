/** Calls of the desk's API, with the passkey where a call asks for it. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { type DeskCallName, deskPathOf, rulesOf } from '../../lib/contract/desk/calls.ts'
import type { DeskFailure } from '../../lib/contract/desk/errors.ts'

export type Values = { params?: Record<string, string>; body?: Record<string, unknown> }

/** The answer of a call that was refused. */
export class Refused extends Error {
  readonly failure: Pick<DeskFailure, 'code' | 'message' | 'fields'>
  constructor(failure: Refused['failure']) {
    super(failure.message)
    this.failure = failure
  }
}

async function send(name: DeskCallName, { params, body }: Values): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body ?? {}) }
  const response = await fetch(`/v1${deskPathOf(name, params)}`, init).catch(() => undefined)
  if (!response)
    throw new Refused({
      code: 'unavailable',
      message: 'The desk does not answer. Nothing is known of this; look before you try again.'
    })
  const answer = await response.json()
  if (!response.ok) throw new Refused(answer)
  return answer.data
}

type Asking = Parameters<typeof startAuthentication>[0]['optionsJSON']
type Making = Parameters<typeof startRegistration>[0]['optionsJSON']

async function withPasskey<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused({ code: 'passkey_invalid', message: 'The passkey was not used. Nothing was changed.' })
  }
}

/** Makes a call; its passkey confirms exactly these values. */
export async function call(name: DeskCallName, values: Values): Promise<unknown> {
  if (rulesOf(name).passkey !== 'act') return send(name, values)
  const asked = { call: name, params: values.params ?? {}, body: values.body ?? {} }
  const optionsJSON = (await send('askForPasskey', { body: asked })) as Asking
  const passkey = await withPasskey(() => startAuthentication({ optionsJSON }))
  return send(name, { ...values, body: { ...values.body, passkey } })
}

export async function signIn(): Promise<void> {
  const optionsJSON = (await send('getSignInOptions', {})) as Asking
  const response = await withPasskey(() => startAuthentication({ optionsJSON }))
  await send('signIn', { body: { response } })
}

export function showInvitation(token: string): Promise<{ name: string; email: string; roles: string[] }> {
  return send('showInvitation', { body: { token } }) as Promise<{ name: string; email: string; roles: string[] }>
}

export async function join(token: string, keyName: string): Promise<void> {
  const optionsJSON = (await send('getInvitationOptions', { body: { token } })) as Making
  const response = await withPasskey(() => startRegistration({ optionsJSON }))
  await send('acceptInvitation', { body: { token, keyName, response } })
}

/** Makes a new passkey and adds it, which another one confirms. */
export async function addKey(keyName: string): Promise<void> {
  const optionsJSON = (await send('getNewKeyOptions', {})) as Making
  const response = await withPasskey(() => startRegistration({ optionsJSON }))
  await call('addKey', { body: { keyName, response } })
}
