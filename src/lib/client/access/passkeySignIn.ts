/** Signing in with a passkey: one press, no email address. */
import { signInTexts } from '#messages/access/signIn.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { startSession } from '../platform/session.ts'
import { askPasskey, canUsePasskeys, PasskeyDeclinedError } from './passkey.ts'

/** Returns true if signed in, otherwise the sentence to show; undefined if the customer declined. */
export async function signInWithPasskey(ask = askPasskey): Promise<true | string | undefined> {
  if (ask === askPasskey && !canUsePasskeys()) return signInTexts.noPasskeys
  try {
    const response = await ask(await call('passkeySignInOptions', { body: {} }))
    startSession(await call('signInWithPasskey', { body: { response: response as never } }))
    return true
  } catch (error) {
    return error instanceof PasskeyDeclinedError ? undefined : sentenceOf(error, signInTexts.passkeyFailed)
  }
}
