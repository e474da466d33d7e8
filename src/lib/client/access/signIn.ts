/** Signing in (spec sections 2, 4, 5 and 8): by a code, and where to go from there for the other ways. */

import { map } from 'nanostores'
import { CODE_LENGTH, checkEmail, normalizeCode, normalizeEmail, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { fieldMessages } from '#lib/messages/en/fields.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { signInTexts, waitForOtp } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { loadChunk } from '../platform/loadChunk.ts'
import { notify } from '../platform/notices.ts'
import { startSession } from '../platform/session.ts'
import { welcome } from './welcome.ts'

type State = {
  /** Nothing chosen yet, code sent, asking for the password, or asking for the authenticator app's code. */
  step: 'email' | 'otp' | 'password' | 'secondFactor'
  /** Must be sent together with the second factor. */
  ticket: string
  email: string
  otp: string
  emailError: string | undefined
  otpError: string | undefined
  busy: 'requesting' | 'verifying' | 'passkey' | 'leaving' | undefined
  /** Epoch milliseconds from which another code may be requested. */
  resendAtMs: number
}

const initial: State = {
  step: 'email',
  ticket: '',
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

  /** An empty field shows no error until Next is pressed. */
  function typeEmail(email: string): void {
    const { step, busy } = state.get()
    if (busy || (step !== 'email' && step !== 'password')) return
    state.set({ ...state.get(), email, emailError: email === '' ? undefined : emailError(email) })
  }

  async function requestCode(): Promise<boolean> {
    state.setKey('busy', 'requesting')
    try {
      await call('requestOtp', { body: { email: normalizeEmail(state.get().email) } })
      notify('success', signInTexts.otpSent)
      state.set({ ...state.get(), busy: undefined, otpError: undefined, resendAtMs: nowMs() + RESEND_AFTER_SECONDS * 1000 })
      return true
    } catch (error) {
      const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
      notify('error', wait === undefined ? sentenceOf(error, signInTexts.otpRequestFailed) : waitForOtp(wait))
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
      state.setKey('busy', 'leaving')
      welcome(signInTexts.otpVerified)
    } catch (error) {
      if (error instanceof CallError && error.ticket) return askSecondFactor(error.ticket)
      const isWrong = error instanceof CallError && error.code === 'otp_invalid'
      const otpError = isWrong ? signInTexts.otpInvalid : sentenceOf(error, signInTexts.loginFailed)
      state.set({ ...state.get(), busy: undefined, otpError })
    }
  }

  function isVerifying(): boolean {
    const { busy } = state.get()
    return busy === 'verifying' || busy === 'leaving'
  }

  /** Verifies automatically at exactly six characters. */
  function typeOtp(text: string): void {
    if (isVerifying()) return
    const otp = normalizeCode(text).slice(0, CODE_LENGTH)
    const changed = otp !== state.get().otp
    state.set({ ...state.get(), otp, otpError: changed ? undefined : state.get().otpError })
    if (changed && otp.length === CODE_LENGTH) void verify()
  }

  function askSecondFactor(ticket: string): void {
    state.set({ ...state.get(), step: 'secondFactor', ticket, busy: undefined, otp: '', otpError: undefined })
  }

  function withPassword(): void {
    if (!state.get().busy) state.set({ ...state.get(), step: 'password', emailError: undefined })
  }

  async function withPasskey(): Promise<void> {
    if (state.get().busy) return
    state.setKey('busy', 'passkey')
    const outcome = await loadChunk(() => import('./passkeySignIn.ts'))
      .then(({ signInWithPasskey }) => signInWithPasskey())
      .catch(() => texts.unreachable)
    if (outcome === true) return welcome()
    state.setKey('busy', undefined)
    if (outcome) notify('error', outcome)
  }

  /** Expired, or too many wrong codes: back to the start, with the reason. */
  function startOver(why: string): void {
    state.set({ ...initial, email: state.get().email, resendAtMs: state.get().resendAtMs })
    notify('error', why)
  }

  function back(): void {
    if (isVerifying()) return
    state.set({ ...initial, email: state.get().email, resendAtMs: state.get().resendAtMs })
  }

  return { state, typeEmail, next, typeOtp, verify, resend, withPassword, withPasskey, askSecondFactor, startOver, back }
}
