/** Verify email (spec sections 2 and 4): masked address, 1800 s, resend. */

import { map } from 'nanostores'
import { CODE_LENGTH, CODE_LIFETIME_SECONDS, normalizeCode, RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import { texts } from '#lib/messages/en/platform.ts'
import { signInTexts, waitForCode } from '#lib/messages/en/signIn.ts'
import { call } from '../platform/call.ts'
import { CallError, sentenceOf } from '../platform/failure.ts'
import { goTo } from '../platform/navigation.ts'
import { notify, notifyNextPage } from '../platform/notices.ts'
import { startSession } from '../platform/session.ts'
import { forgetVerification, recallVerification, rememberVerification } from './verification.ts'

type State = {
  /** undefined until read from the browser; null where nobody signed up here. */
  email: string | null | undefined
  code: string
  codeError: string | undefined
  busy: 'verifying' | 'resending' | 'leaving' | undefined
  expiresAtMs: number
  resendAtMs: number
}

export function createVerifyEmail(nowMs: () => number = Date.now) {
  const state = map<State>({ email: undefined, code: '', codeError: undefined, busy: undefined, expiresAtMs: 0, resendAtMs: 0 })

  function sentAt(sentAtMs: number): Pick<State, 'expiresAtMs' | 'resendAtMs'> {
    return { expiresAtMs: sentAtMs + CODE_LIFETIME_SECONDS * 1000, resendAtMs: sentAtMs + RESEND_AFTER_SECONDS * 1000 }
  }

  function load(): void {
    const verification = recallVerification()
    state.set({ ...state.get(), email: verification?.email ?? null, ...(verification && sentAt(verification.sentAtMs)) })
  }

  function type(text: string): void {
    const { busy } = state.get()
    if (busy !== 'verifying' && busy !== 'leaving')
      state.set({ ...state.get(), code: normalizeCode(text).slice(0, CODE_LENGTH), codeError: undefined })
  }

  async function verify(): Promise<void> {
    const { email, code, busy } = state.get()
    if (!email || busy || code.length < CODE_LENGTH) return
    state.set({ ...state.get(), busy: 'verifying', codeError: undefined })
    try {
      startSession(await call('verifySignUp', { body: { email, token: code } }))
      forgetVerification()
      notifyNextPage('success', signInTexts.verificationSuccessful)
      state.setKey('busy', 'leaving')
      goTo('/dashboard')
    } catch (error) {
      state.set({ ...state.get(), busy: undefined, codeError: sentenceOf(error, texts.somethingWrong) })
    }
  }

  async function resend(): Promise<void> {
    const { email, busy, resendAtMs } = state.get()
    if (!email || busy || nowMs() < resendAtMs) return
    state.setKey('busy', 'resending')
    try {
      await call('resendSignUpCode', { body: { email } })
      rememberVerification({ email, sentAtMs: nowMs() })
      state.set({ ...state.get(), busy: undefined, code: '', codeError: undefined, ...sentAt(nowMs()) })
      notify('success', signInTexts.codeResent)
    } catch (error) {
      const wait = error instanceof CallError ? error.retryAfterSeconds : undefined
      notify('error', wait === undefined ? sentenceOf(error, texts.somethingWrong) : waitForCode(wait))
      state.set({ ...state.get(), busy: undefined, ...(wait !== undefined && { resendAtMs: nowMs() + wait * 1000 }) })
    }
  }

  return { state, load, type, verify, resend }
}
