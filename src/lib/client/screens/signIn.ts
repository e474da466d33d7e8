/** Sign in with OTP (spec sections 2, 4, 5 and 8). */
import { map } from 'nanostores'
import { CODE_LENGTH, checkEmail, normalizeCode, normalizeEmail, RESEND_AFTER_SECONDS } from '../../domain/account.ts'
import { fieldMessages } from '../../messages/errors.ts'
import { texts, waitForOtp } from '../../messages/screens.ts'
import { call } from '../call.ts'
import { CallError, sentenceOf } from '../failure.ts'
import { goTo } from '../navigation.ts'
import { notify, notifyNextPage } from '../notices.ts'
import { startSession } from '../stores/session.ts'

type State = {
  /** Nothing chosen yet, or the code was sent. */
  step: 'email' | 'otp'
  email: string
  otp: string
  emailError: string | undefined
  otpError: string | undefined
  busy: 'requesting' | 'verifying' | 'leaving' | undefined
  /** Epoch milliseconds from which another code may be asked for. */
  resendAtMs: number
}

const initial: State = {
  step: 'email',
  email: '',
  otp: '',
  emailError: undefined,
  otpError: undefined,
  busy: undefined,
  resendAtMs: 0
}

export function createSignIn(nowMs: () => number = Date.now) {
  const state = map<State>(initial)

  function emailError(email: string): string | undefined {
    const code = checkEmail(normalizeEmail(email))
    return code && fieldMessages[code]
  }

  /** An empty field is not wrong yet: it is asked for at Next. */
  function typeEmail(email: string): void {
    if (state.get().step !== 'email') return
    state.set({ ...state.get(), email, emailError: email === '' ? undefined : emailError(email) })
  }

  async function requestCode(): Promise<boolean> {
    state.setKey('busy', 'requesting')
    try {
      await call('requestOtp', { body: { email: normalizeEmail(state.get().email) } })
      notify('success', texts.otpSent)
      state.set({ ...state.get(), busy: undefined, otpError: undefined, resendAtMs: nowMs() + RESEND_AFTER_SECONDS * 1000 })
      return true
    } catch (error) {
      const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
      notify('error', wait === undefined ? sentenceOf(error, texts.otpRequestFailed) : waitForOtp(wait))
      state.set({ ...state.get(), busy: undefined, ...(wait !== undefined && { resendAtMs: nowMs() + wait * 1000 }) })
      return false
    }
  }

  async function next(): Promise<void> {
    if (state.get().busy) return
    const error = emailError(state.get().email)
    state.setKey('emailError', error)
    if (error) return
    if (await requestCode()) state.set({ ...state.get(), step: 'otp', otp: '' })
    else state.set({ ...state.get(), step: 'email', otp: '' })
  }

  async function resend(): Promise<void> {
    if (state.get().busy || nowMs() < state.get().resendAtMs) return
    if (await requestCode()) state.setKey('otp', '')
  }

  async function verify(): Promise<void> {
    const { otp, email, busy } = state.get()
    if (busy || otp === '') return
    state.set({ ...state.get(), busy: 'verifying', otpError: undefined })
    try {
      startSession(await call('verifyOtp', { body: { email: normalizeEmail(email), otp } }))
      notifyNextPage('success', texts.otpVerified)
      state.setKey('busy', 'leaving')
      goTo('/dashboard')
    } catch (error) {
      const isWrong = error instanceof CallError && error.code === 'otp_invalid'
      const otpError = isWrong ? texts.otpInvalid : sentenceOf(error, texts.loginFailed)
      state.set({ ...state.get(), busy: undefined, otpError })
    }
  }

  function isVerifying(): boolean {
    const { busy } = state.get()
    return busy === 'verifying' || busy === 'leaving'
  }

  /** Exactly six characters verify by themselves. */
  function typeOtp(text: string): void {
    if (isVerifying()) return
    const otp = normalizeCode(text).slice(0, CODE_LENGTH)
    const changed = otp !== state.get().otp
    state.set({ ...state.get(), otp, otpError: changed ? undefined : state.get().otpError })
    if (changed && otp.length === CODE_LENGTH) void verify()
  }

  function back(): void {
    if (isVerifying()) return
    state.set({ ...initial, email: state.get().email, resendAtMs: state.get().resendAtMs })
  }

  return { state, typeEmail, next, typeOtp, verify, resend, back }
}
