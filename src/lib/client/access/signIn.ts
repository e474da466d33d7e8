/** Signing in (spec sections 2, 4, 5 and 8): by a code, and from there by the other ways. */
import { texts } from '#messages/platform/texts.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { notify } from '../platform/toasts.ts'
import { createCodeStep, createSignInForm, emailError, isVerifying, type SignInField, type SignInMore } from './signInCode.ts'
import { welcome } from './welcome.ts'

/** Where a form that was sent without script has led. */
export type FirstSignIn = {
  step: SignInMore['step']
  email: string
  ticket: string
  errors: Partial<Record<SignInField, string | undefined>>
  waitSeconds: number
}

export function createSignIn(first?: FirstSignIn, nowMs: () => number = Date.now) {
  const form = createSignInForm(nowMs)
  const { state } = form
  const { typeOtp, ...code } = createCodeStep(form)
  if (first) {
    const { step, ticket, errors, email } = first
    form.change({ step, ticket, errors, fields: { email, otp: '' } })
    if (first.waitSeconds > 0) form.wait(first.waitSeconds)
  }

  /** An empty field shows no error until Next is pressed. */
  function typeEmail(email: string): void {
    const { step, busy } = state.get()
    if (busy || (step !== 'email' && step !== 'password')) return
    form.put('email', email, email === '' ? undefined : emailError(email))
  }

  function withPassword(): void {
    if (!state.get().busy) form.change({ step: 'password', errors: {} })
  }

  async function withPasskey(): Promise<void> {
    await form.submit(
      async () => {
        const { signInWithPasskey } = await loadChunk(() => import('./passkeySignIn.ts'))
        const outcome = await signInWithPasskey()
        if (outcome !== true) return outcome && notify('error', outcome)
        form.leave()
        welcome()
      },
      () => {
        notify('error', texts.unreachable)
        return undefined
      },
      'passkey'
    )
  }

  function back(): void {
    const { fields, waitUntilMs } = state.get()
    if (!isVerifying(form)) form.reset({ fields: { ...fields, otp: '' }, waitUntilMs })
  }

  /** Expired, or too many wrong codes: back to the start, with the reason. */
  function startOver(why: string): void {
    back()
    notify('error', why)
  }

  return {
    state,
    type: (field: SignInField, text: string) => (field === 'email' ? typeEmail : typeOtp)(text),
    ...code,
    withPassword,
    withPasskey,
    startOver,
    back
  }
}
