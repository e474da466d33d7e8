/** The code of a sign-in: requested, requested again, typed and verified (spec sections 2, 4, 5 and 8). */
import { CODE_LENGTH, checkEmail, normalizeCode, normalizeEmail, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { signInTexts, waitForOtp } from '#messages/access/signIn.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { startSession } from '../platform/session.ts'
import { notify } from '../platform/toasts.ts'
import { welcome } from './welcome.ts'

export type SignInField = 'email' | 'otp'
export type SignInMore = {
  /** Nothing chosen yet, code sent, asking for the password, or asking for the authenticator app's code. */
  step: 'email' | 'otp' | 'password' | 'secondFactor'
  /** Must be sent together with the second factor. */
  ticket: string
}
type SignInForm = ReturnType<typeof createSignInForm>

export function createSignInForm(nowMs: () => number) {
  return createForm<SignInField, SignInMore>({ email: '', otp: '' }, { step: 'email', ticket: '' }, nowMs)
}

export function emailError(email: string): string | undefined {
  const code = checkEmail(normalizeEmail(email))
  return code && fieldMessages[code]
}

export function isVerifying({ state }: SignInForm): boolean {
  const { busy } = state.get()
  return busy === 'verifying' || busy === 'leaving'
}

export function createCodeStep(form: SignInForm) {
  const { state } = form

  /** Resolves to whether a code is on its way. */
  function requestCode(): Promise<boolean> {
    return form.submit(
      async () => {
        await call('requestOtp', { body: { email: normalizeEmail(state.get().fields.email) } })
        notify('success', signInTexts.otpSent)
        form.put('otp', '')
        form.wait(RESEND_AFTER_SECONDS)
      },
      (error) => {
        const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
        if (wait !== undefined) form.wait(wait)
        notify('error', wait === undefined ? sentenceOf(error, signInTexts.otpRequestFailed) : waitForOtp(wait))
        return undefined
      },
      'requesting',
      true
    )
  }

  async function next(): Promise<void> {
    if (state.get().busy || !form.check({ email: emailError(state.get().fields.email) })) return
    if (await requestCode()) form.change({ step: 'otp' })
  }

  async function resend(): Promise<void> {
    if (!form.mustWait()) await requestCode()
  }

  async function verify(): Promise<void> {
    const { email, otp } = state.get().fields
    if (otp === '') return
    await form.submit(
      async () => {
        startSession(await call('verifyOtp', { body: { email: normalizeEmail(email), otp } }))
        form.leave()
        welcome(signInTexts.otpVerified)
      },
      (error) => {
        const { ticket, code }: Partial<CallError> = error instanceof CallError ? error : {}
        if (ticket) return askSecondFactor(ticket)
        return { otp: code === 'otp_invalid' ? signInTexts.otpInvalid : sentenceOf(error, signInTexts.loginFailed) }
      },
      'verifying'
    )
  }

  /** Verifies automatically at exactly six characters. */
  function typeOtp(text: string): void {
    const otp = normalizeCode(text).slice(0, CODE_LENGTH)
    if (isVerifying(form) || otp === state.get().fields.otp) return
    form.put('otp', otp)
    if (otp.length === CODE_LENGTH) void verify()
  }

  function askSecondFactor(ticket: string): undefined {
    form.put('otp', '')
    form.change({ step: 'secondFactor', ticket })
  }

  return { next, resend, verify, typeOtp, askSecondFactor }
}
