/** Signing in with a passkey: one press, no email address. */
import { signInTexts } from '#messages/access/signIn.ts'
import { call } from '../platform/call.ts'
import { sentenceOf } from '../platform/failure.ts'
import { startSession } from '../platform/session.ts'
import { askPasskey, canUsePasskeys, PasskeyDeclinedError } from './passkey.ts'

type Outcome = true | string | undefined

/** Returns true if signed in, otherwise the sentence to show; undefined if the customer declined. */
export async function signInWithPasskey(ask = askPasskey): Promise<Outcome> {
  if (ask === askPasskey && !canUsePasskeys()) return signInTexts.noPasskeys
  return handIn(async () => ask(await call('passkeySignInOptions', { body: {} })))
}

/** The same, with what a passkey has answered already (`passkeyAutofill.ts`). */
export const signInWithAnswer = (answer: object) => handIn(async () => answer)

async function handIn(answered: () => Promise<object>): Promise<Outcome> {
  try {
    startSession(await call('signInWithPasskey', { body: { response: (await answered()) as never } }))
    return true
  } catch (error) {
    return error instanceof PasskeyDeclinedError ? undefined : sentenceOf(error, signInTexts.passkeyFailed)
  }
}
