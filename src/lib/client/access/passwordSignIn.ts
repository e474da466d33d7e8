/** The password step of signing in (spec sections 2, 5 and 8). */

import { normalizeEmail } from '#lib/domain/access/credentials.ts'
import { passwordTexts } from '#messages/access/password.ts'
import { signInTexts } from '#messages/access/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { startSession } from '../platform/session.ts'

type Outcome = { onSignedIn: () => void; onSecondFactor: (ticket: string) => void }

const EMAIL_KEY = 'sign-in-email'

/** Passes the email address to the password step in session storage, never in a URL. */
export function rememberSignInEmail(email: string): void {
  sessionStorage.setItem(EMAIL_KEY, normalizeEmail(email))
}

export function recallSignInEmail(): string | undefined {
  return sessionStorage.getItem(EMAIL_KEY) ?? undefined
}

export function forgetSignInEmail(): void {
  sessionStorage.removeItem(EMAIL_KEY)
}

export function createPasswordSignIn({ onSignedIn, onSecondFactor }: Outcome, error?: string) {
  const form = createForm({ password: '' }, {})
  const { state } = form
  if (error) form.check({ password: error })

  async function submit(email: string): Promise<void> {
    const { password } = state.get().fields
    if (email.trim() === '' || password === '') return
    await form.submit(
      async () => {
        startSession(await call('signIn', { body: { email: normalizeEmail(email), password } }))
        form.leave()
        onSignedIn()
      },
      (error) => {
        if (error instanceof CallError && error.ticket) onSecondFactor(error.ticket)
        return { password: errorOf(error) }
      }
    )
  }

  return { state, type: form.type, submit }
}

function errorOf(error: unknown): string | undefined {
  const failure = error instanceof CallError ? error : undefined
  if (failure?.ticket) return undefined
  // A malformed address gets the same sentence as a wrong password.
  const isWrong = failure?.code === 'credentials_invalid' || failure?.code === 'invalid_fields'
  return isWrong ? passwordTexts.passwordWrong : sentenceOf(error, signInTexts.loginFailed)
}
