/** Signing in (spec sections 2, 4, 5 and 8): by a code, and from there by the other ways. */
import { CODE_LENGTH, checkEmail, normalizeCode, normalizeEmail, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { notify } from '../platform/toasts.ts'
import { createPasskeyAutofill } from './passkeyAutofill.ts'
import { forgetSent, recallSent, rememberSent } from './sentCode.ts'
import { askSecondFactor, createSignInForm, isVerifying, type SignInField, type SignInMore } from './signInForm.ts'
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
  /** Undefined, with a message, where the code cannot be loaded. */
  const loadCode = () =>
    loadChunk(() => import('./signInCode.ts')).catch(() => {
      notify('error', texts.unreachable)
      return undefined
    })
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

  async function requestCode(): Promise<boolean> {
    return (await (await loadCode())?.requestCode(form)) ?? false
  }

  async function next(): Promise<void> {
    if (state.get().busy || !form.check({ email: emailError(state.get().fields.email) })) return
    if (!(await requestCode())) return
    rememberSent({ email: state.get().fields.email, sentAtMs: nowMs() })
    form.change({ step: 'otp' })
  }

  async function resend(): Promise<void> {
    if (!form.mustWait() && (await requestCode())) rememberSent({ email: state.get().fields.email, sentAtMs: nowMs() })
  }

  async function verify(): Promise<void> {
    await (await loadCode())?.verifyCode(form)
  }

  /** Verifies automatically at exactly six characters. */
  function typeOtp(text: string): void {
    const otp = normalizeCode(text).slice(0, CODE_LENGTH)
    if (isVerifying(form) || otp === state.get().fields.otp) return
    form.put('otp', otp)
    if (otp.length === CODE_LENGTH) void verify()
  }

  function withPassword(): void {
    if (!state.get().busy) form.change({ step: 'password', errors: {} })
  }

  const autofill = createPasskeyAutofill((answer) => void withPasskey(answer), nowMs)

  /** `answer`: of a passkey that was chosen among the suggestions; without it the browser asks for one. */
  async function withPasskey(answer?: object): Promise<void> {
    autofill.stop()
    await form.submit(
      async () => {
        const { signInWithAnswer, signInWithPasskey } = await loadChunk(() => import('./passkeySignIn.ts'))
        const outcome = await (answer ? signInWithAnswer(answer) : signInWithPasskey())
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
    // Declined or refused: as before the press.
    if (!state.get().busy) void autofill.offer()
  }

  function back(): void {
    const { fields, waitUntilMs } = state.get()
    if (isVerifying(form)) return
    forgetSent()
    form.reset({ fields: { ...fields, otp: '' }, waitUntilMs })
  }

  /** After a reload: the code that was sent from this tab can still be entered. */
  function recall(): void {
    const sent = recallSent(nowMs())
    if (!sent || state.get().step !== 'email') return
    form.change({ step: 'otp', fields: { email: sent.email, otp: '' }, waitUntilMs: sent.sentAtMs + RESEND_AFTER_SECONDS * 1000 })
  }

  /** Expired, or too many wrong codes: back to the start, with the reason. */
  function startOver(why: string): void {
    back()
    notify('error', why)
  }

  return {
    state,
    type: (field: SignInField, text: string) => (field === 'email' ? typeEmail : typeOtp)(text),
    next,
    verify,
    resend,
    askSecondFactor: (ticket: string) => askSecondFactor(form, ticket),
    withPassword,
    withPasskey,
    /** For the first sight of the email field, and each time that it gets the focus. While the form is at work, the browser may be asking already. */
    offerPasskeys: () => {
      if (!state.get().busy) void autofill.offer()
    },
    stopOffering: autofill.stop,
    startOver,
    back,
    recall
  }
}

function emailError(email: string): string | undefined {
  const code = checkEmail(normalizeEmail(email))
  return code && fieldMessages[code]
}
