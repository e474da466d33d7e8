/** Signing in (spec sections 2, 4, 5 and 8): by a code, and where to go from there for the other ways. */

import { CODE_LENGTH, checkEmail, normalizeCode, normalizeEmail, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { signInTexts, waitForOtp } from '#messages/access/signIn.ts'
import { fieldMessages } from '#messages/platform/fields.ts'
import { texts } from '#messages/platform/texts.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { createForm } from '../platform/form.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { startSession } from '../platform/session.ts'
import { notify } from '../platform/toasts.ts'
import { welcome } from './welcome.ts'

type Field = 'email' | 'otp'
type More = {
  /** Nothing chosen yet, code sent, asking for the password, or asking for the authenticator app's code. */
  step: 'email' | 'otp' | 'password' | 'secondFactor'
  /** Must be sent together with the second factor. */
  ticket: string
}

/** Where a form that was sent without script has led. */
export type FirstSignIn = {
  step: More['step']
  email: string
  ticket: string
  errors: Partial<Record<Field, string | undefined>>
  waitSeconds: number
}

export function createSignIn(first?: FirstSignIn, nowMs: () => number = Date.now) {
  const form = createForm<Field, More>({ email: '', otp: '' }, { step: 'email', ticket: '' }, nowMs)
  const { state } = form
  if (first) {
    const { step, ticket, errors, email } = first
    form.change({ step, ticket, errors, fields: { email, otp: '' } })
    if (first.waitSeconds > 0) form.wait(first.waitSeconds)
  }

  function emailError(email: string): string | undefined {
    const code = checkEmail(normalizeEmail(email))
    return code && fieldMessages[code]
  }

  /** An empty field shows no error until Next is pressed. */
  function typeEmail(email: string): void {
    const { step, busy } = state.get()
    if (busy || (step !== 'email' && step !== 'password')) return
    form.put('email', email, email === '' ? undefined : emailError(email))
  }

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

  function isVerifying(): boolean {
    const { busy } = state.get()
    return busy === 'verifying' || busy === 'leaving'
  }

  /** Verifies automatically at exactly six characters. */
  function typeOtp(text: string): void {
    const otp = normalizeCode(text).slice(0, CODE_LENGTH)
    if (isVerifying() || otp === state.get().fields.otp) return
    form.put('otp', otp)
    if (otp.length === CODE_LENGTH) void verify()
  }

  function askSecondFactor(ticket: string): undefined {
    form.put('otp', '')
    form.change({ step: 'secondFactor', ticket })
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
    if (!isVerifying()) form.reset({ fields: { ...fields, otp: '' }, waitUntilMs })
  }

  /** Expired, or too many wrong codes: back to the start, with the reason. */
  function startOver(why: string): void {
    back()
    notify('error', why)
  }

  return {
    state,
    type: (field: Field, text: string) => (field === 'email' ? typeEmail : typeOtp)(text),
    next,
    verify,
    resend,
    withPassword,
    withPasskey,
    askSecondFactor,
    startOver,
    back
  }
}
