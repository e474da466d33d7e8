/** What the form of a sign-in keeps, shared by its page and the code that is loaded with the first keystroke. */
import { createForm } from '../platform/form.ts'

export type SignInField = 'email' | 'otp'
export type SignInMore = {
  /** Nothing chosen yet, code sent, asking for the password, or asking for the authenticator app's code. */
  step: 'email' | 'otp' | 'password' | 'secondFactor'
  /** Must be sent together with the second factor. */
  ticket: string
}
export type SignInForm = ReturnType<typeof createSignInForm>

export function createSignInForm(nowMs: () => number) {
  return createForm<SignInField, SignInMore>({ email: '', otp: '' }, { step: 'email', ticket: '' }, nowMs)
}

export function isVerifying({ state }: SignInForm): boolean {
  const { busy } = state.get()
  return busy === 'verifying' || busy === 'leaving'
}

export function askSecondFactor(form: SignInForm, ticket: string): undefined {
  form.put('otp', '')
  form.change({ step: 'secondFactor', ticket })
}
