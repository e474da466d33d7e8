/** The code of a sign-in: requested and verified (spec sections 4, 5 and 8). Loaded with the first keystroke, like the HTTP client. */
import { normalizeEmail, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { signInTexts, waitForOtp } from '#messages/access/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { startSession } from '../platform/session.ts'
import { notify } from '../platform/toasts.ts'
import { forgetSent } from './sentCode.ts'
import { askSecondFactor, type SignInForm } from './signInForm.ts'
import { welcome } from './welcome.ts'

/** Resolves to whether a code is on its way. */
export function requestCode(form: SignInForm): Promise<boolean> {
  return form.submit(
    async () => {
      await call('requestOtp', { body: { email: normalizeEmail(form.state.get().fields.email) } })
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

export async function verifyCode(form: SignInForm): Promise<void> {
  const { email, otp } = form.state.get().fields
  if (otp === '') return
  await form.submit(
    async () => {
      startSession(await call('verifyOtp', { body: { email: normalizeEmail(email), otp } }))
      forgetSent()
      form.leave()
      welcome(signInTexts.otpVerified)
    },
    (error) => {
      const { ticket, code }: Partial<CallError> = error instanceof CallError ? error : {}
      if (ticket) return askSecondFactor(form, ticket)
      return { otp: code === 'otp_invalid' ? signInTexts.otpInvalid : sentenceOf(error, signInTexts.loginFailed) }
    },
    'verifying'
  )
}
